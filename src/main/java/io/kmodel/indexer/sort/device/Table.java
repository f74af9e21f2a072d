package io.kmodel.indexer.sort.device;

import java.util.Arrays;

/** Rows of words, the structs of a kernel. Grows; at most 2^31 words. */
public final class Table {
  private final int width;
  private long[] words;
  private int rows;

  public Table(int width) {
    this.width = width;
    this.words = new long[16 * width];
  }

  public int rows() {
    return rows;
  }

  public long get(int row, int column) {
    return words[row * width + column];
  }

  /** Adds a row. Missing words are 0. */
  public void add(long... row) {
    int at = rows * width;
    if (at == words.length) {
      words = Arrays.copyOf(words, 2 * words.length);
    }
    Arrays.fill(words, at, at + width, 0);
    System.arraycopy(row, 0, words, at, row.length);
    rows++;
  }

  public void set(int row, int column, long word) {
    words[row * width + column] = word;
  }

  /** Sends the rows to memory that has room for so many. */
  public void put(DeviceLane lane, long address, long most) {
    if (rows > most) {
      throw new IllegalStateException(
          "a sort plans %d rows in memory for %d".formatted(rows, most));
    }
    lane.put(address, words, rows * width);
  }

  /** Replaces the rows by those in device memory; waits for everything queued. */
  public void get(DeviceLane lane, long address) {
    words = lane.get(address, rows * width);
  }
}
