package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kmodel.indexer.cli.base.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an index holds of a document, and the output of commands as JSON. */
class DocumentCommandTest extends CommandCalls {
  private static final ObjectMapper JSON = new ObjectMapper();

  private String made = "";

  @BeforeEach
  void build() throws IOException {
    Path lines = directory.resolve("lines.jsonl");
    Files.writeString(
        lines,
        """
        {"id": "a", "title": "River", "contents": "the river\\nand the sea\\u001b"}
        {"id": "b", "title": "", "contents": "a sea"}
        {"id": "a", "title": "Again", "contents": "another a"}
        """);
    made = directory.resolve("made").toString();
    assertThat(run("build", lines.toString(), "-o", made, "--threads", "1", "-q"))
        .as(err.toString())
        .isZero();
  }

  @Test
  void allDocumentsOfAnIdAreShown() {
    assertThat(run("document", made, "a")).isZero();
    assertThat(out.toString().lines())
        .containsExactly(
            "document  0",
            "length    5 in contents",
            "length    1 in title",
            "contents",
            "  the river",
            "  and the sea\\x1b",
            "id        a",
            "title     River",
            "document  2",
            "length    2 in contents",
            "length    1 in title",
            "contents  another a",
            "id        a",
            "title     Again");
    assertThat(run("document", made, "b", "c")).isEqualTo(ExitCode.INCOMPLETE);
    assertThat(out.toString()).contains("document  1\n");
    assertThat(err.toString()).contains("no document has the id 'c'");
  }

  @Test
  void aFieldIsPrintedAsItIs() {
    assertThat(run("document", made, "0", "1", "--number", "--field", "contents")).isZero();
    assertThat(out.toString()).isEqualTo("the river\nand the sea\u001b\na sea\n");
    assertThat(run("document", made, "a", "--field", "raw")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains("the index does not store the field 'raw'; it stores [contents, id, title]");
    for (String wrong : List.of("3", "-1", "x")) {
      assertThat(run("document", made, "--number", "--", wrong)).isEqualTo(ExitCode.USAGE);
      assertThat(err.toString()).contains("the index has the documents 0 to 2; got '" + wrong);
    }
  }

  @Test
  void documentsTermsAndPostingsAreObjectsOfJson() throws IOException {
    assertThat(run("document", made, "b", "--json")).isZero();
    assertThat(objects())
        .containsExactly(
            JSON.readTree(
                """
                {"document": 1, "fields": {"contents": "a sea", "id": "b", "title": ""},
                 "lengths": {"contents": 2, "title": 0}}
                """));
    assertThat(run("terms", made, "a", "--json", "--limit", "2")).isZero();
    assertThat(objects())
        .containsExactly(
            JSON.readTree("{\"term\": \"a\", \"documents\": 2, \"occurrences\": 2}"),
            JSON.readTree("{\"term\": \"and\", \"documents\": 1, \"occurrences\": 1}"));
    assertThat(run("postings", made, "the", "--json")).isZero();
    assertThat(objects())
        .containsExactly(
            JSON.readTree(
                """
                {"document": 0, "id": "a", "occurrences": 2, "length": 5, "positions": [0, 3]}
                """));
  }

  private List<JsonNode> objects() throws IOException {
    try (var read = JSON.readerFor(JsonNode.class).<JsonNode>readValues(out.toString())) {
      return read.readAll();
    }
  }
}
