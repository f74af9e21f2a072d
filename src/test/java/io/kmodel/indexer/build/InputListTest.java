package io.kmodel.indexer.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.store.InputFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The list of files that a build began with. */
class InputListTest {
  private static final FileTime OLD = FileTime.fromMillis(0);
  private static final Path ROOT = Path.of("root");

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
    try (InputFile in = InputFile.open(file, "build.input", 2)) {
      byte[] body = Arrays.copyOfRange(bytes, (int) in.bodyStart(), (int) in.bodyEnd());
      assertThat(body).isEqualTo(HexFormat.of().parseHex("0100016105000000000000000000"));
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
          .hasMessageContaining("dir/a.html is not there any more");
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
