package io.kmodel.indexer.analysis;

import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.parse.MalformedDocumentException;
import io.kmodel.indexer.parse.ParsedDocument;
import io.kmodel.indexer.parse.field.FieldText;
import io.kmodel.indexer.source.SparseVector;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.analysis.tokenattributes.TermToBytesRefAttribute;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.UnicodeUtil;
import org.jspecify.annotations.Nullable;

/**
 * Turns a document into tokens: fields in the schema's order, and a field's tokens in order of
 * position. The tokens, their bytes and positions are those that Lucene's IndexWriter would index
 * with the same analyzer. It refuses whatever IndexWriter refuses, except for offsets that go
 * backwards if no offsets are wanted. As in IndexWriter, an unpaired surrogate becomes U+FFFD in
 * tokens and keywords.
 *
 * <p>If languages decide, see {@link AnalysisDefinition#BY_LANGUAGE}, the document's value of the
 * column {@link Schema#DETECTED_LANGUAGE} does.
 *
 * <p>Memory: the analyzer's buffers, and the longest text in UTF-8 if it is analyzed from bytes;
 * nothing is allocated per token. Each thread needs its own instance; the analyzer may be shared.
 */
public final class DocumentAnalysis {
  /** The maximum in bytes; a document with a longer term is refused. */
  public static final int MAX_TERM_BYTES = IndexWriter.MAX_TERM_LENGTH;

  /** The analyzer of the documents in one language, or of all. */
  private static final class Words {
    final Analyzer analyzer;
    final Function<String, Optional<FieldTokens>> fromBytes;

    /** The fast implementation of each field seen so far; empty if the field uses Lucene. */
    final Map<String, Optional<FieldTokens>> byField = new HashMap<>();

    Words(Analyzer analyzer, Function<String, Optional<FieldTokens>> fromBytes) {
      this.analyzer = analyzer;
      this.fromBytes = fromBytes;
    }
  }

  private final Function<String, Words> newWords;
  private final boolean byLanguage;

  /** By language; the one for all has the empty name. */
  private final Map<String, Words> words = new HashMap<>();

  private byte[] utf8 = new byte[512];

  /** Creates an analysis that uses Lucene's TokenStream. */
  public DocumentAnalysis(Analyzer analyzer) {
    this(language -> new Words(analyzer, field -> Optional.empty()), false);
  }

  private DocumentAnalysis(Function<String, Words> newWords, boolean byLanguage) {
    this.newWords = newWords;
    this.byLanguage = byLanguage;
  }

  /**
   * Creates the fastest analysis: from bytes if the analyzer supports it (see {@link
   * Analyzers#fieldTokens}), else through Lucene's TokenStream.
   *
   * @param name the analyzer's name
   * @param analyzer the result of {@link Analyzers#named} for the name
   */
  public static DocumentAnalysis of(String name, Analyzer analyzer) {
    return of(IndexAnalysis.of(name), analyzer);
  }

  /**
   * Creates the fastest analysis for each field.
   *
   * @param analyzer the result of {@link IndexAnalysis#newAnalyzer}
   */
  public static DocumentAnalysis of(IndexAnalysis analysis, Analyzer analyzer) {
    // Fields of the same definition share one instance and its cache of words.
    Map<AnalysisDefinition, Optional<FieldTokens>> shared = new HashMap<>();
    return new DocumentAnalysis(
        language -> {
          IndexAnalysis concrete = analysis.in(language);
          return new Words(
              LanguageAnalyzers.of(analyzer, language),
              field -> shared.computeIfAbsent(concrete.definition(field), Analyzers::fieldTokens));
        },
        analysis.isByLanguage());
  }

  /** Whether the text of a field of the schema is analyzed as a String. */
  public static boolean readsStrings(IndexAnalysis analysis, Schema schema) {
    return schema.fields().stream()
        .filter(Field::tokenized)
        .anyMatch(field -> Analyzers.fieldTokens(analysis.definition(field.name())).isEmpty());
  }

  /**
   * Passes a document's tokens to a sink. A field that is not tokenized yields one token, the whole
   * text, at position 0; one that is not indexed, or that is a column without a value, yields none.
   *
   * @param schema all its fields must exist in the document
   * @throws MalformedDocumentException if Lucene would refuse the document. The sink may already
   *     have received tokens of it, which its owner must drop; a keyword that is too long is found
   *     before the first token
   */
  public void analyze(ParsedDocument document, Schema schema, TokenSink sink)
      throws MalformedDocumentException {
    analyze(document, schema, sink, null);
  }

  /**
   * Does the same with the offsets of the tokens in their fields' texts. Offsets that go backwards,
   * which some filter chains produce, are refused even if the field does not store offsets, as in
   * IndexWriter.
   */
  public void analyzeWithOffsets(ParsedDocument document, Schema schema, OffsetSink sink)
      throws MalformedDocumentException {
    TokenOffsets offsets = new TokenOffsets(sink);
    analyze(document, schema, offsets, offsets);
  }

