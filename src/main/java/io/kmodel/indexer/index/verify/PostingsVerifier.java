package io.kmodel.indexer.index.verify;

import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.FieldStatistics;
import io.kmodel.indexer.index.model.IndexFiles;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.postings.DocsReader;
import io.kmodel.indexer.index.postings.PositionsReader;
import io.kmodel.indexer.index.postings.SkipTable;
import io.kmodel.indexer.index.terms.DictionaryReader;
import io.kmodel.indexer.index.terms.IndexContent;
import io.kmodel.indexer.index.terms.TermDictionaryWriter;
import io.kmodel.indexer.index.terms.TermEntry;
import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.store.InputFile;
import io.kmodel.indexer.task.Interruption;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.LongConsumer;

/**
 * The part of {@link IndexVerifier} that walks terms and postings. It checks the order of the terms
 * and the table that finds them; every document, frequency, position and offset; skip entries; the
 * ends of all lists; the fields' statistics; and the documents' lengths. Memory: 4 bytes per
 * document off-heap. Not thread-safe.
 */
final class PostingsVerifier implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 16;
  private static final int BLOCK_TERMS = TermDictionaryWriter.BLOCK_TERMS;

  /** Terms between two progress reports. */
  private static final int REPORT_TERMS = 1 << 14;

  private final InvertedIndex index;
  private final IndexContent content;
  private final Arena arena = Arena.ofConfined();

  /** Occurrences in each document in the current field; saturates at the largest int. */
  private final MemorySegment counts;

  private final DictionaryReader dictionary;
  private final DocsReader docs;
  private final PositionsReader positions;
  private final TermEntry last = new TermEntry();
  private int field;
  private long fieldTerms;
  private long fieldPostings;
  private long fieldTokens;
  private long terms;
  private long allPostings;
  private long allPositions;
  private long docsEnd;
  private long positionsEnd;

  public PostingsVerifier(InvertedIndex index) throws IOException {
    this.index = index;
    this.content = index.content();
    this.dictionary = new DictionaryReader(content, BUFFER_BYTES);
    this.docs = new DocsReader(content.docs(), content.documentCount(), BUFFER_BYTES);
    this.positions = new PositionsReader(content.positions(), BUFFER_BYTES);
    this.counts = arena.allocate(ValueLayout.JAVA_INT, Math.max(1, index.documentCount()));
  }

  /**
   * Walks all terms and postings.
   *
   * @param progress receives the bytes read so far
   */
  public void verify(LongConsumer progress) throws IOException {
    TermEntry term = dictionary.entry();
    docsEnd = content.docs().bodyStart();
    positionsEnd = content.positions().bodyStart();
    while (dictionary.next()) {
      verifyOrder(term);
      while (field < term.field()) {
        finishField();
      }
      verifyTerm(term);
      last.setKey(term.key, term.keyLength);
      if (++terms % REPORT_TERMS == 0) {
        Interruption.requireNone();
        progress.accept(dictionary.position() + docsEnd + positionsEnd);
      }
    }
    if (dictionary.position() != content.dictionary().bodyEnd()) {
      throw leftOver(content.dictionary(), dictionary.position());
    }
    if (docsEnd != content.docs().bodyEnd()) {
      throw leftOver(content.docs(), docsEnd);
    }
    if (positionsEnd != content.positions().bodyEnd()) {
      throw leftOver(content.positions(), positionsEnd);
    }
    while (field < index.schema().size()) {
      finishField();
    }
  }

  private void verifyOrder(TermEntry term) throws IOException {
    if (terms > 0 && term.compareKey(last.key, last.keyLength) <= 0) {
      throw content
          .dictionary()
          .corrupt(
              "term %d before offset %d is out of order".formatted(terms, dictionary.position()));
    }
    long inBlock = terms % BLOCK_TERMS;
    if (inBlock == 0 || inBlock == BLOCK_TERMS - 1 || terms == content.termIndex().terms() - 1) {
      long found = content.termIndex().find(term.key, term.keyLength);
      if (found != dictionary.block()) {
        throw index
            .file(IndexFiles.TERM_INDEX)
            .corrupt(
                "finds term %d in block %d, expected %d"
                    .formatted(terms, found, dictionary.block()));
      }
    }
  }

  private void verifyTerm(TermEntry term) throws IOException {
    if (term.docsStart != docsEnd || term.positionsStart != positionsEnd) {
      throw content
          .dictionary()
          .corrupt(
              "postings of term %d start at %d, %d, expected %d, %d"
                  .formatted(terms, term.docsStart, term.positionsStart, docsEnd, positionsEnd));
    }
    Detail detail = index.schema().field(field).detail();
    docs.reset(term, detail);
    positions.reset(term, docs.skips().positionsTail(), detail, true);
    long occurrences = 0;
    while (docs.next()) {
      occurrences += verifyBlock(detail);
      if (docs.count() == PostingsCursor.BLOCK) {
        verifySkipEntry(detail);
      }
    }
    if (occurrences != term.totalTermFreq) {
      throw content
          .docs()
          .corrupt(
              "frequencies of term %d sum to %d, expected %d"
                  .formatted(terms, occurrences, term.totalTermFreq));
    }
    verifyEnds(term, detail);
    docsEnd += term.docsBytes;
    positionsEnd += term.positionsBytes;
    fieldTerms++;
    fieldPostings += term.docFreq;
    fieldTokens += occurrences;
    allPositions += detail.hasPositions() ? occurrences : 0;
  }

  /** Counts a block's documents and walks their positions; returns the sum of the frequencies. */
  private long verifyBlock(Detail detail) throws IOException {
    int[] ids = docs.docs();
    int[] freqs = docs.freqs();
    long sum = 0;
    for (int i = 0; i < docs.count(); i++) {
      int before = counts.getAtIndex(ValueLayout.JAVA_INT, ids[i]);
      int after = (int) Math.min(Integer.MAX_VALUE, (long) before + freqs[i]);
      counts.setAtIndex(ValueLayout.JAVA_INT, ids[i], after);
      sum += freqs[i];
      if (detail.hasPositions()) {
        verifyPositions(ids[i], freqs[i], detail.hasOffsets());
      }
    }
    return sum;
  }

  /** Checks only the upper limits: the reader rejects negative gaps and lengths. */
  private void verifyPositions(int doc, int freq, boolean offsets) throws IOException {
    long position = 0;
    long start = 0;
    long end = 0;
    for (int i = 0; i < freq; i++) {
      position += positions.next();
      if (offsets) {
        start += positions.startGap();
        end = Math.max(end, start + positions.length());
      }
    }
    if (end > Integer.MAX_VALUE) {
      throw content
          .positions()
          .corrupt("term %d has an end at %d in document %d".formatted(terms, end, doc));
    }
    if (position > Integer.MAX_VALUE) {
      throw content
          .positions()
          .corrupt("term %d has position %d in document %d".formatted(terms, position, doc));
    }
  }

  private void verifySkipEntry(Detail detail) throws IOException {
    SkipTable skips = docs.skips();
    int block = docs.block();
    int lastDoc = docs.docs()[PostingsCursor.BLOCK - 1];
    boolean right = skips.lastDoc(block) == lastDoc && skips.docsOffset(block) == docs.offset();
    if (detail.hasPositions()) {
      right &=
          skips.positionsOffset(block) == positions.offset()
              && skips.consumed(block) == positions.consumed();
    }
    if (!right) {
      throw content
          .docs()
          .corrupt("skip entry %d of term %d is not where its block ends".formatted(block, terms));
    }
  }

  private void verifyEnds(TermEntry term, Detail detail) throws IOException {
    if (term.docFreq > 1 && docs.offset() != docs.skips().dataBytes()) {
      throw content
          .docs()
          .corrupt(
              "documents of term %d end after %d bytes, expected %d"
                  .formatted(terms, docs.offset(), docs.skips().dataBytes()));
    }
    if (detail.hasPositions() && !positions.atEnd()) {
      throw content
          .positions()
          .corrupt(
              "positions of term %d end before its %d bytes do"
                  .formatted(terms, term.positionsBytes));
    }
  }

  /** Compares the current field's counts with the recorded ones, then moves to the next field. */
  private void finishField() throws IOException {
    Field described = index.schema().field(field);
    int present = 0;
    for (int doc = 0; doc < index.documentCount(); doc++) {
      int count = counts.getAtIndex(ValueLayout.JAVA_INT, doc);
      present += count > 0 ? 1 : 0;
      verifyLength(described, doc, count);
    }
    FieldStatistics expected = index.statistics(field);
    FieldStatistics found = new FieldStatistics(fieldTerms, present, fieldPostings, fieldTokens);
    if (!found.equals(expected)) {
      throw new CorruptIndexException(
          index.directory().resolve(IndexFiles.METADATA).toString(),
          "field '%s' has %s, expected %s".formatted(described.name(), found, expected));
    }
    allPostings += fieldPostings;
    counts.fill((byte) 0);
    fieldTerms = 0;
    fieldPostings = 0;
    fieldTokens = 0;
    field++;
  }

  /**
   * A length leaves out tokens that share a position, so occurrences may exceed it. With weights it
   * is 1.
   */
  private void verifyLength(Field described, int doc, int count) throws IOException {
    if (!described.tokenized()) {
      int expected = described.detail().isIndexed() ? 1 : 0;
      boolean isMissing = count == 0 && index.schema().findColumn(described.name()) >= 0;
      if (count != expected && !isMissing) {
        throw content
            .docs()
            .corrupt(
                "document %d has %d terms in keyword field '%s', expected %d"
                    .formatted(doc, count, described.name(), expected));
      }
      return;
    }
    int length = index.length(field, doc);
    boolean right = length > 0 == count > 0;
    if (described.detail().hasFrequencies() && !index.metadata().hasGivenLengths()) {
      right &= described.detail().hasImpacts() ? length <= 1 : count >= length;
    }
    if (!right) {
      throw index
          .file(IndexFiles.lengths(described))
          .corrupt("document %d has length %d but %d occurrences".formatted(doc, length, count));
    }
  }

  private static CorruptIndexException leftOver(InputFile file, long end) {
    return file.corrupt("content ends at %d, expected %d".formatted(end, file.bodyEnd()));
  }

  long terms() {
    return terms;
  }

  long postings() {
    return allPostings;
  }

  long positions() {
    return allPositions;
  }

  @Override
  public void close() {
    arena.close();
  }
}
