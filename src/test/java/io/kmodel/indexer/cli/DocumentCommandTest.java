package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
        {"id": "a", "title": "River", "year": 1999, "contents": "the river\\nand the sea\\u001b"}
        {"id": "b", "title": "", "contents": "a sea"}
        {"id": "a", "title": "Again", "contents": "another a"}
        """);
    made = directory.resolve("made").toString();
    assertThat(
            run(
                "build",
                lines.toString(),
                "-o",
                made,
                "--threads",
                "1",
                "-q",
                "--json-metadata",
                "year=year:int"))
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
            "year      1999",
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
                 "lengths": {"contents": 2, "title": 0}, "metadata": {}}
                """));
    assertThat(run("document", made, "0", "--number", "--json")).isZero();
    assertThat(objects().getFirst().get("metadata"))
        .isEqualTo(JSON.readTree("{\"year\": \"1999\"}"));
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

  @Test
  void theAnswerToAQueryIsOneObjectOfJson() throws IOException {
    String[] call = {"search", made, "sea river", "--json", "--show", "year"};
    assertThat(run(call)).as(err.toString()).isZero();
    JsonNode answer = objects().getFirst();
    assertThat(objects()).hasSize(1);
    assertThat(answer.at("/hits/0/score").asDouble())
        .isGreaterThan(answer.at("/hits/1/score").asDouble());
    answer.get("hits").forEach(hit -> ((ObjectNode) hit).remove("score"));
    assertThat(answer)
        .isEqualTo(
            JSON.readTree(
                """
                {"query": "sea river", "found": 2, "exact": true, "hits": [
                 {"rank": 1, "document": 0, "id": "a", "title": "River",
                  "snippet": "the [river] and the [sea]\\u001b", "metadata": {"year": "1999"}},
                 {"rank": 2, "document": 1, "id": "b", "snippet": "a [sea]"}]}
                """));
    assertThat(run("search", made, "nowhere", "--json")).isEqualTo(ExitCode.INCOMPLETE);
    assertThat(objects())
        .containsExactly(
            JSON.readTree("{\"query\": \"nowhere\", \"found\": 0, \"exact\": true, \"hits\": []}"));
    String topics = Files.writeString(directory.resolve("topics"), "1\tsea\n").toString();
    assertThat(run("search", made, "--topics", topics, "--run", "-", "--json"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--json needs a QUERY: topics are answered by a run");
  }

  @Test
  void theVerdictOnAnIndexIsAnObjectOfJson() throws IOException {
    assertThat(run("verify", made, "--json")).isZero();
    JsonNode intact = objects().getFirst();
    assertThat(intact.get("index").asText()).isEqualTo(made);
    assertThat(intact.get("verdict").asText()).isEqualTo("intact");
    assertThat(intact.get("problems")).isEmpty();
    assertThat(intact.at("/read/documents").asInt()).isEqualTo(3);
    assertThat(intact.at("/read/files").valueStream().map(JsonNode::asText))
        .contains("index.json", "documents.data")
        .allMatch(name -> Files.exists(Path.of(made, name)));
    assertThat(intact.has("searched")).isFalse();
    assertThat(run("verify", made, "--json", "--deep", "--quiet")).isZero();
    assertThat(err.toString()).isEmpty();
    assertThat(objects().getFirst().at("/searched/sharedIds").asInt()).isEqualTo(1);
    Path documents = Path.of(made, "documents.data");
    byte[] bytes = Files.readAllBytes(documents);
    bytes[bytes.length / 2] ^= 1;
    Files.write(documents, bytes);
    assertThat(run("verify", made, "--json")).isEqualTo(ExitCode.FAILED);
    JsonNode damaged = objects().getFirst();
    assertThat(damaged.get("verdict").asText()).isEqualTo("damaged");
    assertThat(damaged.at("/problems/0").asText()).contains("documents.data: ");
    assertThat(err.toString()).isEqualTo("indexer: " + damaged.at("/problems/0").asText() + "\n");
    assertThat(damaged.has("read")).isFalse();
    Files.delete(documents);
    assertThat(run("verify", made, "--json")).isEqualTo(ExitCode.FAILED);
    assertThat(objects().getFirst().at("/problems/0").asText())
        .isEqualTo("no such file: " + documents);
  }

  private List<JsonNode> objects() throws IOException {
    try (var read = JSON.readerFor(JsonNode.class).<JsonNode>readValues(out.toString())) {
      return read.readAll();
    }
  }
}
