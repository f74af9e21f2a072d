package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.cli.base.ExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Inputs that a file lists. */
class FromOptionTest extends CommandCalls {
  private String first = "";
  private String second = "";
  private String made = "";

  @BeforeEach
  void write() throws IOException {
    first = Files.writeString(directory.resolve("first page.txt"), "one sea").toString();
    second = Files.writeString(directory.resolve("second\npage.txt"), "two seas").toString();
    made = directory.resolve("made").toString();
  }

  private String list(String text) throws IOException {
    return Files.writeString(directory.resolve("list"), text).toString();
  }

  @Test
  void pathsComeOneALineOrBeforeNul() throws IOException {
    assertThat(run("build", "--from", list("\n" + first + "\r\n\n"), "-o", made, "-q")).isZero();
    assertThat(run("stats", made)).isZero();
    assertThat(out.toString()).startsWith("documents  1\n");
    assertThat(run("append", made, "--from", list(second + "\0"), "-q"))
        .as(err.toString())
        .isZero();
    assertThat(run("document", made, "1", "--number", "--field", "contents")).isZero();
    assertThat(out.toString()).isEqualTo("two seas\n");
  }

  @Test
  void theListFollowsThePathsOfTheCommandLine() throws IOException {
    assertThat(run("build", second, "--from", list(first), "-o", made, "-q")).isZero();
    assertThat(run("document", made, "1", "--number", "--field", "contents")).isZero();
    assertThat(out.toString()).isEqualTo("one sea\n");
  }

  @Test
  void nothingToIndexAndListsThatAreNoTextAreErrors() throws IOException {
    assertThat(run("build", "-o", made)).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("nothing to index: give one or more PATHs");
    assertThat(run("append", made)).isEqualTo(ExitCode.USAGE);
    assertThat(run("build", "--from", list("\n\n"), "-o", made)).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("lists no path");
    Path latin =
        Files.write(directory.resolve("latin"), "caf\u00e9".getBytes(StandardCharsets.ISO_8859_1));
    assertThat(run("build", "--from", latin.toString(), "-o", made)).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("latin: the list is not in UTF-8");
    assertThat(run("build", "--from", made + "/no", "-o", made)).isNotZero();
    assertThat(err.toString()).contains(made + "/no");
    assertThat(Path.of(made)).doesNotExist();
  }
}
