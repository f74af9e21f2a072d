package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.base.Splitter;
import com.google.common.collect.ObjectArrays;
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
            {"id":"plan","contents":"The plan for the old city was made by three men who never lived there, and it was not followed."}
            {"id":"planet","contents":"Each planet of the sun has been visited by a probe, and they have sent us many pictures of the surface."}
            {"id":"none","contents":"404 pages"}
            """);
    index = directory.resolve("index").toString();
    succeed("build", texts.toString(), "-o", index, "--language", "auto", "--store", "contents");
  }

  @Test
  void aQueryFindsDocumentsOfEachLanguage() throws IOException {
    assertFinds("run", "[running]", "en");
    assertFinds("Haus", "[Häusern]", "de");
    assertFinds("cheval", "[chevaux]", "fr");
    assertFinds("\"東京都\"", "[東京都]", "ja");
    assertFinds("404", "[404]", "none");
    assertFinds("\"state of the art\"", "of the", "en");
    assertFinds("+häuser +brücke -pferd", "[Brücken]", "de");
    assertFinds("brück*", "[Brücken]", "de");
    assertFinds("title:x +häuser", "[Häusern]", "de");
  }

  /** French and German make "plan" of "planet", but not in English documents. */
  @Test
  void aDocumentIsFoundByItsOwnLanguagesTermsOnly() throws IOException {
    assertFinds("planet", "[planet]", "planet");
    assertFinds("plan", "[plan]", "plan");
    assertThat(run("search", index, "running -runs")).isEqualTo(ExitCode.INCOMPLETE);
    assertThat(run("search", index, "+haus -brücke")).isEqualTo(ExitCode.INCOMPLETE);
    assertThat(run("search", index, "the")).as("a stop word").isEqualTo(ExitCode.INCOMPLETE);
  }

  /** Scores are those of the same documents in an index of one analyzer, if terms are the same. */
  @Test
  void aDocumentScoresByItsOwnTerms() throws IOException {
    JsonNode two = hits("planet 404").getFirst();
    assertThat(two.get("score").floatValue())
        .isEqualTo(hits("404").getFirst().get("score").floatValue());
    assertThat(hits("planet planet").getFirst().get("score").floatValue())
        .isEqualTo(2 * hits("planet").getFirst().get("score").floatValue());
  }

  private void assertFinds(String query, String snippet, String id) throws IOException {
    List<JsonNode> hits = hits(query);
    assertThat(hits).extracting(hit -> hit.get("id").asText()).as(query).containsExactly(id);
    assertThat(hits.getFirst().get("snippet").asText()).contains(snippet);
  }

  @Test
  void wordsOfSeveralLanguagesFindDocumentsOfAll() throws IOException {
    assertThat(hits("running häuser chevaux"))
        .extracting(hit -> hit.get("id").asText())
        .containsExactlyInAnyOrder("en", "de", "fr");
    // Of each word, most languages have a form that no document has.
    String many = "häuser " + "running chevaux stadt city ".repeat(150);
    assertThat(hits(many)).hasSizeGreaterThan(2);
    Path topics =
        Files.writeString(
            directory.resolve("topics.tsv"), "1\trunning häuser\n2\tplanet\n3\t" + many + "\n");
    Path runFile = directory.resolve("a.run");
    String[] call = {"search", index, "--topics", topics.toString(), "--run", runFile.toString()};
    succeed(call);
    assertThat(Files.readAllLines(runFile))
        .extracting(line -> Splitter.on(' ').splitToList(line))
        .filteredOn(line -> !line.getFirst().equals("3"))
        .extracting(line -> line.getFirst() + " " + line.get(2))
        .containsExactlyInAnyOrder("1 en", "1 de", "2 planet");
    assertThat(run(with(call, "--expand", "rm3"))).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("whose documents are analyzed by their languages");
  }

  @Test
  void documentsThatAreAddedAreAnalyzedInTheSameWay() throws IOException {
    Path more =
        Files.writeString(
            directory.resolve("more.jsonl"),
            "{\"id\":\"d2\",\"contents\":\"Die Häuser am Hafen sind sehr alt und werden schon lange nicht mehr von den Menschen bewohnt.\"}\n");
    succeed("append", index, more.toString());
    assertThat(hits("haus"))
        .extracting(hit -> hit.get("id").asText())
        .containsExactlyInAnyOrder("de", "d2");
    succeed("stats", index);
    assertThat(out.toString()).contains("analyzer   auto").contains("detected-language");
  }

  /** The export compares lengths, which other analyzers would not give. */
  @Test
  void termVectorsAreMadeByTheLanguagesOfDocuments() {
    String lucene = directory.resolve("lucene").toString();
    succeed("export", "lucene", index, lucene, "--term-vectors", "--check", "slow");
    assertThat(out.toString()).contains("7 documents");
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

  private static String[] with(String[] call, String... more) {
    return ObjectArrays.concat(call, more, String.class);
  }

  private List<JsonNode> hits(String query) throws IOException {
    succeed("search", index, query, "--json");
    List<JsonNode> hits = new ArrayList<>();
    new ObjectMapper().readTree(out.toString()).get("hits").forEach(hits::add);
    return hits;
  }
}
