package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** What bash completes of options' values. */
class CompletionTest {
  @TempDir Path directory;

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
    "--docno, uri record-id trec-id path",
    "--duplicates, keep skip error",
    "--store, none id contents raw",
    "--log, text json",
    "--format, auto html text warc arc wet trec jsonl json tsv beir",
    "--check, none checksums content slow"
  })
  void valuesAreThoseOfTheOptionAsTheHelpHasThem(String option, String values) throws Exception {
    Path script =
        Files.writeString(directory.resolve("completion"), CompletionCommand.script("indexer"));
    String call =
        "source \"$1\"; compopt() { :; }; COMP_WORDS=(indexer build \"$2\" ''); COMP_CWORD=3;"
            + " COMP_LINE=\"indexer build $2 \"; _complete_indexer; echo \"${COMPREPLY[@]}\"";
    Process bash =
        new ProcessBuilder("bash", "-c", call, "bash", script.toString(), option)
            .redirectErrorStream(true)
            .start();
    String reply = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(reply.strip().split(" ")).containsExactlyInAnyOrder(values.split(" "));
  }
}
