package io.kmodel.indexer.index.verify;

import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.TermCursor;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.IndexFiles;
import io.kmodel.indexer.index.postings.PostingList;
import io.kmodel.indexer.task.Interruption;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Recounts the length of every document in a field: the number of positions that hold a term,
 * counting shared positions once. A range of documents marks its positions in one bit each; {@link
 * #MOST_BITS} and {@link #MOST_DOCUMENTS} limit its size. Each range takes a pass over the field's
 * lists. Memory, off-heap: 4 bytes per document, and per range up to 48 MiB for counts and 128 MiB
 * for marks (256 MiB if a document has a position near 2^31). Not thread-safe.
 */
final class LengthRecount implements AutoCloseable {
  private static final long MOST_BITS = 1L << 30;
  private static final int MOST_DOCUMENTS = 1 << 22;

  private final InvertedIndex index;
  private final int field;
  private final int documents;
  private final Arena arena = Arena.ofConfined();

  /** The last position of each document, or -1. */
  private final MemorySegment lastPositions;

  /** The first document of the current range, and the document after its last. */
  private int from;

  private int to;

  public LengthRecount(InvertedIndex index, int field) {
    this.index = index;
    this.field = field;
    this.documents = index.documentCount();
    this.lastPositions = arena.allocate(ValueLayout.JAVA_INT, Math.max(1, documents));
    lastPositions.fill((byte) -1);
  }

  /** Whether document lengths can be derived from the field's positions. */
  static boolean applies(InvertedIndex index, int field) {
    Field described = index.schema().field(field);
    return described.tokenized()
        && described.detail().hasPositions()
        && !index.metadata().hasGivenLengths();
  }

  /**
   * Recounts all lengths and compares them with the stored ones.
   *
   * @param progress receives the number of documents of each range when it is done
   * @return the number of documents
   */
  public long verify(LongConsumer progress) throws IOException {
    findLastPositions();
    while (to < documents) {
      from = to;
      long bits = 0;
      do {
        bits += last(to) + 1L;
        to++;
      } while (to < documents && to - from < MOST_DOCUMENTS && bits + last(to) + 1 <= MOST_BITS);
      verifyRange(bits);
      progress.accept(to - from);
    }
    return documents;
  }

  private int last(int doc) {
    return lastPositions.getAtIndex(ValueLayout.JAVA_INT, doc);
  }

  private void findLastPositions() throws IOException {
    TermCursor terms = index.terms(field);
    PostingList list = null;
    while (terms.next()) {
      Interruption.requireNone();
      list = terms.postings(list, Detail.POSITIONS);
      for (int doc = list.nextDoc(); doc != PostingList.END; doc = list.nextDoc()) {
        int position = -1;
        for (int left = list.freq(); left > 0; left--) {
          position = list.nextPosition();
        }
        lastPositions.setAtIndex(ValueLayout.JAVA_INT, doc, Math.max(last(doc), position));
      }
    }
  }

  private void verifyRange(long bits) throws IOException {
    try (Arena range = Arena.ofConfined()) {
      MemorySegment starts = range.allocate(ValueLayout.JAVA_LONG, to - from);
      MemorySegment counts = range.allocate(ValueLayout.JAVA_INT, to - from);
      MemorySegment marks = range.allocate(ValueLayout.JAVA_LONG, bits / Long.SIZE + 1);
      long start = 0;
      for (int doc = from; doc < to; doc++) {
        starts.setAtIndex(ValueLayout.JAVA_LONG, doc - from, start);
        start += last(doc) + 1L;
      }
      count(starts, marks, counts);
      for (int doc = from; doc < to; doc++) {
        compare(doc, counts.getAtIndex(ValueLayout.JAVA_INT, doc - from));
      }
    }
  }

  private void count(MemorySegment starts, MemorySegment marks, MemorySegment counts)
      throws IOException {
    TermCursor terms = index.terms(field);
    @Nullable PostingList reuse = null;
    while (terms.next()) {
      Interruption.requireNone();
      PostingList list = terms.postings(reuse, Detail.POSITIONS);
      reuse = list;
      for (int doc = list.advance(from); doc < to; doc = list.nextDoc()) {
        long start = starts.getAtIndex(ValueLayout.JAVA_LONG, doc - from);
        int added = 0;
        for (int left = list.freq(); left > 0; left--) {
          added += mark(marks, start + list.nextPosition());
        }
        int before = counts.getAtIndex(ValueLayout.JAVA_INT, doc - from);
        counts.setAtIndex(ValueLayout.JAVA_INT, doc - from, before + added);
      }
    }
  }

  /** Marks a bit; returns 1 if it was unmarked. */
  private static int mark(MemorySegment marks, long bit) {
    long word = marks.getAtIndex(ValueLayout.JAVA_LONG, bit / Long.SIZE);
    marks.setAtIndex(ValueLayout.JAVA_LONG, bit / Long.SIZE, word | 1L << bit);
    return (int) (~word >>> bit & 1);
  }

  private void compare(int doc, int count) throws IOException {
    int length = index.length(field, doc);
    if (length != count) {
      Field described = index.schema().field(field);
      throw index
          .file(IndexFiles.lengths(described))
          .corrupt(
              "document %d has length %d, but terms at %d positions".formatted(doc, length, count));
    }
  }

  @Override
  public void close() {
    arena.close();
  }
}
