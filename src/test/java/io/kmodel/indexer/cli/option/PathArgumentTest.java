package io.kmodel.indexer.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.cli.Main;
import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.cli.command.Commands;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Paths that are surely not what was meant. */
class PathArgumentTest {
  @TempDir Path directory;

  @Test
  void anEmptyPathIsNotTheCurrentDirectory() {
    String there = directory.toString();
    for (List<String> call :
        List.of(
            List.of("build", "", "--output", there),
            List.of("build", there, "--output", ""),
            List.of("stats", ""),
            List.of("export", "lucene", there, ""),
            List.of("import", "ciff", "", "--output", there))) {
      assertThat(refused(call)).contains("empty path; use . for the current directory");
    }
  }

  @Test
  void whatIsNotInUtf8IsNotWrittenByAnotherName() {
    Path lost = directory.resolve("a\uFFFD");
    for (List<String> call :
        List.of(
            List.of("build", directory.toString(), "--output", lost.toString()),
            List.of("build", directory.toString(), "--export", "ciff:" + lost),
            List.of("export", "lucene", directory.toString(), lost.toString()),
            List.of("search", directory.toString(), "--topics", "t", "--run", lost.toString()))) {
      assertThat(refused(call)).contains("cannot be written: its name is not in UTF-8");
    }
    assertThat(lost).satisfies(path -> assertThat(Files.exists(path)).isFalse());
  }

  @Test
  void whatIsNotInUtf8IsSeenWhereverItStands() {
    for (String name : List.of("\uFFFD", "\uFFFDa", "a\uFFFD", "a/\uFFFD/b")) {
      assertThatThrownBy(() -> new PathArgument.Output().convert(name))
          .hasMessage("'%s' cannot be written: its name is not in UTF-8", name);
    }
  }

  @Test
  void aHyphenIsNoNameOfWhatIsWritten() {
    String there = directory.toString();
    for (List<String> call :
        List.of(
            List.of("build", there, "--output", "-"),
            List.of("build", there, "--export", "lucene:-"),
            List.of("build", there, "--output", there + "/index", "--export", "ciff:-"),
            List.of("export", "lucene", there, "-"),
            List.of("export", "ciff", there, "-"),
            List.of("import", "ciff", there + "/file", "--output", "-"),
            List.of("experiment", "extract", "--corpus", there, "--output", "-"),
            List.of("experiment", "build", "--corpus", there, "--json", "-"))) {
      assertThat(refused(call)).contains("'-' means standard output").contains("./-");
    }
    assertThat(Path.of("-")).satisfies(path -> assertThat(Files.exists(path)).isFalse());
  }

  @Test
  void aHyphenIsStandardInputWhereFilesAreReadAndStandardOutputWhereThatCanBe() {
    assertThat(new PathArgument.Input().convert("-")).isEqualTo(Path.of("/dev/stdin"));
    assertThat(new PathArgument.Stream().convert("-")).isEqualTo(Path.of("/dev/stdout"));
    for (String name : List.of("./-", "-x", "a")) {
      assertThat(new PathArgument.Input().convert(name)).isEqualTo(Path.of(name));
      assertThat(new PathArgument.Output().convert(name)).isEqualTo(Path.of(name));
      assertThat(new PathArgument.Stream().convert(name)).isEqualTo(Path.of(name));
    }
  }

  @Test
  void aDirectoryIsNoFileToRead() throws Exception {
    String there = directory.toString();
    String file = Files.createFile(directory.resolve("a")).toString();
    String build = directory.resolve("index").toString();
    for (List<String> call :
        List.of(
            List.of("evaluate", there, file),
            List.of("evaluate", file, there),
            List.of("import", "ciff", there, "--output", build),
            List.of("search", there, "--topics", there, "--run", build),
            List.of("build", file, "--output", build, "--stop-words", there),
            List.of("build", file, "--output", build, "--analyzer-chain", there),
            List.of("settings", "--config", there))) {
      assertThat(refused(call)).contains(there).contains("is a directory, not a file");
    }
  }

  private static String refused(List<String> call) {
    StringWriter err = new StringWriter();
    String[] arguments = call.toArray(String[]::new);
    CommandLine program = Commands.of(arguments).setErr(new PrintWriter(err));
    int exitCode = Main.execute(program, Map.of(), arguments);
    assertThat(exitCode).as("%s: %s", call, err).isEqualTo(ExitCode.USAGE);
    return err.toString();
  }
}
