package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kmodel.indexer.Thorough;
import io.kmodel.indexer.analysis.Analyzers;
import io.kmodel.indexer.analysis.IndexAnalysis;
import io.kmodel.indexer.equality.SampleDocuments;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.parse.ParsedDocument;
import io.kmodel.indexer.search.Bm25;
import io.kmodel.indexer.search.Hit;
import io.kmodel.indexer.search.SearchResult;
import io.kmodel.indexer.search.Searcher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real OpenSearch restores exports, answers from them as our search does, and changes them. */
@Thorough
class OpenSearchTest extends CommandCalls {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final int QUERIES = 400;
  private static final Pattern WORD = Pattern.compile("[a-z0-9]{1,20}");
  private static final List<String> IDS =
      List.of(
          "0",
          "7",
          "42",
          "1234567",
          "a",
          "ab",
          "abc",
          "abcd",
          "Zg",
          "Zh",
          "-_-_",
          "_w",
          "__8",
          "__4",
          "_f8",
          "http://example.org/?q=ü#x",
          "\uD83D\uDE00",
          "A1+/",
          "00",
          "٣");

  /** Analyzers that OpenSearch does not have. */
  private static final Set<String> UNKNOWN = Set.of("auto", "nepali", "serbian", "tamil", "telugu");

  @TempDir static Path shared;
  private static OpenSearchServer server;

  @BeforeAll
  static void startServer() throws Exception {
    server = new OpenSearchServer(shared);
  }

  @AfterAll
  static void stopServer() throws Exception {
    if (server != null) {
      server.close();
    }
  }

  private static List<ParsedDocument> documents() {
    List<ParsedDocument> documents = new ArrayList<>(SampleDocuments.awkward());
    documents.addAll(SampleDocuments.random(5, 300, 60));
    IDS.forEach(id -> documents.add(new ParsedDocument(id, "an id", "the id " + id)));
    return documents;
  }

  private Path build(List<ParsedDocument> documents, String... options) throws IOException {
    Path crawl = Files.createDirectory(directory.resolve("crawl-" + options.length));
    StringBuilder lines = new StringBuilder();
    for (ParsedDocument document : documents) {
      ObjectNode json = MAPPER.createObjectNode();
      json.put("id", document.id()).put("title", document.title());
      lines.append(json.put("contents", document.contents())).append('\n');
    }
    Files.writeString(crawl.resolve("documents.jsonl"), lines);
    Path index = directory.resolve("index-" + options.length);
    List<String> call =
        new ArrayList<>(List.of("build", crawl.toString(), "-o", index.toString(), "-q"));
    call.addAll(List.of(options));
    assertThat(run(call.toArray(String[]::new))).as(err.toString()).isZero();
    return index;
  }

  private void restore(Path index, String name, String... options) throws Exception {
    Path export = server.repositories().resolve(name);
    List<String> call =
        new ArrayList<>(
            List.of("export", "opensearch", index.toString(), export.toString(), "--name", name));
    call.addAll(List.of(options));
    assertThat(run(call.toArray(String[]::new))).as(err.toString()).isZero();
    assertThat(server.restore(export).at("/snapshot/shards/failed").intValue()).isZero();
  }

  private static JsonNode search(String name, String query) throws Exception {
    ObjectNode body = MAPPER.createObjectNode().put("size", 1000).put("_source", false);
    body.put("track_total_hits", true);
    body.putObject("query")
        .putObject("query_string")
        .put("query", query)
        .put("default_field", "contents");
    return server.request("POST", name + "/_search", body.toString()).get("hits");
  }

  private static int count(String name, String query) throws Exception {
    return search(name, query).at("/total/value").intValue();
  }

