package io.kmodel.indexer.export.lucene.vectors;

import io.kmodel.indexer.analysis.AnalysisDefinition;
import io.kmodel.indexer.analysis.Analyzers;
import io.kmodel.indexer.analysis.FieldTokens;
import io.kmodel.indexer.analysis.LanguageAnalyzers;
import io.kmodel.indexer.index.documents.StoredTexts;
import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.analysis.tokenattributes.TermToBytesRefAttribute;
import org.apache.lucene.codecs.TermVectorsWriter;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.ByteBlockPool;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.BytesRefHash;
import org.jspecify.annotations.Nullable;

/**
 * The distinct terms of a field of one document, with the positions and offsets that the field's
 * postings have. Tokens of a term are chained in the order of the text.
 *
 * <p>Memory: some 8 bytes for each token of a text, or 16 with offsets, and 20 for each term of the
 * longest text so far. Not thread-safe.
 */
final class FieldVector {
  private static final int NONE = -1;

  /** The most tokens whose memory is kept for the next text. */
  private static final int KEPT_TOKENS = 1 << 18;

  private final int ordinal;
  private final FieldInfo info;
  private final boolean positions;
  private final boolean offsets;
  private final Analyzer analyzer;

  /** The fast form of the analyzer; null without one, or if offsets are wanted. */
  private final @Nullable FieldTokens fast;

  private final ByteBlockPool pool = new ByteBlockPool(new ByteBlockPool.DirectAllocator());
  private final BytesRefHash terms = new BytesRefHash(pool);
  private final BytesRef term = new BytesRef();

  /** By term: its number of tokens, its first one, and the latest. */
  private int[] counts = new int[64];

  private int[] firsts = new int[64];
  private int[] lasts = new int[64];

  /** By token: the next one of the same term, its position and its offsets. */
  private int[] nexts = new int[64];

  private int[] places = new int[64];
  private int[] starts;
  private int[] ends;

  private int tokens;
  private int length;

  /**
   * A field of an index.
   *
   * @param analyzer of all fields
   * @param definition of the analyzer of this one
   */
  FieldVector(int ordinal, FieldInfo info, Analyzer analyzer, AnalysisDefinition definition) {
    this.ordinal = ordinal;
    this.info = info;
    IndexOptions options = info.getIndexOptions();
    this.positions = options.compareTo(IndexOptions.DOCS_AND_FREQS_AND_POSITIONS) >= 0;
    this.offsets = options.compareTo(IndexOptions.DOCS_AND_FREQS_AND_POSITIONS_AND_OFFSETS) >= 0;
    this.starts = new int[offsets ? 64 : 0];
    this.ends = new int[offsets ? 64 : 0];
    this.analyzer = analyzer;
    this.fast = offsets ? null : Analyzers.fieldTokens(definition).orElse(null);
  }

  int ordinal() {
    return ordinal;
  }

  String name() {
    return info.name;
  }

  /**
   * Replaces the terms by those of a document's text.
   *
   * @param language of the document, see {@link LanguageAnalyzers}; empty if it is not known
   */
  void read(StoredTexts texts, int docId, String language) throws IOException {
    terms.clear(/* resetPool= */ false);
    terms.reinit();
    pool.reset(/* zeroFillBuffers= */ false, /* reuseFirst= */ true);
    tokens = 0;
    length = 0;
    if (places.length > KEPT_TOKENS) {
      forgetTokens();
    }
    FieldTokens bytes = fast;
    if (bytes == null) {
      analyze(LanguageAnalyzers.of(analyzer, language), texts.text(docId, ordinal));
    } else {
      texts.utf8(
          docId,
          ordinal,
          (utf8, offset, size) -> bytes.tokens(ordinal, utf8, offset, size, this::token));
    }
  }

  private void analyze(Analyzer by, String text) throws IOException {
    try (TokenStream stream = by.tokenStream(info.name, text)) {
      TermToBytesRefAttribute bytes = stream.getAttribute(TermToBytesRefAttribute.class);
      PositionIncrementAttribute increment = stream.getAttribute(PositionIncrementAttribute.class);
      OffsetAttribute offset = stream.addAttribute(OffsetAttribute.class);
      stream.reset();
      int position = -1;
      while (stream.incrementToken()) {
        position += increment.getPositionIncrement();
        add(bytes.getBytesRef(), position, offset.startOffset(), offset.endOffset());
      }
      stream.end();
    }
  }

  /** Receives a token of the fast analysis. */
  private void token(int field, byte[] bytes, int offset, int size, int position) {
    term.bytes = bytes;
    term.offset = offset;
    term.length = size;
    add(term, position, 0, 0);
  }

  private void add(BytesRef bytes, int position, int start, int end) {
    if (tokens == places.length) {
      growTokens();
    }
    length += tokens == 0 || places[tokens - 1] != position ? 1 : 0;
    nexts[tokens] = NONE;
    places[tokens] = position;
    if (offsets) {
      starts[tokens] = start;
      ends[tokens] = end;
    }
    int id = terms.add(bytes);
    if (id >= 0) {
      if (id == counts.length) {
        growTerms();
      }
      counts[id] = 0;
      firsts[id] = tokens;
    } else {
      id = -1 - id;
      nexts[lasts[id]] = tokens;
    }
    counts[id]++;
    lasts[id] = tokens;
    tokens++;
  }

  private void growTokens() {
    int room = ArrayUtil.oversize(tokens + 1, Integer.BYTES);
    nexts = Arrays.copyOf(nexts, room);
    places = Arrays.copyOf(places, room);
    if (offsets) {
      starts = Arrays.copyOf(starts, room);
      ends = Arrays.copyOf(ends, room);
    }
  }

  /** Frees the memory of a long text. */
  private void forgetTokens() {
    nexts = new int[64];
    places = new int[64];
    starts = new int[offsets ? 64 : 0];
    ends = new int[offsets ? 64 : 0];
  }

  private void growTerms() {
    int room = ArrayUtil.oversize(counts.length + 1, Integer.BYTES);
    counts = Arrays.copyOf(counts, room);
    firsts = Arrays.copyOf(firsts, room);
    lasts = Arrays.copyOf(lasts, room);
  }

  /** Number of distinct terms. */
  int terms() {
    return terms.size();
  }

  /** The length of the text as norms count it: tokens at the position of the one before do not. */
  int length() {
    return length;
  }

  /** Writes the terms, of which there is at least one. Call it once for each text. */
  void write(TermVectorsWriter to) throws IOException {
    int count = terms.size();
    to.startField(info, count, positions, offsets, /* payloads= */ false);
    int[] sorted = terms.sort();
    for (int i = 0; i < count; i++) {
      int id = sorted[i];
      to.startTerm(terms.get(id, term), counts[id]);
      for (int token = firsts[id]; positions && token != NONE; token = nexts[token]) {
        to.addPosition(
            places[token], offsets ? starts[token] : -1, offsets ? ends[token] : -1, null);
      }
      to.finishTerm();
    }
    to.finishField();
  }
}
