package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.base.Splitter;
import io.kmodel.indexer.cli.base.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code --language auto}: documents that are analyzed by their languages, as a user has them. */
class LanguageCommandsTest extends CommandCalls {
  private String index = "";

  @BeforeEach
  void build() throws IOException {
    Path texts =
        Files.writeString(
            directory.resolve("texts.jsonl"),
            """
            {"id":"en","contents":"The runner was running past the state of the art bridges, and shoes for runners are sold here every day."}
            {"id":"de","contents":"Der Fluss fließt an der alten Stadt und ihren Häusern vorbei, und die Brücken sind sehr alt und schön gebaut."}
            {"id":"fr","contents":"Les chevaux traversent la vieille ville et ses ponts pendant que les habitants regardent les rivières."}
            {"id":"ja","contents":"東京都は日本の首都であり、世界でも最大級の都市の一つです。多くの人々がここで働いています。"}
            {"id":"none","contents":"404 pages"}
            """);
    index = directory.resolve("index").toString();
    assertThat(
            run(
                "build",
                texts.toString(),
                "-o",
                index,
                "--language",
                "auto",
                "--store",
                "contents"))
        .as(err.toString())
        .isEqualTo(ExitCode.OK);
  }

  @Test
  void aQueryFindsDocumentsOfEachLanguage() throws IOException {
    assertFinds("run", "en", "[running]");
    assertFinds("Haus", "de", "[Häusern]");
    assertFinds("cheval", "fr", "[chevaux]");
    assertFinds("\"東京都\"", "ja", "[東京都]");
    assertFinds("pages", "none", "[pages]");
    assertFinds("\"state of the art\"", "en", "of the");
    assertFinds("+häuser +brücke -pferd", "de", "[Brücken]");
  }

  private void assertFinds(String query, String id, String snippet) throws IOException {
    List<JsonNode> hits = hits(query);
    assertThat(hits).extracting(hit -> hit.get("id").asText()).as(query).containsExactly(id);
    assertThat(hits.getFirst().get("snippet").asText()).contains(snippet);
  }

  @Test
  void wordsOfSeveralLanguagesFindDocumentsOfAll() throws IOException {
    assertThat(hits("running häuser chevaux"))
        .extracting(hit -> hit.get("id").asText())
        .containsExactlyInAnyOrder("en", "de", "fr");
    Path topics = Files.writeString(directory.resolve("topics.tsv"), "1\trunning häuser\n");
    Path runFile = directory.resolve("a.run");
    for (List<String> more : List.of(List.<String>of(), List.of("--expand", "rm3"))) {
      List<String> call =
          new ArrayList<>(
              List.of("search", index, "--topics", topics.toString(), "--run", runFile.toString()));
      call.addAll(more);
      assertThat(run(call.toArray(String[]::new))).as(err.toString()).isEqualTo(ExitCode.OK);
      assertThat(Files.readAllLines(runFile))
          .extracting(line -> Splitter.on(' ').splitToList(line).get(2))
          .containsExactlyInAnyOrder("en", "de");
    }
  }

  @Test
  void documentsThatAreAddedAreAnalyzedInTheSameWay() throws IOException {
    Path more =
        Files.writeString(
            directory.resolve("more.jsonl"),
            "{\"id\":\"d2\",\"contents\":\"Die Häuser am Hafen sind sehr alt und werden schon lange nicht mehr von den Menschen bewohnt.\"}\n");
    assertThat(run("append", index, more.toString())).as(err.toString()).isEqualTo(ExitCode.OK);
    assertThat(hits("haus"))
        .extracting(hit -> hit.get("id").asText())
        .containsExactlyInAnyOrder("de", "d2");
    assertThat(run("stats", index)).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("analyzer   auto").contains("detected-language");
  }

  /** The export compares lengths, which other analyzers would not give. */
  @Test
  void termVectorsAreMadeByTheLanguagesOfDocuments() {
    String lucene = directory.resolve("lucene").toString();
    assertThat(run("export", "lucene", index, lucene, "--term-vectors"))
        .as(err.toString())
        .isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("5 documents");
  }

  @Test
  void whatCannotBeIsRefused() throws IOException {
    Path corpus = Files.createDirectory(directory.resolve("corpus"));
    assertThat(run("experiment", "build", "--corpus", corpus.toString(), "--analyzer", "auto"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("rivals have one analyzer for all documents, not auto");
    Path ciff = Files.writeString(directory.resolve("a.ciff"), "x");
    assertThat(
            run(
                "import",
                "ciff",
                ciff.toString(),
                "-o",
                directory.resolve("imported").toString(),
                "--language",
                "auto"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("a CIFF file does not say in which languages");
    assertThat(
            run(
                "build",
                corpus.toString(),
                "-o",
                index + "2",
                "--language",
                "auto",
                "--stop-words"))
        .isEqualTo(ExitCode.USAGE);
  }

  private List<JsonNode> hits(String query) throws IOException {
    assertThat(run("search", index, query, "--json")).as(err.toString()).isEqualTo(ExitCode.OK);
    List<JsonNode> hits = new ArrayList<>();
    new ObjectMapper().readTree(out.toString()).get("hits").forEach(hits::add);
    return hits;
  }
}