  @Test
  void metadataFiltersAndSortsAndNewDocumentsHaveItToo() throws Exception {
    Path lines = directory.resolve("metadata.jsonl");
    Files.writeString(
        lines,
        """
        {"id": "a", "contents": "a river", "kind": "big one", "year": 1999, "score": -0.5, "seen": "2020-05-01"}
        {"id": "b", "contents": "a sea", "kind": "small", "year": 2021, "score": 2.5}
        {"id": "c", "contents": "a lake", "year": 2005, "seen": "2021-01-02T03:04:05Z"}
        """);
    Path index = directory.resolve("metadata");
    String columns = "kind=kind,year=year:int,score=score:double,seen=seen:date";
    assertThat(
            run(
                "build",
                lines.toString(),
                "-o",
                index.toString(),
                "-q",
                "--json-metadata",
                columns))
        .as(err.toString())
        .isZero();
    restore(index, "metadata", "--check", "slow");
    assertThat(ids("kind:\"big one\"", "year")).containsExactly("a");
    assertThat(ids("year:[2000 TO 2021]", "score")).containsExactly("b", "c");
    assertThat(ids("seen:[2020-05-01 TO 2020-05-01]", "year")).containsExactly("a");
    assertThat(ids("score:<0", "year")).containsExactly("a");
    assertThat(ids("*", "seen")).containsExactly("a", "c", "b");
    assertThat(server.request("GET", "metadata/_doc/c", "").at("/_source"))
        .isEqualTo(
            MAPPER.readTree(
                """
                {"contents": "a lake", "title": "", "year": 2005, "seen": "2021-01-02T03:04:05Z"}
                """));
    server.request(
        "PUT",
        "metadata/_doc/d?refresh=true",
        """
        {"contents": "a pond", "kind": "big one", "year": 2004, "score": 3.5, "seen": "2022-01-01"}
        """);
    server.request("POST", "metadata/_forcemerge?max_num_segments=1", "");
    assertThat(ids("kind:\"big one\"", "year")).containsExactly("a", "d");
    assertThat(ids("*", "year")).containsExactly("a", "d", "c", "b");
    assertThat(ids("*", "seen")).containsExactly("a", "c", "d", "b");
    assertThat(ids("score:>2", "score")).containsExactly("b", "d");
  }

  /** The ids of the documents that a query finds, in order of a field. */
  private static List<String> ids(String query, String order) throws Exception {
    ObjectNode body = MAPPER.createObjectNode();
    body.putObject("query").putObject("query_string").put("query", query);
    body.put("sort", order);
    JsonNode hits = server.request("POST", "metadata/_search", body.toString()).at("/hits/hits");
    return hits.valueStream().map(hit -> hit.get("_id").textValue()).toList();
  }

  @Test
  void countsAndScoresAreThoseOfOurSearch() throws Exception {
    List<ParsedDocument> documents = documents();
    Path path = build(documents, "--field-analyzer", "title=english");
    restore(path, "scores", "--segments", "3", "--check", "slow");
    int found = 0;
    try (InvertedIndex index = InvertedIndex.open(path);
        Analyzer analyzer = IndexAnalysis.from(index.metadata().options()).newAnalyzer();
        Searcher ours = new Searcher(index, analyzer, Bm25.LUCENE)) {
      for (String query : queries(documents)) {
        SearchResult expected = ours.searchSyntax(query, 1000);
        JsonNode hits = search("scores", query);
        assertThat(hits.at("/total/value").longValue()).as(query).isEqualTo(expected.found());
        Map<String, Float> scores = new HashMap<>();
        hits.get("hits")
            .forEach(hit -> scores.put(hit.get("_id").asText(), hit.get("_score").floatValue()));
        assertThat(scores).as(query).hasSize(expected.hits().size());
        for (Hit hit : expected.hits()) {
          assertThat(scores.get(hit.id()))
              .as("%s of %s", query, hit.id())
              .isCloseTo(hit.score(), within(1e-5f * Math.max(1, hit.score())));
        }
        found += scores.isEmpty() ? 0 : 1;
      }
    }
    assertThat(found).isGreaterThan(QUERIES * 2 / 3);
  }

