package io.kmodel.indexer.source;

import java.util.Arrays;

/**
 * The terms of a document with their weights, as a collection gives them. Terms are UTF-8 of any
 * kind, taken as they are; they lie in the record's bytes, or in others if they were escaped there.
 * A reader reuses its vector for the next document. Memory: the record, and 12 bytes per term. Not
 * thread-safe.
 */
public final class SparseVector {
  /**
   * The largest weight of a term: what a run's packed key has room for beside the term and the
   * document.
   */
  public static final int MAX_WEIGHT = (1 << 20) - 1;

  private static final int FEW = 256;

  /** Arrays of more terms are not kept for the next document. */
  private static final int MANY = 1 << 16;

  private byte[] record = {};
  private byte[] unescaped = {};

  /** Where terms start in the record; negative for one that starts at ~start of the others. */
  private int[] starts = new int[FEW];

  private int[] lengths = new int[FEW];
  private int[] weights = new int[FEW];
  private int size;
  private long termBytes;

  /** Removes all terms. The next ones lie in a record. */
  public void clear(byte[] nextRecord) {
    record = nextRecord;
    size = 0;
    termBytes = 0;
    if (starts.length > MANY) {
      starts = new int[FEW];
      lengths = new int[FEW];
      weights = new int[FEW];
    }
  }

  /**
   * Adds a term of the record.
   *
   * @param weight at least 1
   */
  public void add(int start, int length, int weight) {
    if (size == starts.length) {
      starts = Arrays.copyOf(starts, 2 * size);
      lengths = Arrays.copyOf(lengths, 2 * size);
      weights = Arrays.copyOf(weights, 2 * size);
    }
    starts[size] = start;
    lengths[size] = length;
    weights[size] = weight;
    size++;
    termBytes += length;
  }

  /** Adds a term of other bytes; all such terms lie in the array of the last call. */
  public void addUnescaped(byte[] bytes, int start, int length, int weight) {
    unescaped = bytes;
    add(~start, length, weight);
  }

  /** Number of terms. */
  public int size() {
    return size;
  }

  /** Bytes of all terms together. */
  public long termBytes() {
    return termBytes;
  }

  /** Contains the i-th term from {@link #start} on; belongs to the reader. */
  public byte[] bytes(int i) {
    return starts[i] < 0 ? unescaped : record;
  }

  public int start(int i) {
    return starts[i] < 0 ? ~starts[i] : starts[i];
  }

  /** Length of the i-th term in bytes. */
  public int length(int i) {
    return lengths[i];
  }

  /** Weight of the i-th term, at least 1. */
  public int weight(int i) {
    return weights[i];
  }

  /** A copy that stays valid. */
  public SparseVector copy() {
    SparseVector copy = new SparseVector();
    copy.record = record.clone();
    copy.unescaped = unescaped.clone();
    copy.starts = starts.clone();
    copy.lengths = lengths.clone();
    copy.weights = weights.clone();
    copy.size = size;
    copy.termBytes = termBytes;
    return copy;
  }
}
