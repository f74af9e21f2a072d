package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.cli.command.Commands;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Arguments with which no experiment can begin. */
class ExperimentArgumentsTest {
  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          sort --rounds 0                                | --rounds must be at least 1; got 0
          sort --device cpu --no-cpu                     | --no-cpu leaves nothing to time with --device cpu
          sort --threads 2                               | --threads has no effect without --paper, which is not given
          sort --paper satish --corpus HERE              | --corpus has no effect without --paper capannini
          sort --paper satish --costs                    | --costs has no effect with --paper
          sort --paper satish --from HERE/a.json         | --from needs --output
          sort --paper satish --threads 0                | --threads must be at least 1; got 0
          sort --paper satish --keys 65535 --device cpu  | a paper's comparisons need 65536 keys or more; got 65535
          sort --paper capannini --device cpu            | all sorters of this paper need a GPU
          sort --paper satish --from HERE/a.json --output HERE/o --keys 2^20 | --keys has no effect with --from
          sorters --distribution and-6                   | is not one of uniform, and-2, and-3
          sort --paper tanasic --device cpu              | all sorters of this paper need a GPU
          sort --paper bogo                              | --paper
          sorters --rounds 0                             | --rounds must be at least 1; got 0
          sorters --warm-up -1                           | --warm-up must be at least 0; got -1
          sorters --threads 0                            | --threads must be at least 1; got 0
          sorters --bits 22,63                           | --bits must be 1 to 62; got 63
          sorters --sorter radix-8,buffered-radix-17     | unknown sorter 'buffered-radix-17'
          sorters --sorter radix-0                       | unknown sorter 'radix-0'
          sorters --sorter radix-8,bogo                  | unknown sorter 'bogo'; available: radix, simd-merge, arrays
          sorters --sorter gpu-bogo                      | unknown sorter 'bogo' of a GPU; available: network, radix
          build --corpus HERE --rounds 0                 | --rounds must be at least 1; got 0
          build --corpus HERE --threads 0                | --threads must be at least 1; got 0
          build --corpus HERE --memory 10m               | --memory must be at least 256 MiB; got 10.0 MiB
          build --corpus HERE --analyzer standart        | unknown analyzer 'standart'
          build --corpus HERE --json HERE/none/a.json    | cannot be written: there is no directory
          build --corpus HERE --json HERE                | cannot be written: it is a directory
          build --corpus HERE --rival bogo               | --rival
          build --corpus HERE --rival-jar HERE/a.jar     | --rival-jar is for --rival anserini and terrier
          build --corpus HERE --rival anserini --analyzer standard | Anserini's terms are those of --analyzer english
          extract --corpus HERE --output HERE/o --gzip   | are for large files; add --form
          extract --corpus HERE --output HERE/o --files 2 | are for large files; add --form
          extract --corpus HERE --output HERE/o --form trec --files 0 | --files must be at least 1; got 0
          extract --corpus HERE --output HERE/o --form trec --words -1 | --words must be at least 0; got -1
          extract --corpus HERE --output HERE/o --form trec --documents -1 | --documents must be at least 0; got -1
          sorters --json HERE/none/a.json                | cannot be written: there is no directory
          pipelines --corpus HERE --rounds 0             | --rounds must be at least 1; got 0
          pipelines --corpus HERE --threads 0            | --threads must be at least 1; got 0
          pipelines --corpus HERE --memory 255m          | --memory must be at least 256 MiB; got 255 MiB
          """)
  void whatCannotBeIsSaidBeforeAnythingBegins(String arguments, String reason) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine program = Commands.all().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    String[] call =
        ("experiment " + arguments.replace("HERE", directory.toString())).split(" +", -1);
    assertThat(Main.execute(program, Map.of(), call)).as(err.toString()).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains(reason);
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void aReportIsDrawnOnlyIfItIsOfThePaper() throws Exception {
    Path report = Files.writeString(directory.resolve("a.json"), "{}");
    Path output = directory.resolve("output");
    assertThat(drawn(report, output)).contains("is not a report that --paper with --output wrote");
    Files.writeString(
        report,
        "{\"paper\": \"other\", \"machine\": {}, \"figures\": [], \"tables\": [], \"findings\": []}");
    assertThat(drawn(report, output)).contains("is a report of another paper: other");
    assertThat(output).doesNotExist();
  }

  /** The errors of a command that is refused. */
  private static String drawn(Path report, Path output) {
    StringWriter err = new StringWriter();
    CommandLine program =
        Commands.all().setOut(new PrintWriter(new StringWriter())).setErr(new PrintWriter(err));
    String[] call = {
      "experiment",
      "sort",
      "--paper",
      "satish",
      "--from",
      report.toString(),
      "--output",
      output.toString()
    };
    assertThat(Main.execute(program, Map.of(), call)).isEqualTo(ExitCode.USAGE);
    return err.toString();
  }

  @Test
  void figuresAreWrittenWhereAFileIsOrCanBe() throws Exception {
    Path file = Files.writeString(directory.resolve("a.json"), "older");
    CommandLine program = Commands.all().setOut(new PrintWriter(new StringWriter()));
    String[] call = {
      "experiment",
      "sorters",
      "--sorter",
      "radix",
      "--keys",
      "16",
      "--rounds",
      "1",
      "--warm-up",
      "0",
      "--bits",
      "22",
      "--distribution",
      "zipf",
      "--json",
      file.toString()
    };
    assertThat(Main.execute(program, Map.of(), call)).isEqualTo(ExitCode.OK);
    assertThat(file).content().contains("\"sorter\" : \"radix\"");
  }
}
