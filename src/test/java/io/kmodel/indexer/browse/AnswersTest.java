package io.kmodel.indexer.browse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.analysis.Analyzers;
import io.kmodel.indexer.browse.BrowsedSite.Kind;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.TermCursor;
import io.kmodel.indexer.index.documents.StoredTexts;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.postings.PostingList;
import io.kmodel.indexer.index.verify.CorpusAnalysis;
import io.kmodel.indexer.index.verify.CorpusStatistics;
import io.kmodel.indexer.index.verify.IndexNumbers;
import io.kmodel.indexer.search.Bm25;
import io.kmodel.indexer.search.Hit;
import io.kmodel.indexer.search.SearchResult;
import io.kmodel.indexer.search.Searcher;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.util.SmallFloat;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is answered of one index, by it and by its export in three segments. */
class AnswersTest {
  private static final List<String> QUERIES =
      List.of(
          "river",
          "river \"flood plain\" heron",
          "+river -heron",
          "ri* heron~1",
          "title:river^2 meander",
          "(river OR bank) AND stone",
          "id:\"about.txt\"",
          "nowhere");

  @TempDir static Path directory;

  private static InvertedIndex index;

  /** First of ours, then of the Lucene index. */
  private static final List<BrowsedIndex> OPENED = new ArrayList<>();

  private static final List<Requests> REQUESTS = new ArrayList<>();

  @BeforeAll
  static void open() throws Exception {
    Path ours = directory.resolve("ours");
    Path lucene = directory.resolve("lucene");
    BrowsedSite.build(BrowsedSite.SITE, ours);
    BrowsedSite.export(ours, lucene);
    index = InvertedIndex.open(ours);
    for (Path path : List.of(ours, lucene)) {
      BrowsedIndex opened = BrowsedIndex.open(path, null);
      OPENED.add(opened);
      REQUESTS.add(new Requests(opened));
    }
  }

  @AfterAll
  static void close() throws Exception {
    for (Requests requests : REQUESTS) {
      requests.close();
    }
    for (BrowsedIndex opened : OPENED) {
      opened.close();
    }
    index.close();
  }

  private static Requests requests(Kind kind) {
    return REQUESTS.get(kind == Kind.OURS ? 0 : 1);
  }

  @ParameterizedTest
  @EnumSource
  void theHitsOfAQueryAreThoseOfASearch(Kind kind) throws Exception {
    try (Analyzer analyzer = Analyzers.named(Analyzers.STANDARD);
        Searcher searcher = new Searcher(index, analyzer, Bm25.LUCENE)) {
      for (String query : QUERIES) {
        SearchResult expected = searcher.search(query, 25);
        JsonNode found = requests(kind).ask("search", "q", query, "size", 25);
        assertThat(found.get("found").asLong()).as(query).isEqualTo(expected.found());
        assertThat(found.get("exact").asBoolean()).isEqualTo(expected.foundExactly());
        assertThat(found.get("hits")).hasSize(expected.hits().size());
        for (int i = 0; i < expected.hits().size(); i++) {
          isHit(found.get("hits").get(i), i + 1, expected.hits().get(i));
        }
        JsonNode later = requests(kind).ask("search", "q", query, "from", 5, "size", 10);
        for (int i = 0; i < later.get("hits").size(); i++) {
          assertThat(later.get("hits").get(i)).isEqualTo(found.get("hits").get(i + 5));
        }
      }
    }
  }

  private static void isHit(JsonNode found, int rank, Hit expected) {
    assertThat(found.get("rank").asInt()).isEqualTo(rank);
    assertThat(found.get("document").asInt()).isEqualTo(expected.docId());
    assertThat(found.get("id").asText()).isEqualTo(expected.id());
    assertThat(found.path("title").asText()).isEqualTo(expected.title());
    assertThat(found.get("score").floatValue()).isEqualTo(expected.score());
    assertThat(found.get("snippet").asText().replace('\uFDD0', '[').replace('\uFDD1', ']'))
        .isEqualTo(expected.snippet());
  }

