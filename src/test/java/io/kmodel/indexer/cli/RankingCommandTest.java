package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ObjectArrays;
import io.kmodel.indexer.cli.base.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The order of documents with the same score, from the command line. */
class RankingCommandTest extends CommandCalls {
  private String index = "";
  private Path lines = Path.of("");

  @BeforeEach
  void build() throws IOException {
    lines =
        Files.writeString(
            directory.resolve("lines.jsonl"),
            """
            {"id": "d", "contents": "the river", "year": 1}
            {"id": "b", "contents": "the river", "year": 2}
            {"id": "a", "contents": "the river", "year": 1}
            {"id": "e", "contents": "river river", "year": 1}
            {"id": "c", "contents": "the river", "year": 1}
            """);
    index = build("made");
  }

  private String build(String name, String... options) {
    String made = directory.resolve(name).toString();
    String[] call = {
      "build",
      lines.toString(),
      "-o",
      made,
      "--threads",
      "1",
      "-q",
      "--json-metadata",
      "year=year:int"
    };
    assertThat(run(ObjectArrays.concat(call, options, String.class)))
        .as(err.toString())
        .isEqualTo(ExitCode.OK);
    return made;
  }

  private List<String> idsOf(String query, String... options) throws IOException {
    Path topics = Files.writeString(directory.resolve("topics"), "7\t" + query + "\n");
    String run = directory.resolve("run").toString();
    String[] call = {"search", index, "--topics", topics.toString(), "--run", run};
    assertThat(run(ObjectArrays.concat(call, options, String.class)))
        .as(err.toString())
        .isEqualTo(ExitCode.OK);
    return Files.readAllLines(Path.of(run)).stream().map(line -> line.split(" ", -1)[2]).toList();
  }

  @Test
  void runsHaveTheOrderOfIdsIfAsked() throws IOException {
    assertThat(idsOf("river")).containsExactly("e", "d", "b", "a", "c");
    assertThat(idsOf("river", "--ties", "number", "--top", "3")).containsExactly("e", "d", "b");
    assertThat(idsOf("river", "--ties", "id")).containsExactly("e", "a", "b", "c", "d");
    assertThat(idsOf("river", "--ties", "ID", "--top", "3")).containsExactly("e", "a", "b");
    assertThat(idsOf("river", "--ties", "id", "--top", "3", "--filter", "year:1"))
        .containsExactly("e", "a", "c");
  }

  @Test
  void aQueryIsAnsweredInThatOrder() {
    assertThat(run("search", index, "river", "--ties", "id", "--top", "2")).isZero();
    assertThat(out.toString())
        .startsWith("5 documents for 'river'")
        .contains("  1. e  (", "  2. a  (")
        .doesNotContain("  3. ");
  }

  @Test
  void idsMustBeStored() {
    String without = build("without", "--store", "none");
    assertThat(run("search", without, "river", "--ties", "id")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .isEqualTo(
            "indexer: %s does not store ids, so they cannot decide ties; build it with --store=id or"
                    .formatted(without)
                + " --store=contents\n");
    assertThat(run("search", index, "river", "--ties", "title")).isEqualTo(ExitCode.USAGE);
  }
}
