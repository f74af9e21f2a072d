package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.cli.command.Commands;
import io.kmodel.indexer.cli.command.CompletionCommand;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** What bash completes: commands, and options' values. */
class CompletionTest extends CommandCalls {
  /** In the script, the list of an option's values is called by its label. */
  @Test
  void noCommandHasTwoOptionsWithValuesAndOneLabel() {
    assertLabels(Commands.all());
  }

  private static void assertLabels(CommandLine command) {
    Map<String, String> options = new HashMap<>();
    for (OptionSpec option : command.getCommandSpec().options()) {
      if (option.completionCandidates() != null) {
        String other = options.put(option.paramLabel(), option.longestName());
        assertThat(other)
            .as("%s %s", command.getCommandSpec().qualifiedName(), option.longestName())
            .isNull();
      }
    }
    command.getSubcommands().values().forEach(CompletionTest::assertLabels);
  }

  @ParameterizedTest
  @CsvSource({
    "--docno, uri record-id trec-id path path-stem",
    "--duplicates, keep skip error",
    "--near-duplicates, keep report skip",
    "--store, none id contents raw",
    "--log, text json",
    "--format, auto html text warc arc wet trec jsonl json vectors tsv beir parquet",
    "--check, none checksums content slow"
  })
  void valuesAreThoseOfTheOptionAsTheHelpHasThem(String option, String values) throws Exception {
    assertThat(completed(CompletionCommand.script("indexer"), "build", option, ""))
        .containsExactlyInAnyOrder(values.split(" "));
  }

  @Test
  void bashReadsWhatIsPrintedAndCompletesACommand() throws Exception {
    assertThat(run("completion")).isEqualTo(ExitCode.OK);
    assertThat(completed(out.toString(), "eval")).containsExactly("evaluate");
  }

  /** What bash makes of the last of the words of a call. */
  private String[] completed(String completion, String... words) throws Exception {
    Path script = Files.writeString(directory.resolve("completion"), completion);
    String ask =
        "source \"$1\"; shift; compopt() { :; }; COMP_WORDS=(indexer \"$@\"); COMP_CWORD=$#;"
            + " COMP_LINE=\"indexer $*\"; _complete_indexer; echo \"${COMPREPLY[@]}\"";
    List<String> call = new ArrayList<>(List.of("bash", "-c", ask, "bash", script.toString()));
    call.addAll(List.of(words));
    Process bash = new ProcessBuilder(call).redirectErrorStream(true).start();
    String reply = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return reply.strip().split(" ");
  }
}
