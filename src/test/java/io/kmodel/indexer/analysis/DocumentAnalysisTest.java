package io.kmodel.indexer.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.parse.Increments;
import io.kmodel.indexer.parse.MalformedDocumentException;
import io.kmodel.indexer.parse.ParsedDocument;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.core.KeywordAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;

class DocumentAnalysisTest {
  private static final Schema SCHEMA = schema(Detail.POSITIONS, Detail.POSITIONS);

  private static final Schema TITLES_LOCATED = schema(Detail.OFFSETS, Detail.POSITIONS);

  /** A token, its bytes in hex as BytesRef prints them. */
  private record Token(int field, String term, int position) {}

  /** The same with where it stands in its text. */
  private record Located(Token token, int start, int end) {}

  @Test
  void tokensComeFieldByFieldInTheSchemasOrder() throws Exception {
    ParsedDocument document = new ParsedDocument("a/b.html", "Grey Heron", "It waits.");
    assertThat(analyze(Analyzers.named("standard"), document))
        .containsExactly(
            token("contents", "it", 0),
            token("contents", "waits", 1),
            token("id", "a/b.html", 0),
            token("title", "grey", 0),
            token("title", "heron", 1));
  }

  @Test
  void removedStopWordsLeaveHolesInThePositions() throws Exception {
    ParsedDocument document = new ParsedDocument("x", "", "the heron and the river");
    assertThat(analyze(Analyzers.named("english"), document))
        .containsExactly(
            token("contents", "heron", 1), token("contents", "river", 4), token("id", "x", 0));
  }

  @Property(tries = 300)
  void theTokensAreThoseThatIndexWriterIndexes(
      @ForAll("texts") String title,
      @ForAll("texts") String contents,
      @ForAll("analyzers") String name)
      throws Exception {
    ParsedDocument document = new ParsedDocument("id " + title, title, contents);
    try (Analyzer analyzer = Analyzers.named(name)) {
      assertThat(analyze(analyzer, document))
          .containsExactlyInAnyOrderElementsOf(indexed(analyzer, document));
    }
  }

