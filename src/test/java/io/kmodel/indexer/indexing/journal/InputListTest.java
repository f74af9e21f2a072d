package io.kmodel.indexer.indexing.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.faults.OpenDescriptors;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.store.InputFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The list of files that a build began with. */
class InputListTest {
  private static final FileTime OLD = FileTime.fromMillis(0);
  private static final Path ROOT = Path.of("root");

  /** Of two roots; a byte of a name may be beyond ASCII. */
  private static final List<Listed> LISTED =
      List.of(
          new Listed("one", "a", 5, 0),
          new Listed("one", "\u00E9", 6, 0),
          new Listed("two", "a", 7, 0));

  @TempDir Path directory;
  private Path file = Path.of("");

  @BeforeEach
  void setFile() {
    file = directory.resolve("input");
  }

  @Test
  void theExampleOfTheGrammarIsTheBody() throws IOException {
    try (InputList list = InputList.write(file)) {
      list.file(ROOT, path("a"), 5, OLD);
      list.end();
    }
    byte[] bytes = Files.readAllBytes(file);
    try (InputFile in = InputFile.open(file, "build.input", 3)) {
      byte[] body = Arrays.copyOfRange(bytes, (int) in.bodyStart(), (int) in.bodyEnd());
      assertThat(body).isEqualTo(HexFormat.of().parseHex("010001610500000000000000000000"));
    }
  }

  @Test
  void theSameFilesAreTheSameAndAnyOtherIsNot() throws IOException {
    try (InputList list = InputList.write(file)) {
      listAll(list, 1 << 20);
    }
    try (InputList list = InputList.compare(file)) {
      listAll(list, 1 << 20);
    }
    try (InputList list = InputList.compare(file)) {
      assertThatThrownBy(() -> listAll(list, 1 << 21))
          .isInstanceOf(BuildException.class)
          .hasMessageContaining("dir/b.html has 2,097,152 bytes, and had 1,048,576");
    }
    // As if of the second root's files.
    try (InputList list = InputList.compare(file)) {
      assertThatThrownBy(() -> list.file(Path.of("other"), path("dir/zzz"), 7, OLD))
          .hasMessageContaining("dir/a.html is missing");
    }
  }

  @Test
  void anAlteredListIsNotTakenForOtherInput() throws IOException {
    try (InputList list = InputList.write(file)) {
      listAll(list, 3);
    }
    byte[] bytes = Files.readAllBytes(file);
    for (int i = 0; i < bytes.length; i++) {
      byte[] altered = bytes.clone();
      altered[i] ^= 16;
      Files.write(file, altered);
      assertThatThrownBy(() -> InputList.compare(file).close())
          .as("byte %d", i)
          .isInstanceOf(BuildException.class)
          .hasMessageContaining("is damaged")
          .hasMessageContaining("--restart");
    }
  }

  @Test
  void whateverIsOtherThanBeforeIsTold() throws IOException {
    try (InputList list = InputList.write(file)) {
      for (Listed listed : LISTED) {
        listed.addTo(list);
      }
      list.end();
    }
    Listed first = LISTED.get(0);
    Listed second = LISTED.get(1);
    Listed third = LISTED.get(2);
    assertChanged("a has 4 bytes, and had 5", new Listed("one", "a", 4, 0));
    assertChanged(
        "\u00E9 was changed on 1970-01-01T00:00:00.000007Z, and before that on 1970-01-01T00:00:00Z",
        first,
        new Listed("one", "\u00E9", 6, 7));
    assertChanged("a is missing", second);
    assertChanged("\u00E9 is missing", first, third);
    assertChanged("a is missing", first, second);
    assertChanged("b is new", first, second, third, new Listed("two", "b", 0, 0));
  }

  private void assertChanged(String how, Listed... now) throws IOException {
    try (InputList list = InputList.compare(file)) {
      assertThatThrownBy(
              () -> {
                for (Listed listed : now) {
                  listed.addTo(list);
                }
                list.end();
              })
          .isInstanceOf(BuildException.class)
          .hasMessageContaining("interrupted build: " + how + "; start over");
    }
  }

  private record Listed(String root, String path, long size, long micros) {
    void addTo(InputList list) throws IOException {
      list.file(
          Path.of(root),
          InputListTest.path(path),
          size,
          FileTime.from(micros, TimeUnit.MICROSECONDS));
    }
  }

  @Test
  void anAlteredListIsClosed() throws IOException {
    try (InputList list = InputList.write(file)) {
      listAll(list, 3);
    }
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 16;
    Files.write(file, bytes);
    assertThatThrownBy(() -> InputList.compare(file)).isInstanceOf(BuildException.class);
    assertThat(OpenDescriptors.below(directory)).isEmpty();
  }

  @Test
  void aListThatIsNotThereIsNoOtherInputEither() {
    assertThatThrownBy(() -> InputList.compare(file).close())
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("is damaged: " + file)
        .hasMessageEndingWith("start over with --restart");
  }

  private static void listAll(InputList list, long size) throws IOException {
    list.file(ROOT, path("dir/a.html"), 7, FileTime.fromMillis(1_700_000_000_123L));
    list.file(ROOT, path("dir/b.html"), size, OLD);
    list.file(ROOT, path("dir/bc/d"), 0, OLD);
    list.file(Path.of("second"), path("dir/a.html"), 7, OLD);
    list.end();
  }

  private static byte[] path(String path) {
    return path.getBytes(StandardCharsets.UTF_8);
  }
}