  /**
   * Passes a document's keywords and weighted terms to sinks. The terms are those of the field with
   * weights, taken as they are.
   *
   * @throws MalformedDocumentException if a keyword or a term is too long. The sinks may already
   *     have received tokens of the document, which their owner must drop
   */
  public void analyzeVector(
      ParsedDocument document, Schema schema, TokenSink keywords, WeightSink weights)
      throws MalformedDocumentException {
    analyzeKeywords(document, schema, keywords);
    for (int ordinal = 0; ordinal < schema.size(); ordinal++) {
      if (schema.field(ordinal).detail().hasImpacts()) {
        analyzeVector(document, schema.field(ordinal).name(), ordinal, weights);
      }
    }
  }

  private static void analyzeVector(
      ParsedDocument document, String field, int ordinal, WeightSink weights)
      throws MalformedDocumentException {
    SparseVector vector = document.vector();
    if (vector == null) {
      throw new MalformedDocumentException(
          document.id(), "field %s needs a vector of weighted terms".formatted(field));
    }
    for (int i = 0; i < vector.size(); i++) {
      checkLength(document.id(), field, vector.length(i));
      weights.term(ordinal, vector.bytes(i), vector.start(i), vector.length(i), vector.weight(i));
    }
  }

  /** Passes only the keywords of a document to a sink. */
  public void analyzeKeywords(ParsedDocument document, Schema schema, TokenSink sink)
      throws MalformedDocumentException {
    checkKeywords(document, schema);
    for (int ordinal = 0; ordinal < schema.size(); ordinal++) {
      Field field = schema.field(ordinal);
      if (field.detail().isIndexed() && !field.tokenized()) {
        analyzeKeyword(keyword(document, schema, field), ordinal, sink, null);
      }
    }
  }

  /** Passes only the tokens of a tokenized field to a sink. */
  public void analyzeText(ParsedDocument document, Schema schema, int ordinal, TokenSink sink)
      throws MalformedDocumentException {
    analyzeText(document, schema, ordinal, sink, null);
  }

  private void analyze(
      ParsedDocument document, Schema schema, TokenSink sink, @Nullable TokenOffsets offsets)
      throws MalformedDocumentException {
    checkKeywords(document, schema);
    for (int ordinal = 0; ordinal < schema.size(); ordinal++) {
      Field field = schema.field(ordinal);
      if (!field.detail().isIndexed()) {
        continue;
      }
      if (field.tokenized()) {
        analyzeText(document, schema, ordinal, sink, offsets);
      } else {
        analyzeKeyword(keyword(document, schema, field), ordinal, sink, offsets);
      }
    }
  }

  private static void checkKeywords(ParsedDocument document, Schema schema)
      throws MalformedDocumentException {
    for (int ordinal = 0; ordinal < schema.size(); ordinal++) {
      Field field = schema.field(ordinal);
      if (field.isKeyword()) {
        checkKeyword(document, schema, field);
      }
    }
  }

  private void analyzeText(
      ParsedDocument document,
      Schema schema,
      int ordinal,
      TokenSink sink,
      @Nullable TokenOffsets offsets)
      throws MalformedDocumentException {
    String name = schema.field(ordinal).name();
    FieldText text = document.text(name);
    Words of = words(document, schema);
    FieldTokens tokens = of.byField.computeIfAbsent(name, of.fromBytes).orElse(null);
    if (tokens != null && text.isWellFormed()) {
      if (offsets != null) {
        offsets.startField(tokens, text.bytes(), text.offset());
      }
      tokens.tokens(ordinal, text.bytes(), text.offset(), text.length(), sink);
    } else {
      Place place = new Place(document.id(), name, ordinal);
      tokenize(of.analyzer, place, text.string(), sink, offsets);
    }
  }

  private Words words(ParsedDocument document, Schema schema) {
    int column = byLanguage ? schema.findColumn(Schema.DETECTED_LANGUAGE) : -1;
    boolean isKnown = column >= 0 && document.values().has(column);
    return words.computeIfAbsent(isKnown ? document.values().string(column) : "", newWords);
  }

  private void analyzeKeyword(
      @Nullable String text, int ordinal, TokenSink sink, @Nullable TokenOffsets offsets) {
    if (text == null) {
      return;
    }
    if (offsets != null) {
      offsets.startKeyword(text.length());
    }
    int length = encode(text);
    sink.token(ordinal, utf8, 0, length, 0);
  }

  /** The term of a keyword field; null if it is a column that has no value. */
  private static @Nullable String keyword(ParsedDocument document, Schema schema, Field field) {
    if (field.name().equals(Schema.ID)) {
      return document.id();
    }
    int column = schema.findColumn(field.name());
    if (column < 0) {
      return document.text(field.name()).string();
    }
    return document.values().has(column) ? document.values().string(column) : null;
  }