  @Property(tries = 300)
  void theOffsetsAreThoseThatIndexWriterIndexes(
      @ForAll("texts") String title,
      @ForAll("texts") String contents,
      @ForAll("analyzers") String name)
      throws Exception {
    ParsedDocument document = new ParsedDocument("id " + title, title, contents);
    try (Analyzer analyzer = Analyzers.named(name)) {
      List<Located> expected = indexedWithOffsets(analyzer, document);
      assertThat(locate(new DocumentAnalysis(analyzer), document))
          .containsExactlyInAnyOrderElementsOf(expected);
      assertThat(locate(DocumentAnalysis.of(name, analyzer), document))
          .containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  @Test
  void offsetsThatGoBackwardsAreRefusedAsIndexWriterRefusesThem() throws Exception {
    ParsedDocument document = new ParsedDocument("x", "", "one two three");
    for (int[] moves : new int[][] {{5, 0, 0}, {0, 1, -4}}) {
      Analyzer moved = new Increments(new int[] {1, 1, 1}, moves);
      assertThatThrownBy(() -> locate(new DocumentAnalysis(moved), document))
          .isInstanceOf(MalformedDocumentException.class)
          .hasMessageContaining("in field contents, expected to start at ");
      assertThatThrownBy(() -> indexedWithOffsets(moved, document))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("offsets must not go backwards");
    }
    Analyzer same = new Increments(new int[] {1, 0, 1}, new int[] {4, 0, 0});
    assertThat(locate(new DocumentAnalysis(same), document))
        .containsExactlyInAnyOrderElementsOf(indexedWithOffsets(same, document));
  }

  /** IndexWriter looks at offsets whether it is to keep them or not. */
  @Test
  void offsetsThatGoBackwardsAreRefusedInFieldsThatAreNotToHaveThem() throws Exception {
    Analyzer moved = new Increments(new int[] {1, 1, 1}, new int[] {5, 0, 0});
    ParsedDocument document = new ParsedDocument("x", "", "one two three");
    assertThatThrownBy(() -> locate(new DocumentAnalysis(moved), document, TITLES_LOCATED))
        .isInstanceOf(MalformedDocumentException.class)
        .hasMessageContaining("in field contents, expected to start at ");
    assertThatThrownBy(() -> indexed(moved, document))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("offsets must not go backwards");
    // Where no field has any, they are not asked for, and the document is taken.
    assertThat(analyze(moved, document)).hasSize(4);
  }

  @Provide
  Arbitrary<String> analyzers() {
    return Arbitraries.of(Analyzers.names());
  }

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.oneOf(
            Arbitraries.of(
                "the",
                "Heron's",
                "rivers",
                "3.5",
                "ÄÖ",
                "カワセミ",
                "翠鸟",
                "\uD83D\uDC26",
                "\uD800",
                "\uDC00",
                "a".repeat(300),
                "é".repeat(256),
                "İ",
                "ไทย",
                "e\u0301",
                "x\u200By",
                "."),
            Arbitraries.strings().ofMaxLength(5))
        .list()
        .ofMaxSize(30)
        .map(words -> String.join(" ", words));
  }

  @Test
  void unpairedSurrogatesBecomeReplacementCharactersEverywhere() throws Exception {
    ParsedDocument document = new ParsedDocument("a\uD800", "", "b\uDC00");
    assertThat(analyze(Analyzers.named("whitespace"), document))
        .containsExactly(token("contents", "b\uFFFD", 0), token("id", "a\uFFFD", 0));
  }

  @Test
  void aKeywordOfTheLimitIsTakenAndALongerOneIsRefusedBeforeAnyToken() throws Exception {
    String longest = "é".repeat(DocumentAnalysis.MAX_TERM_BYTES / 2);
    Analyzer analyzer = Analyzers.named("standard");
    assertThat(analyze(analyzer, new ParsedDocument(longest, "", "")))
        .containsExactly(token("id", longest, 0));
    List<Token> tokens = new ArrayList<>();
    ParsedDocument over = new ParsedDocument(longest + "x", "title", "contents");
    assertThatThrownBy(() -> new DocumentAnalysis(analyzer).analyze(over, SCHEMA, collect(tokens)))
        .isInstanceOf(MalformedDocumentException.class)
        .hasMessageEndingWith("term of 32767 bytes in field id, the limit is 32766");
    assertThat(tokens).isEmpty();
  }

  @Test
  void aTermOverTheLimitIsRefusedAsIndexWriterRefusesIt() throws Exception {
    ParsedDocument document = new ParsedDocument("x", "", "y".repeat(32767));
    assertThatThrownBy(() -> analyze(new KeywordAnalyzer(), document))
        .isInstanceOf(MalformedDocumentException.class)
        .hasMessage("x: term of 32767 bytes in field contents, the limit is 32766");
    assertThatThrownBy(() -> indexed(new KeywordAnalyzer(), document))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void incrementsThatIndexWriterRefusesAreRefused() {
    ParsedDocument document = new ParsedDocument("x", "", "one two three");
    int[][] refused = {{0, 1, 1}, {1, -1, 1}, {1, IndexWriter.MAX_POSITION, 1}};
    for (int[] increments : refused) {
      assertThatThrownBy(() -> analyze(new Increments(increments), document))
          .isInstanceOf(MalformedDocumentException.class);
      assertThatThrownBy(() -> indexed(new Increments(increments), document))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void severalTokensMayShareAPositionAndTheLastPositionIsLucenes() throws Exception {
    ParsedDocument document = new ParsedDocument("x", "", "one two three");
    Analyzer analyzer = new Increments(new int[] {1, 0, IndexWriter.MAX_POSITION});
    assertThat(analyze(analyzer, document))
        .containsExactly(
            token("contents", "one", 0),
            token("contents", "two", 0),
            token("contents", "three", IndexWriter.MAX_POSITION),
            token("id", "x", 0))
        .containsExactlyInAnyOrderElementsOf(indexed(analyzer, document));
  }

  @Test
  void aDocumentThatWasRefusedDoesNotSpoilTheNext() throws Exception {
    DocumentAnalysis analysis = new DocumentAnalysis(new KeywordAnalyzer());
    List<Token> tokens = new ArrayList<>();
    assertThatThrownBy(
            () ->
                analysis.analyze(
                    new ParsedDocument("x", "", "y".repeat(40_000)), SCHEMA, collect(tokens)))
        .isInstanceOf(MalformedDocumentException.class);
    tokens.clear();
    analysis.analyze(new ParsedDocument("x", "", "y"), SCHEMA, collect(tokens));
    assertThat(tokens).contains(token("contents", "y", 0));
  }

  @Test
  void aFieldThatDocumentsDoNotHaveIsAnError() {
    Schema odd = Schema.of(List.of(new Field("author", Detail.POSITIONS, true, false)));
    assertThatThrownBy(
            () ->
                new DocumentAnalysis(Analyzers.named("standard"))
                    .analyze(new ParsedDocument("x", "", ""), odd, collect(new ArrayList<>())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("documents have no text field author; they have [title, contents]");
  }

  private static Schema schema(Detail title, Detail contents) {
    return Schema.of(
        List.of(
            new Field(Schema.ID, Detail.DOCUMENTS, false, true),
            new Field(Schema.TITLE, title, true, true),
            new Field(Schema.CONTENTS, contents, true, true)));
  }

  private static Token token(String field, String term, int position) {
    return new Token(SCHEMA.ordinal(field), new BytesRef(term).toString(), position);
  }

  private static List<Token> analyze(Analyzer analyzer, ParsedDocument document)
      throws MalformedDocumentException {
    List<Token> tokens = new ArrayList<>();
    new DocumentAnalysis(analyzer).analyze(document, SCHEMA, collect(tokens));
    return tokens;
  }

  private static TokenSink collect(List<Token> tokens) {
    return (field, bytes, offset, length, position) ->
        tokens.add(
            new Token(
                field,
                BytesRef.deepCopyOf(new BytesRef(bytes, offset, length)).toString(),
                position));
  }

  private static List<Located> locate(DocumentAnalysis analysis, ParsedDocument document)
      throws MalformedDocumentException {
    return locate(analysis, document, SCHEMA);
  }

  private static List<Located> locate(
      DocumentAnalysis analysis, ParsedDocument document, Schema schema)
      throws MalformedDocumentException {
    List<Located> tokens = new ArrayList<>();
    analysis.analyzeWithOffsets(
        document,
        schema,
        (field, bytes, offset, length, position, start, end) -> {
          String term = BytesRef.deepCopyOf(new BytesRef(bytes, offset, length)).toString();
          if (field != SCHEMA.ordinal(Schema.ID)) {
            tokens.add(new Located(new Token(field, term, position), start, end));
          }
        });
    return tokens;
  }

  /** The postings of title and contents, with their offsets, that Lucene's own writer makes. */
  private static List<Located> indexedWithOffsets(Analyzer analyzer, ParsedDocument document)
      throws IOException {
    FieldType type = new FieldType(TextField.TYPE_NOT_STORED);
    type.setIndexOptions(IndexOptions.DOCS_AND_FREQS_AND_POSITIONS_AND_OFFSETS);
    try (ByteBuffersDirectory directory = new ByteBuffersDirectory();
        IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig(analyzer))) {
      Document lucene = new Document();
      for (String field : List.of(Schema.TITLE, Schema.CONTENTS)) {
        lucene.add(
            new org.apache.lucene.document.Field(field, document.text(field).string(), type));
      }
      writer.addDocument(lucene);
      return postings(writer, List.of(Schema.TITLE, Schema.CONTENTS));
    }
  }

  /** The postings of an index of this one document that Lucene's own writer made. */
  private static List<Token> indexed(Analyzer analyzer, ParsedDocument document)
      throws IOException {
    try (ByteBuffersDirectory directory = new ByteBuffersDirectory();
        IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig(analyzer))) {
      Document lucene = new Document();
      lucene.add(new StringField(Schema.ID, document.id(), Store.NO));
      lucene.add(new TextField(Schema.TITLE, document.title(), Store.NO));
      lucene.add(new TextField(Schema.CONTENTS, document.contents(), Store.NO));
      writer.addDocument(lucene);
      return postings(writer, SCHEMA.fields().stream().map(Field::name).toList()).stream()
          .map(Located::token)
          .toList();
    }
  }

  private static List<Located> postings(IndexWriter writer, List<String> fields)
      throws IOException {
    List<Located> tokens = new ArrayList<>();
    try (DirectoryReader reader = DirectoryReader.open(writer)) {
      for (String field : fields) {
        addPostings(reader.leaves().get(0).reader(), field, tokens);
      }
    }
    return tokens;
  }

  private static void addPostings(LeafReader reader, String field, List<Located> tokens)
      throws IOException {
    Terms terms = reader.terms(field);
    if (terms == null) {
      return;
    }
    TermsEnum each = terms.iterator();
    for (BytesRef term = each.next(); term != null; term = each.next()) {
      PostingsEnum postings = each.postings(null, PostingsEnum.ALL);
      postings.nextDoc();
      for (int i = 0; i < postings.freq(); i++) {
        // Keywords have no positions; theirs is 0 by definition.
        int position = Math.max(0, postings.nextPosition());
        Token token = new Token(SCHEMA.ordinal(field), term.toString(), position);
        tokens.add(new Located(token, postings.startOffset(), postings.endOffset()));
      }
    }
  }
}