  private static List<String> queries(List<ParsedDocument> documents) {
    Random random = new Random(11);
    List<String> queries = new ArrayList<>(List.of("*:*", "title:the", "nowhere", "title:running"));
    while (queries.size() < QUERIES) {
      ParsedDocument document = documents.get(random.nextInt(documents.size()));
      List<String> words =
          WORD.matcher(document.contents()).results().limit(500).map(m -> m.group()).toList();
      if (words.size() > 2) {
        int at = random.nextInt(words.size() - 2);
        String other = words.get(random.nextInt(words.size()));
        queries.add(
            switch (random.nextInt(7)) {
              case 0 -> words.get(at);
              case 1 -> words.get(at) + " " + other;
              case 2 -> "\"%s %s\"".formatted(words.get(at), words.get(at + 1));
              case 3 -> "\"%s %s\"~4".formatted(words.get(at + 2), words.get(at));
              case 4 -> "+%s -%s".formatted(words.get(at), other);
              case 5 -> "title:%s^2 %s*".formatted(other, words.get(at));
              default -> "title:\"%s\" [%s TO %s]".formatted(other, words.get(at), other);
            });
      }
    }
    return queries;
  }

  @Test
  void everyDocumentIsFoundByItsId() throws Exception {
    Path index = build(documents(), "--store", "raw");
    restore(index, "ids");
    assertThat(
            server
                .request("GET", "_snapshot/ids/indexer", "")
                .at("/snapshots/0/metadata/producer")
                .textValue())
        .isEqualTo("indexer");
    assertThat(run("export", "ndjson", index.toString(), "-")).isZero();
    List<String> lines = out.toString().lines().toList();
    Map<String, JsonNode> expected = new HashMap<>();
    ObjectNode ids = MAPPER.createObjectNode();
    for (int i = 0; i < lines.size(); i += 2) {
      String id = MAPPER.readTree(lines.get(i)).at("/index/_id").asText();
      expected.put(id, MAPPER.readTree(lines.get(i + 1)));
      ids.withArray("ids").add(id);
    }
    assertThat(expected).hasSize(documents().size());
    int sequence = 0;
    for (JsonNode document : server.request("POST", "ids/_mget", ids.toString()).get("docs")) {
      assertThat(document.get("found").booleanValue()).as(document.toString()).isTrue();
      assertThat(document.get("_source")).isEqualTo(expected.get(document.get("_id").asText()));
      assertThat(document.get("_version").intValue()).isEqualTo(1);
      assertThat(document.get("_seq_no").intValue()).isEqualTo(sequence++);
    }
    assertThat(sequence).isEqualTo(expected.size());
    // Not the total, in which OpenSearch leaves out empty texts.
    assertThat(search("ids", "_exists_:title").get("hits")).hasSize(expected.size());
    assertThat(count("ids", "_id:42")).isEqualTo(1);
  }

  @Test
  void aRestoredIndexCanBeChanged() throws Exception {
    Path index = build(documents());
    restore(index, "changed");
    int documents = documents().size();
    String added = "{\"title\": \"new\", \"contents\": \"a zebra\"}";
    assertThat(server.request("PUT", "changed/_doc/first", added).get("_version").intValue())
        .isEqualTo(2);
    assertThat(server.request("PUT", "changed/_doc/zebra", added).get("_seq_no").intValue())
        .isEqualTo(documents + 1);
    server.request("POST", "changed/_update/42", "{\"doc\": {\"title\": \"zebra\"}}");
    server.request("DELETE", "changed/_doc/1234567", "");
    server.request("POST", "changed/_refresh", "");
    for (int round = 0; round < 3; round++) {
      assertThat(count("changed", "*:*")).isEqualTo(documents);
      assertThat(count("changed", "zebra")).isEqualTo(2);
      assertThat(count("changed", "contents:id AND title:zebra")).isEqualTo(1);
      assertThat(count("changed", "1234567")).isZero();
      assertThat(count("changed", "fox")).isEqualTo(1);
      if (round == 0) {
        server.request("POST", "changed/_forcemerge?max_num_segments=1&flush=true", "");
      } else {
        server.request("POST", "changed/_close", "");
        server.request("POST", "changed/_open?wait_for_active_shards=1", "");
      }
    }
    JsonNode second =
        server.request(
            "PUT",
            "_snapshot/changed/second?wait_for_completion=true",
            "{\"indices\": \"changed\"}");
    assertThat(second.at("/snapshot/state").asText()).isEqualTo("SUCCESS");
    assertThat(server.request("GET", "_snapshot/changed/_all", "").get("snapshots")).hasSize(2);
    server.request("PUT", "changed/_settings", "{\"index.blocks.write\": true}");
    server.request(
        "PUT",
        "changed/_split/shards?wait_for_active_shards=all",
        """
        {"settings": {"index.number_of_shards": 4, "index.number_of_replicas": 0,
          "index.blocks.write": null}}
        """);
    assertThat(count("shards", "*:*")).isEqualTo(documents);
    assertThat(count("shards", "zebra")).isEqualTo(2);
  }

