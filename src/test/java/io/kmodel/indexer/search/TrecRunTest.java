package io.kmodel.indexer.search;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.faults.Faults;
import io.kmodel.indexer.faults.Faults.Kind;
import io.kmodel.indexer.faults.FaultyFileSystem;
import io.kmodel.indexer.faults.OpenDescriptors;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("alone")
class TrecRunTest {
  @TempDir Path directory;

  @Test
  void hitsAreRankedByScoreInEveryLocaleAlikeAndTiesStayInTheGivenOrder() throws IOException {
    Path file = directory.resolve("run");
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
    try (TrecRun run = new TrecRun(file, "bm25")) {
      run.write("301", List.of(hit(9, "b", 1.5f), hit(7, "c", 1.5f), hit(8, "a", 12.345678f)));
      run.write("302", List.of());
      run.write("MB1", List.of(hit(1, "docs/a file\t\u00e9.html", 0.00001f)));
      run.commit();
    } finally {
      Locale.setDefault(before);
    }
    assertThat(Files.readString(file))
        .isEqualTo(
            """
            301 Q0 a 1 12.345678 bm25
            301 Q0 b 2 1.5 bm25
            301 Q0 c 3 1.5 bm25
            MB1 Q0 docs/a%20file%09é.html 1 1.0E-5 bm25
            """);
  }

  @Test
  void noWhiteSpaceOfAnIdBreaksALineOrAColumn() throws IOException {
    Path file = directory.resolve("run");
    try (TrecRun run = new TrecRun(file, "t")) {
      run.write("1", List.of(hit(1, "a\tb\nc\u000Bd\fe\rf g", 1f)));
      run.commit();
    }
    assertThat(file).hasContent("1 Q0 a%09b%0Ac%0Bd%0Ce%0Df%20g 1 1.0 t\n");
  }

  @Test
  void aTerminalSeesNoControlCharacterOfAnId() throws IOException {
    StringWriter out = new StringWriter();
    try (TrecRun run = new TrecRun(out, "t")) {
      run.write("1", List.of(hit(1, "a\u001B[2Jb\u0007c\0d\u007F", 1f)));
    }
    assertThat(out).hasToString("1 Q0 a%1B[2Jb%07c%00d%7F 1 1.0 t\n");
  }