  private static void checkKeyword(ParsedDocument document, Schema schema, Field field)
      throws MalformedDocumentException {
    String text = keyword(document, schema, field);
    if (text != null
        && (long) text.length() * UnicodeUtil.MAX_UTF8_BYTES_PER_CHAR > MAX_TERM_BYTES) {
      int bytes = UnicodeUtil.calcUTF16toUTF8Length(text, 0, text.length());
      checkLength(document.id(), field.name(), bytes);
    }
  }

  /** Encodes a text into the buffer; unpaired surrogates become U+FFFD, which is not a token. */
  private int encode(String text) {
    long most = (long) text.length() * UnicodeUtil.MAX_UTF8_BYTES_PER_CHAR;
    if (most > utf8.length) {
      int exact = UnicodeUtil.calcUTF16toUTF8Length(text, 0, text.length());
      if (exact > utf8.length) {
        utf8 = new byte[ArrayUtil.oversize(exact, Byte.BYTES)];
      }
    }
    // Most keywords are ASCII; UnicodeUtil, which takes any CharSequence, needed 0.8 µs for each.
    int length = text.length();
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (c >= 0x80) {
        return UnicodeUtil.UTF16toUTF8(text, 0, length, utf8);
      }
      utf8[i] = (byte) c;
    }
    return length;
  }

  /** A field of a document. */
  private record Place(String id, String field, int ordinal) {}

  private static void tokenize(
      Analyzer analyzer, Place place, String text, TokenSink sink, @Nullable TokenOffsets offsets)
      throws MalformedDocumentException {
    String id = place.id;
    String field = place.field;
    if (offsets != null) {
      offsets.startField();
    }
    try (TokenStream tokens = stream(analyzer, id, field, text)) {
      TermToBytesRefAttribute term = tokens.getAttribute(TermToBytesRefAttribute.class);
      PositionIncrementAttribute increment = tokens.getAttribute(PositionIncrementAttribute.class);
      OffsetAttribute offset = offsets == null ? null : tokens.addAttribute(OffsetAttribute.class);
      whole(id, tokens::reset);
      int position = -1;
      while (next(id, tokens)) {
        position = advance(id, field, position, increment.getPositionIncrement());
        BytesRef bytes = term.getBytesRef();
        checkLength(id, field, bytes.length);
        if (offset != null && offsets != null) {
          offsets.next(id, field, offset.startOffset(), offset.endOffset());
        }
        sink.token(place.ordinal, bytes.bytes, bytes.offset, bytes.length, position);
      }
      whole(id, tokens::end);
    } catch (IOException e) {
      throw new MalformedDocumentException(id, e);
    }
  }

  private static TokenStream stream(Analyzer analyzer, String id, String field, String text)
      throws MalformedDocumentException {
    try {
      return analyzer.tokenStream(field, text);
    } catch (RuntimeException | StackOverflowError e) {
      throw new MalformedDocumentException(id, e);
    }
  }

  /**
   * Separate from the caller, so that exceptions of the analyzer and of the sink can be told apart.
   * Java's regular expressions, which an analyzer may use, need stack in proportion to the text.
   */
  private static boolean next(String id, TokenStream tokens)
      throws IOException, MalformedDocumentException {
    try {
      return tokens.incrementToken();
    } catch (RuntimeException | StackOverflowError e) {
      throw new MalformedDocumentException(id, e);
    }
  }

  /** A step that runs once per text. */
  private interface Step {
    void run() throws IOException;
  }

  /** Does what {@link #next} does, for the steps before the first token and after the last. */
  private static void whole(String id, Step step) throws IOException, MalformedDocumentException {
    try {
      step.run();
    } catch (RuntimeException | StackOverflowError e) {
      throw new MalformedDocumentException(id, e);
    }
  }

  /** Applies the rules of Lucene's indexing chain. */
  private static int advance(String id, String field, int position, int increment)
      throws MalformedDocumentException {
    if (increment < 0) {
      throw new MalformedDocumentException(
          id, "position increment %d in field %s, expected at least 0".formatted(increment, field));
    }
    if (position < 0 && increment == 0) {
      throw new MalformedDocumentException(
          id, "first position increment 0 in field %s, expected at least 1".formatted(field));
    }
    if (increment > IndexWriter.MAX_POSITION - position) {
      throw new MalformedDocumentException(
          id,
          "position %d in field %s, the limit is %d"
              .formatted((long) position + increment, field, IndexWriter.MAX_POSITION));
    }
    return position + increment;
  }

  private static void checkLength(String id, String field, int bytes)
      throws MalformedDocumentException {
    if (bytes > MAX_TERM_BYTES) {
      throw new MalformedDocumentException(
          id,
          "term of %d bytes in field %s, the limit is %d".formatted(bytes, field, MAX_TERM_BYTES));
    }
  }
}