  @Test
  void anIndexOfIdsAloneIsSearched() throws Exception {
    restore(build(documents(), "--store", "id", "--positions=false"), "alone");
    assertThat(count("alone", "fox")).isEqualTo(2);
    JsonNode hit = server.request("GET", "alone/_doc/42", "");
    assertThat(hit.get("found").booleanValue()).isTrue();
    assertThat(hit.has("_source")).isFalse();
    server.request("PUT", "alone/_doc/fox?refresh=true", "{\"contents\": \"fox\"}");
    assertThat(count("alone", "fox")).isEqualTo(3);
  }

  @Test
  void aMappingGivesAnAnalyzerThatOpenSearchDoesNotHave() throws Exception {
    Path words = Files.writeString(directory.resolve("words"), "fox\n");
    Path mapping =
        Files.writeString(
            directory.resolve("mapping.json"),
            """
            {"settings": {"number_of_replicas": 0, "analysis": {"analyzer": {"foxless":
                {"type": "standard", "stopwords": ["fox"]}}}},
              "mappings": {"properties": {
                "title": {"analyzer": "foxless"},
                "contents": {"analyzer": "foxless", "fielddata": true},
                "added": {"type": "keyword"}}}}
            """);
    Path index = build(documents(), "--stop-words", words.toString());
    restore(index, "foxless", "--mapping", mapping.toString());
    assertThat(count("foxless", "fox")).isZero();
    assertThat(count("foxless", "\"the jumps\"")).isZero();
    assertThat(count("foxless", "\"the fox jumps\"")).isEqualTo(1);
    server.request("PUT", "foxless/_doc/fox?refresh=true", "{\"contents\": \"fox\"}");
    assertThat(count("foxless", "fox")).isZero();
  }

  @Test
  void analyzersOfTheSameNameGiveTheSameTokens() throws Exception {
    String text =
        documents().get(6).contents()
            + " The running foxes' l'été der Häuser größten las canciones corriendo"
            + " книгами бегущий 漢字かな भारत के लोग الكتاب والمدرسة ελληνική γλώσσα İstanbul'da"
            + " evlerinden ihmisten kissoille böckerna hestene könyvekben câinilor";
    int compared = 0;
    for (String name : Analyzers.names()) {
      if (!UNKNOWN.contains(name)) {
        ObjectNode body = MAPPER.createObjectNode().put("analyzer", name).put("text", text);
        List<String> theirs = new ArrayList<>();
        server
            .request("POST", "_analyze", body.toString())
            .get("tokens")
            .forEach(token -> theirs.add(token.get("token").asText() + token.get("position")));
        assertThat(theirs).as(name).isEqualTo(tokens(name, text));
        compared++;
      }
    }
    assertThat(compared).isEqualTo(Analyzers.names().size() - UNKNOWN.size());
  }

  private static List<String> tokens(String name, String text) throws IOException {
    List<String> tokens = new ArrayList<>();
    try (Analyzer analyzer = Analyzers.named(name);
        TokenStream stream = analyzer.tokenStream("", text)) {
      CharTermAttribute term = stream.addAttribute(CharTermAttribute.class);
      PositionIncrementAttribute step = stream.addAttribute(PositionIncrementAttribute.class);
      stream.reset();
      int position = -1;
      while (stream.incrementToken()) {
        position += step.getPositionIncrement();
        tokens.add(term.toString() + position);
      }
    }
    return tokens;
  }
}
