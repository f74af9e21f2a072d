package io.kmodel.indexer.indexing.order;

import java.io.IOException;

/**
 * The terms of some documents on the heap. Documents and terms have numbers that count only those
 * here, in their order elsewhere. Left out are terms without influence on how the documents are
 * split: those in one of them, or in all.
 *
 * <p>Memory: 4 bytes per posting and document.
 */
final class PartForward implements Forward {
  private final int[] starts;
  private final int[] postings;
  private final int terms;

  private PartForward(int[] starts, int[] postings, int terms) {
    this.starts = starts;
    this.postings = postings;
    this.terms = terms;
  }

  /** Heap for a document, its partition and all in it, until they are split. */
  static long bytes(int terms) {
    return (2L * terms + 8) * Integer.BYTES;
  }

  /**
   * Selects documents.
   *
   * @param docs {@code docs[from]} to {@code docs[to - 1]} are the documents, ascending
   */
  static PartForward of(Forward all, int[] docs, int from, int to) throws IOException {
    int[] counts = new int[all.terms()];
    Reader reader = all.reader();
    for (int i = from; i < to; i++) {
      reader.load(docs[i]);
      for (int at = reader.from; at < reader.to; at++) {
        counts[reader.terms[at]]++;
      }
    }
    int[] numbers = counts;
    int terms = 0;
    long size = 0;
    for (int term = 0; term < counts.length; term++) {
      boolean matters = Gains.matters(counts[term], to - from);
      size += matters ? counts[term] : 0;
      numbers[term] = matters ? terms++ : -1;
    }
    int[] starts = new int[to - from + 1];
    int[] postings = new int[Math.toIntExact(size)];
    int end = 0;
    for (int i = from; i < to; i++) {
      reader.load(docs[i]);
      for (int at = reader.from; at < reader.to; at++) {
        int number = numbers[reader.terms[at]];
        if (number >= 0) {
          postings[end++] = number;
        }
      }
      starts[i - from + 1] = end;
    }
    return new PartForward(starts, postings, terms);
  }

  @Override
  public int terms() {
    return terms;
  }

  @Override
  public Reader reader() {
    Reader reader =
        new Reader() {
          @Override
          void load(int doc) {
            from = starts[doc];
            to = starts[doc + 1];
          }
        };
    reader.terms = postings;
    return reader;
  }
}
