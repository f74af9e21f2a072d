package io.kmodel.indexer.indexing.merge;

import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.index.postings.GapBits;
import io.kmodel.indexer.indexing.order.DocumentOrder;
import io.kmodel.indexer.task.Interruption;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The lists of a cursor with the documents in another order. Each list is sorted on the heap; one
 * that is too long for that is sorted in chunks, which are merged from a file.
 *
 * <p>Memory: the limit, and one document's positions beyond it. Not thread-safe. Closing closes the
 * cursor and deletes the file, if there is one.
 */
final class ReorderedCursor implements PostingsCursor {
  private final PostingsCursor lists;
  private final GapBits gaps;
  private final Schema schema;
  private final DocumentOrder order;
  private final long bytes;
  private final Path file;
  private final ListChunk chunk = new ListChunk();
  private final int[] docs = new int[BLOCK];
  private final int[] freqs = new int[BLOCK];
  private final int[] deltas = new int[COLUMNS];

  /** The chunks of a list that did not fit. */
  private @Nullable ListRuns runs;

  private Detail detail = Detail.DOCUMENTS;

  /** Whether the list was sorted. */
  private boolean ready;

  /**
   * Sorts lists.
   *
   * @param gaps gets the documents as the cursor has them
   * @param bytes heap for a list
   * @param file for a list that needs more; nothing else uses it
   */
  ReorderedCursor(
      PostingsCursor lists,
      GapBits gaps,
      Schema schema,
      DocumentOrder order,
      long bytes,
      Path file) {
    this.lists = lists;
    this.gaps = gaps;
    this.schema = schema;
    this.order = order;
    this.bytes = bytes;
    this.file = file;
  }

  @Override
  public boolean nextTerm() throws IOException {
    Interruption.requireNone();
    deleteRuns();
    ready = false;
    if (!lists.nextTerm()) {
      return false;
    }
    detail = schema.field(term()[0] & 0xFF).detail();
    return true;
  }

  @Override
  public byte[] term() {
    return lists.term();
  }

  @Override
  public int termLength() {
    return lists.termLength();
  }

  @Override
  public int docFreq() {
    return lists.docFreq();
  }

  @Override
  public long totalTermFreq() {
    return lists.totalTermFreq();
  }

  @Override
  public int nextDocs(int[] to, int[] freqsTo) throws IOException {
    if (!ready) {
      sort();
      ready = true;
    }
    int n = chunk.nextDocs(to, freqsTo);
    if (n == 0 && runs != null) {
      chunk.clear();
      runs.read(chunk, BLOCK, bytes, columns());
      chunk.sort();
      n = chunk.nextDocs(to, freqsTo);
    }
    return n;
  }

  @Override
  public int nextPositions(int[] to) {
    return chunk.nextPositions(to);
  }

  /** Values per position. */
  private int columns() {
    return detail.hasOffsets() ? 3 : detail.hasPositions() ? 1 : 0;
  }

  private void sort() throws IOException {
    chunk.shrink(bytes);
    chunk.start(detail.hasPositions(), detail.hasOffsets());
    for (int n = lists.nextDocs(docs, freqs); n > 0; n = lists.nextDocs(docs, freqs)) {
      gaps.add(docs, n);
      int at = 0;
      int end = 0;
      for (int i = 0; i < n; i++) {
        if (chunk.bytes() >= bytes) {
          spill();
        }
        chunk.add(order.newDoc(docs[i]), freqs[i]);
        for (int left = detail.hasPositions() ? freqs[i] : 0; left > 0; ) {
          if (at == end) {
            end = lists.nextPositions(deltas);
            at = 0;
            if (end == 0) {
              throw new IllegalStateException(
                  "a list has fewer positions than its frequencies say");
            }
          }
          int take = Math.min(left, end - at);
          chunk.addPositions(deltas, at, take);
          at += take;
          left -= take;
        }
      }
    }
    gaps.finishTerm();
    ListRuns written = runs;
    if (written == null) {
      chunk.sort();
      return;
    }
    spill();
    written.merge(bytes / 2);
  }

  /** Writes the postings so far to the file. */
  private void spill() throws IOException {
    ListRuns to = runs;
    if (to == null) {
      to = new ListRuns(file);
      runs = to;
    }
    chunk.sort();
    to.write(chunk);
    chunk.clear();
  }

  private void deleteRuns() throws IOException {
    ListRuns written = runs;
    runs = null;
    if (written != null) {
      written.close();
    }
  }

  @Override
  public void close() throws IOException {
    try (lists) {
      deleteRuns();
    }
  }
}