  @Test
  void aRunThatCannotBeWrittenLeavesNoTemporaryFile() throws IOException {
    Faults faults = new Faults();
    Path file = new FaultyFileSystem(faults).through(directory.resolve("run"));
    assertThatThrownBy(
            () -> {
              try (TrecRun run = new TrecRun(file, "t")) {
                run.write("1", List.of(hit(1, "a", 1f)));
                faults.failFrom(Kind.WRITE, 1);
                run.commit();
              }
            })
        .isInstanceOf(IOException.class);
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void namesThatWouldBreakTheColumnsAreRefused() throws IOException {
    assertThatThrownBy(() -> new TrecRun(directory.resolve("x"), "two words"))
        .hasMessage("a run's tag must be one word; got 'two words'");
    try (TrecRun run = new TrecRun(directory.resolve("y"), "t")) {
      assertThatThrownBy(() -> run.write("", List.of()))
          .hasMessage("a topic's id must be one word; got ''");
    }
  }

  @Test
  void aRunThatIsNotFinishedLeavesWhatWasThereBefore() throws IOException {
    Path file = directory.resolve("run");
    Files.writeString(file, "an earlier run\n");
    try (TrecRun run = new TrecRun(file, "t")) {
      run.write("1", List.of(hit(1, "a", 1f)));
      assertThatThrownBy(() -> run.write("two words", List.of()))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(file).hasContent("an earlier run\n");
    assertThat(directory).isDirectoryNotContaining("glob:**.tmp");
  }

  @Test
  void aRunIsReplacedBehindALink() throws IOException {
    Path file = Files.writeString(directory.resolve("run"), "an earlier run\n");
    Path link = Files.createSymbolicLink(directory.resolve("latest"), file);
    try (TrecRun run = new TrecRun(link, "t")) {
      run.write("1", List.of(hit(1, "a", 1f)));
      run.commit();
    }
    assertThat(link).isSymbolicLink();
    assertThat(file).hasContent("1 Q0 a 1 1.0 t\n");
  }

  @Test
  void aFileThatIsNamedLikeATemporaryOneStays() throws IOException {
    String temporary = "run.%d-0.tmp".formatted(ProcessHandle.current().pid());
    Path other = Files.writeString(directory.resolve(temporary), "notes\n");
    try (TrecRun run = new TrecRun(directory.resolve("run"), "t")) {
      run.write("1", List.of(hit(1, "a", 1f)));
      run.commit();
    }
    assertThat(other).hasContent("notes\n");
    assertThat(directory.resolve("run")).hasContent("1 Q0 a 1 1.0 t\n");
  }

  /** As a shell has it that was told {@code 3>>all}, or of standard output. */
  @Test
  void aFileThatTheProcessHasOpenIsNotReplacedButAppendedTo() throws IOException {
    Path file = Files.writeString(directory.resolve("all"), "another run\n");
    try (FileOutputStream open = new FileOutputStream(file.toFile(), true)) {
      Path descriptor = OpenDescriptors.of(file);
      try (TrecRun run = new TrecRun(descriptor, "t")) {
        run.write("1", List.of(hit(1, "a", 1f)));
        run.commit();
      }
      assertThat(TrecRun.isStandardOutput(descriptor)).isFalse();
      assertThat(file).hasContent("another run\n1 Q0 a 1 1.0 t\n");
      open.write("another\n".getBytes(UTF_8));
    }
    assertThat(file).hasContent("another run\n1 Q0 a 1 1.0 t\nanother\n");
  }

  @Test
  void standardOutputHasSeveralNamesAndIsNotClosed() throws IOException {
    Path link = Files.createSymbolicLink(directory.resolve("out"), Path.of("/dev/stdout"));
    for (Path name : List.of(Path.of("/dev/stdout"), Path.of("/proc/self/fd/1"), link)) {
      assertThat(TrecRun.isStandardOutput(name)).as("%s", name).isTrue();
    }
    for (String name : List.of("/proc/1/fd/1", "/dev/shm/stdout", "/dev/fd/11", "stdout")) {
      assertThat(TrecRun.isStandardOutput(Path.of(name))).as(name).isFalse();
    }
    boolean[] closed = {false};
    StringWriter out =
        new StringWriter() {
          @Override
          public void close() {
            closed[0] = true;
          }
        };
    try (TrecRun run = new TrecRun(out, "t")) {
      run.write("1", List.of(hit(1, "a", 1f)));
      run.commit();
    }
    assertThat(out).hasToString("1 Q0 a 1 1.0 t\n");
    assertThat(closed[0]).isFalse();
  }

  /** As a question mark it would be the id of another document. */
  @Test
  void anIdThatIsNoTextIsRefusedAndNotWrittenAsAnother() throws IOException {
    Path file = directory.resolve("run");
    try (TrecRun run = new TrecRun(file, "t")) {
      assertThatThrownBy(
              () -> {
                run.write("1", List.of(hit(1, "half \ud834 pair", 3f)));
                run.commit();
              })
          .isInstanceOf(CharacterCodingException.class);
    }
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void idsThatATopicHasTwiceAreCounted() throws IOException {
    try (TrecRun run = new TrecRun(directory.resolve("run"), "t")) {
      run.write("1", List.of(hit(1, "a b", 3f), hit(2, "a%20b", 2f), hit(3, "c", 1f)));
      run.write("2", List.of(hit(3, "c", 1f)));
      assertThat(run.repeatedIds()).isEqualTo(1);
    }
  }

  private static Hit hit(int docId, String id, float score) {
    return new Hit(docId, id, score, "", null);
  }
}
