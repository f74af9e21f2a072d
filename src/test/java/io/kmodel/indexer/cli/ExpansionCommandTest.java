package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ObjectArrays;
import io.kmodel.indexer.cli.base.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Expanded queries from the command line. */
class ExpansionCommandTest extends CommandCalls {
  private String index = "";

  @BeforeEach
  void build() throws IOException {
    StringBuilder lines = new StringBuilder();
    lines.append("{\"id\": \"z-nest\", \"contents\": \"heron nest\", \"year\": 1}\n");
    lines.append("{\"id\": \"reed\", \"contents\": \"heron reed\", \"year\": 2}\n");
    lines.append("{\"id\": \"more\", \"contents\": \"reed bed\", \"year\": 2}\n");
    for (int i = 0; i < 20; i++) {
      lines.append("{\"id\": \"d%d\", \"contents\": \"lake bed\", \"year\": 3}\n".formatted(i));
    }
    Files.writeString(directory.resolve("lines.jsonl"), lines);
    index = build("made", "--json-metadata", "year=year:int");
  }

  private String build(String name, String... options) {
    String made = directory.resolve(name).toString();
    String lines = directory.resolve("lines.jsonl").toString();
    String[] call = {"build", lines, "-o", made, "--threads", "1", "-q"};
    assertThat(run(ObjectArrays.concat(call, options, String.class)))
        .as(err.toString())
        .isEqualTo(ExitCode.OK);
    return made;
  }

  private int search(String... options) {
    return run(ObjectArrays.concat(new String[] {"search", index}, options, String.class));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--expand=rm3|heron 0.750, nest 0.125, reed 0.125|z-nest reed more",
        "--expand=rm3 --expand-documents=1|heron 0.750, nest 0.250|z-nest reed",
        "--expand=rm3 --expand-documents=1 --ties=id|heron 0.750, reed 0.250|reed z-nest more",
        "--expand=rm3 --expand-terms=1|heron 1.000|z-nest reed",
        "--expand=RM3 --original-weight=0|heron 0.500, nest 0.250, reed 0.250|z-nest reed more",
        "--expand=rm3 --filter=year:2|heron 0.750, reed 0.250|reed more"
      })
  void queriesAndTopicsAreExpanded(String options, String words, String ids) throws IOException {
    String[] given = options.split(" ", -1);
    assertThat(search(ObjectArrays.concat("heron", given))).as(err.toString()).isZero();
    assertThat(out.toString().lines().skip(1).findFirst()).contains("expanded to " + words);
    Path topics = Files.writeString(directory.resolve("topics"), "7\theron\n");
    String[] call = {"--topics", topics.toString(), "--run", "-"};
    assertThat(search(ObjectArrays.concat(call, given, String.class))).as(err.toString()).isZero();
    assertThat(out.toString().lines().map(line -> line.split(" ", -1)[2]))
        .containsExactly(ids.split(" ", -1));
  }

  @Test
  void theWordsArePartOfAnAnswerInJson() throws IOException {
    assertThat(search("heron", "--expand", "rm3", "--json")).isZero();
    assertThat(new ObjectMapper().readTree(out.toString()).get("expansion").toString())
        .isEqualTo("{\"heron\":0.75,\"nest\":0.125,\"reed\":0.125}");
    assertThat(search("heron", "--json")).isZero();
    assertThat(out.toString()).doesNotContain("expansion");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--expand-terms=5|--expand-terms has no effect without --expand, which is not given",
        "--original-weight=0.1|--original-weight has no effect without --expand, which is not given",
        "--expand=rm3 --expand-terms=0|--expand-terms must be at least 1; got 0",
        "--expand=rm3 --expand-documents=0|--expand-documents must be at least 1; got 0",
        "--expand=rm3 --original-weight=2|--original-weight must be 0 to 1; got 2.0",
        "--expand=rm3 --fields=title,contents|queries of several fields cannot be expanded; got title",
        "--expand=rm4|Invalid value for option '--expand'"
      })
  void mistakesAreNamed(String options, String message) {
    assertThat(search(ObjectArrays.concat("heron", options.split(" ", -1))))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).startsWith("indexer: " + message);
  }

  @Test
  void contentsMustBeStored() {
    index = build("ids", "--store", "id");
    assertThat(search("heron", "--expand", "rm3")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .isEqualTo(
            "indexer: %s does not store contents, whose words expand queries; build it with"
                    .formatted(index)
                + " --store=contents\n");
  }

  @Test
  void aTopicThatCannotBeExpandedIsNamedAndTheOthersAreAnswered() throws IOException {
    assertThat(search("+heron", "--expand", "rm3")).isEqualTo(ExitCode.USAGE);
    Path topics = Files.writeString(directory.resolve("topics"), "7\theron\n8\t+heron -reed\n");
    String[] call = {
      "--topics", topics.toString(), "--run", "-", "--syntax", "lucene", "--expand", "rm3"
    };
    assertThat(search(call)).isEqualTo(ExitCode.INCOMPLETE);
    assertThat(out.toString().lines().map(line -> line.split(" ", -1)[0]).distinct())
        .containsExactlyElementsOf(List.of("7"));
    assertThat(err.toString())
        .startsWith(
            "indexer: warning: topic 8 was not answered: a query is expanded only if it consists of"
                + " words in contents, without operators; got '");
  }
}