  @ParameterizedTest
  @EnumSource
  void thePartsOfAScoreAddUpToIt(Kind kind) throws Exception {
    Requests requests = requests(kind);
    int parts = 0;
    for (String query : QUERIES) {
      for (JsonNode hit : requests.ask("search", "q", query, "size", 5).get("hits")) {
        JsonNode why = requests.ask("explain", "q", query, "document", hit.get("document"));
        assertThat(why.get("score").floatValue()).isEqualTo(hit.get("score").floatValue());
        double sum = 0;
        for (JsonNode part : why.get("parts")) {
          sum += part.get("value").doubleValue();
          parts++;
        }
        assertThat(sum).as(query).isCloseTo(hit.get("score").doubleValue(), within(1e-5));
      }
    }
    assertThat(parts).isGreaterThan(40);
    JsonNode none = requests.ask("explain", "q", "nowhere", "document", 3);
    assertThat(none.get("matches").asBoolean()).isFalse();
    assertThat(none.get("parts")).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aPartOfAScoreHasTheNumbersItComesFrom(Kind kind) throws Exception {
    Requests requests = requests(kind);
    JsonNode posting =
        requests.ask("postings", "field", "contents", "term", "river").get("postings").get(2);
    int document = posting.get("document").asInt();
    JsonNode why = requests.ask("explain", "q", "river title:under~0", "document", document);
    JsonNode part = why.get("parts").get(0);
    assertThat(part.get("clause").asText()).isEqualTo("contents:river");
    assertThat(part.get("documents").asInt()).isEqualTo(29);
    assertThat(part.get("frequency").asInt()).isEqualTo(posting.get("occurrences").asInt());
    int length = index.length(index.schema().ordinal("contents"), document);
    assertThat(part.get("length").asInt())
        .isEqualTo(SmallFloat.byte4ToInt(SmallFloat.intToByte4(length)));
    assertThat(part.get("idf").doubleValue() * part.get("tf").doubleValue())
        .isCloseTo(part.get("value").doubleValue(), within(1e-5));
    JsonNode phrase =
        requests.ask("explain", "q", "\"flood plain\"~3", "document", 88).get("parts").get(0);
    assertThat(phrase.has("documents")).isFalse();
    assertThat(phrase.get("idf").doubleValue() * phrase.get("tf").doubleValue())
        .isCloseTo(phrase.get("value").doubleValue(), within(1e-5));
  }

  @ParameterizedTest
  @EnumSource
  void pagesOfTermsAreTheWholeDictionary(Kind kind) throws Exception {
    for (String field : List.of("contents", "id", "title")) {
      List<String> expected = terms(field);
      List<String> found = new ArrayList<>();
      while (found.size() < expected.size()) {
        JsonNode page =
            requests(kind).ask("terms", "field", field, "from", found.size(), "size", 97);
        assertThat(page.get("total").asInt()).isEqualTo(expected.size());
        assertThat(page.get("terms")).isNotEmpty();
        page.get("terms").forEach(term -> found.add(line(term)));
      }
      assertThat(found).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @EnumSource
  void termsWithAPrefixAreCountedAndListed(Kind kind) throws Exception {
    List<String> all = terms("contents");
    Random random = new Random(5);
    List<String> prefixes =
        new ArrayList<>(List.of("", "r", "ri", "river", "zzzz", "\uFFFF", "\0"));
    for (int i = 0; i < 30; i++) {
      String term = all.get(random.nextInt(all.size())).split(" ", 2)[0];
      prefixes.add(term.substring(0, term.offsetByCodePoints(0, 1)));
    }
    for (String prefix : prefixes) {
      List<String> expected = all.stream().filter(line -> line.startsWith(prefix)).toList();
      int from = random.nextInt(1 + expected.size());
      JsonNode page =
          requests(kind)
              .ask("terms", "field", "contents", "prefix", prefix, "from", from, "size", 20);
      assertThat(page.get("total").asInt()).as(prefix).isEqualTo(expected.size());
      List<String> found = new ArrayList<>();
      page.get("terms").forEach(term -> found.add(line(term)));
      assertThat(found)
          .as(prefix)
          .isEqualTo(expected.subList(from, Math.min(expected.size(), from + 20)));
    }
  }

  private static String line(JsonNode term) {
    return "%s %d %d"
        .formatted(
            term.get("term").asText(),
            term.get("documents").asInt(),
            term.get("occurrences").asInt());
  }

  /** The terms of a field with their numbers, as the index has them. */
  private static List<String> terms(String field) throws IOException {
    List<String> all = new ArrayList<>();
    TermCursor terms = index.terms(index.schema().ordinal(field));
    while (terms.next()) {
      all.add("%s %d %d".formatted(text(terms), terms.docFreq(), terms.totalTermFreq()));
    }
    return all;
  }

  private static String text(TermCursor terms) {
    return new String(terms.term(), terms.termOffset(), terms.termLength(), StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @EnumSource
  void pagesOfPostingsAreTheWholeList(Kind kind) throws Exception {
    for (String term : List.of("the", "river", "1987")) {
      List<String> expected = postings(term, kind);
      List<String> found = new ArrayList<>();
      while (found.size() < expected.size()) {
        JsonNode page =
            requests(kind)
                .ask(
                    "postings", "field", "contents", "term", term, "from", found.size(), "size", 7);
        assertThat(page.get("documents").asInt()).isEqualTo(expected.size());
        assertThat(page.get("postings")).isNotEmpty();
        page.get("postings").forEach(posting -> found.add(posting.toString()));
      }
      assertThat(found).isEqualTo(expected);
      JsonNode beyond =
          requests(kind)
              .ask("postings", "field", "contents", "term", term, "from", expected.size());
      assertThat(beyond.get("postings")).isEmpty();
    }
    JsonNode hex = requests(kind).ask("postings", "field", "contents", "hex", "7269766572");
    assertThat(hex.get("postings")).hasSize(29);
  }

  private static List<String> postings(String term, Kind kind) throws Exception {
    int field = index.schema().ordinal("contents");
    TermCursor terms = index.terms(field);
    byte[] bytes = term.getBytes(StandardCharsets.UTF_8);
    assertThat(terms.seek(bytes, 0, bytes.length)).isEqualTo(TermCursor.Seek.FOUND);
    PostingList list = terms.postings(null, Detail.POSITIONS);
    List<String> lines = new ArrayList<>();
    try (StoredTexts texts = index.documents()) {
      while (list.nextDoc() != PostingList.END) {
        int length = index.length(field, list.docId());
        List<Integer> positions = new ArrayList<>();
        for (int i = 0; i < Math.min(200, list.freq()); i++) {
          positions.add(list.nextPosition());
        }
        String title = texts.text(list.docId(), index.schema().ordinal("title"));
        lines.add(
            "{\"document\":%d,\"id\":\"%s\"%s,\"length\":%d,\"occurrences\":%d,\"positions\":%s}"
                .formatted(
                    list.docId(),
                    texts.text(list.docId(), index.schema().ordinal("id")),
                    title.isEmpty() ? "" : ",\"title\":\"" + title + "\"",
                    kind == Kind.OURS
                        ? length
                        : SmallFloat.byte4ToInt(SmallFloat.intToByte4(length)),
                    list.freq(),
                    positions.toString().replace(" ", "")));
      }
    }
    return lines;
  }

  @ParameterizedTest
  @EnumSource
  void aDocumentShowsItsTextsAndTerms(Kind kind) throws Exception {
    int field = index.schema().ordinal("contents");
    try (StoredTexts texts = index.documents()) {
      for (int document : List.of(0, 3, 60, index.documentCount() - 1)) {
        JsonNode found = requests(kind).ask("document", "document", document);
        Map<String, String> stored = new TreeMap<>();
        found
            .get("stored")
            .forEach(value -> stored.put(value.get("field").asText(), value.get("text").asText()));
        String contents = texts.text(document, field);
        assertThat(stored)
            .hasSize(3)
            .containsEntry(kind == Kind.OURS ? "contents" : "raw", contents)
            .containsEntry("id", texts.text(document, index.schema().ordinal("id")))
            .containsEntry("title", texts.text(document, index.schema().ordinal("title")));
        assertThat(found.get("columns")).isEmpty();
        int length = index.length(field, document);
        assertThat(found.at("/lengths/contents").asInt())
            .isEqualTo(
                kind == Kind.OURS ? length : SmallFloat.byte4ToInt(SmallFloat.intToByte4(length)));
        JsonNode words = requests(kind).ask("words", "document", document, "field", "contents");
        List<String> lines = new ArrayList<>();
        words.get("terms").forEach(term -> lines.add(line(term)));
        assertThat(lines).isEqualTo(wordsOf(document));
        assertThat(words.get("absent").asInt()).isZero();
        assertThat(words.get("occurrences").asInt()).isEqualTo(length);
      }
    }
  }

  /** The terms that have a document in their lists. */
  private static List<String> wordsOf(int document) throws IOException {
    List<String> words = new ArrayList<>();
    TermCursor terms = index.terms(index.schema().ordinal("contents"));
    while (terms.next()) {
      PostingList list = terms.postings(null, Detail.FREQUENCIES);
      if (list.advance(document) == document) {
        words.add("%s %d %d".formatted(text(terms), terms.docFreq(), list.freq()));
      }
    }
    return words;
  }

  @ParameterizedTest
  @EnumSource
  void statisticsAreThoseOfTheStatsCommand(Kind kind) throws Exception {
    for (CorpusStatistics expected : CorpusAnalysis.of(index)) {
      JsonNode found = requests(kind).ask("statistics", "field", expected.field());
      assertThat(found.get("tokens").asLong()).isEqualTo(expected.tokens());
      assertThat(found.get("postings").asLong()).isEqualTo(expected.postings());
      assertThat(found.get("ranks").toString())
          .isEqualTo(
              expected.ranks().stream()
                  .map(rank -> List.of(rank.rank(), rank.frequency()))
                  .toList()
                  .toString()
                  .replace(" ", ""));
      assertThat(found.at("/zipf/exponent").doubleValue()).isEqualTo(expected.zipf().exponent());
      List<String> longest = new ArrayList<>();
      found.get("longest").forEach(list -> longest.add(list.get("term").asText()));
      assertThat(longest)
          .isEqualTo(expected.longest().stream().map(CorpusStatistics.LongList::term).toList());
      for (int i = 0; i < expected.vocabulary().size(); i++) {
        CorpusStatistics.Vocabulary point = expected.vocabulary().get(i);
        JsonNode of = found.get("vocabulary").get(i);
        assertThat(of.get(0).asInt()).isEqualTo(point.documents());
        assertThat(of.get(2).asLong()).isEqualTo(point.terms());
        assertThat(of.get(1).doubleValue()).isBetween(0.89 * point.tokens(), 1.0 * point.tokens());
        if (kind == Kind.OURS) {
          assertThat(of.get(1).asLong()).isEqualTo(point.tokens());
        }
      }
      long terms = index.statistics(index.schema().ordinal(expected.field())).terms();
      assertThat(sum(found.get("byDocuments"))).isEqualTo(terms);
      assertThat(sum(found.get("byOccurrences"))).isEqualTo(terms);
      long documents = 0;
      for (JsonNode bin : found.at("/lengths/bins")) {
        assertThat(bin.get(0).asLong()).isLessThanOrEqualTo(bin.get(1).asLong());
        documents += bin.get(2).asLong();
      }
      assertThat(documents).isEqualTo(index.documentCount());
    }
  }

  private static long sum(JsonNode numbers) {
    long sum = 0;
    for (JsonNode number : numbers) {
      sum += number.asLong();
    }
    return sum;
  }

  @ParameterizedTest
  @EnumSource
  void theOverviewHasFieldsAndFiles(Kind kind) throws Exception {
    JsonNode found = requests(kind).ask("index");
    assertThat(found.get("documents").asInt()).isEqualTo(index.documentCount());
    assertThat(found.get("searched").toString()).isEqualTo("[\"contents\"]");
    for (JsonNode field : found.get("fields")) {
      int ordinal = index.schema().find(field.get("name").asText());
      if (ordinal < 0) {
        assertThat(field.get("name").asText()).isEqualTo("raw");
        continue;
      }
      assertThat(field.get("tokens").asLong()).isEqualTo(index.statistics(ordinal).tokens());
      assertThat(field.get("postings").asLong()).isEqualTo(index.statistics(ordinal).postings());
      assertThat(field.get("documents").asInt()).isEqualTo(index.statistics(ordinal).documents());
    }
    IndexNumbers numbers = IndexNumbers.of(index.metadata(), ImmutableList.of());
    if (kind == Kind.OURS) {
      assertThat(found.get("bitsPerPosting").doubleValue()).isEqualTo(numbers.bitsPerPosting());
      assertThat(sum(found.get("files"))).isEqualTo(index.metadata().bytes());
      assertThat(found.get("segments")).isEmpty();
    } else {
      assertThat(found.get("bitsPerPosting").doubleValue())
          .isBetween(numbers.bitsPerPosting() / 2, numbers.bitsPerPosting() * 2);
      assertThat(found.get("segments")).hasSize(3);
      assertThat(sum(found.get("files"))).isPositive();
    }
  }
}
