package io.kmodel.indexer.index.documents;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;

/**
 * Which documents of an index stay if others are left out, and their numbers then.
 *
 * <p>Memory: 12 bytes for 64 documents, nothing if all stay. Thread-safe.
 */
public final class KeptDocuments {
  private final int documents;

  /** A bit for each document that is left out; empty if all stay. */
  private final long[] leftOut;

  /** By word of {@link #leftOut}: documents that stay and precede the word. */
  private final int[] before;

  private final int count;

  private KeptDocuments(int documents, long[] leftOut) {
    this.documents = documents;
    this.leftOut = leftOut;
    this.before = new int[leftOut.length];
    int kept = 0;
    for (int word = 0; word < leftOut.length; word++) {
      before[word] = kept;
      kept += Long.SIZE - Long.bitCount(leftOut[word]);
    }
    // The bits behind the last document are 0.
    this.count = leftOut.length == 0 ? documents : kept - (Long.SIZE * leftOut.length - documents);
  }

  /** All documents. */
  public static KeptDocuments all(int documents) {
    return new KeptDocuments(documents, new long[0]);
  }

  /**
   * All documents but some.
   *
   * @throws IllegalArgumentException if one is left out that is not there
   */
  public static KeptDocuments without(BitSet leftOut, int documents) {
    if (leftOut.length() > documents) {
      throw new IllegalArgumentException(
          "document %d of %d".formatted(leftOut.length() - 1, documents));
    }
    if (leftOut.isEmpty()) {
      return all(documents);
    }
    int words = Math.ceilDiv(documents, Long.SIZE);
    return new KeptDocuments(documents, Arrays.copyOf(leftOut.toLongArray(), words));
  }

  /** How many stay. */
  public int count() {
    return count;
  }

  /** Whether none is left out. */
  public boolean isAll() {
    return count == documents;
  }

  public boolean isKept(int doc) {
    Objects.checkIndex(doc, documents);
    return isAll() || (leftOut[doc / Long.SIZE] >>> doc & 1) == 0;
  }

  /**
   * The documents that stay and precede one: its number, if it stays.
   *
   * @param doc a document, or the number of documents
   */
  public int number(int doc) {
    Objects.checkIndex(doc, documents + 1);
    if (isAll()) {
      return doc;
    }
    if (doc == documents) {
      return count;
    }
    int word = doc / Long.SIZE;
    long bitsBefore = leftOut[word] & ((1L << doc) - 1);
    return before[word] + doc % Long.SIZE - Long.bitCount(bitsBefore);
  }
}
