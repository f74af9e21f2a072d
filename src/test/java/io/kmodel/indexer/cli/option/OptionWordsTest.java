package io.kmodel.indexer.cli.option;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.cli.CommandCalls;
import io.kmodel.indexer.cli.base.ExitCode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Values that are not of an option's type are refused in the words of the command line. */
class OptionWordsTest extends CommandCalls {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          build x -o y --threads two       | '--threads': 'two' is not a whole number
          build x -o y --threads 5000000000| '--threads': '5000000000' is not in the range of numbers
          build x -o y --store texts       | 'texts' is not one of none, id, contents, raw
          build x -o y --store contnts     | raw; did you mean 'contents'?
          build x -o y --docno trecid      | not one of uri, record-id, trec-id, path, path-stem; did you mean 'trec-id'?
          build x -o y --positions=maybe   | 'maybe' is not true or false
          search x q --mu many             | 'many' is not a number
          help buld                        | there is no command 'buld'; did you mean 'build'?
          help zzz                         | there is no command 'zzz'
          """)
  void aValueOfAnotherTypeIsNamed(String call, String message) {
    assertThat(run(call.split(" "))).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains(message)
        .doesNotContain("an int", "case-insensitive", "CONTENTS", "Unknown subcommand");
  }
}
