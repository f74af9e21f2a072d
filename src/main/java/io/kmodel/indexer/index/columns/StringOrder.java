package io.kmodel.indexer.index.columns;

import java.io.IOException;
import java.util.Arrays;
import java.util.PriorityQueue;

/**
 * The distinct strings of a range of documents, numbered in the order of their bytes. The sorted
 * strings of all blocks are merged through a heap. Memory: 4 bytes for each distinct string of each
 * block, and 8 for each distinct string. While they are merged, 4 and 12 bytes more, and for each
 * block about 100 bytes and one string, at most 4,096 bytes. Immutable.
 */
public final class StringOrder {
  /** A block of strings while they are merged. */
  private static final class Cursor {
    final int block;
    final int[] wanted;
    int next;
    byte[] string = {};

    Cursor(int block, int[] wanted) {
      this.block = block;
      this.wanted = wanted;
    }
  }

  private final int firstBlock;

  /** By block and place: the number of the string. */
  private final int[][] numbers;

  /** By number: a block and a place that has it, as the halves of a long. */
  private long[] places = new long[16];

  private int size;

  private StringOrder(int firstBlock, int blocks) {
    this.firstBlock = firstBlock;
    this.numbers = new int[blocks][];
  }

  /**
   * Puts the strings of the documents {@code from} to {@code to - 1} in order.
   *
   * @param reader of a column of strings
   */
  public static StringOrder of(ColumnReader reader, int from, int to) throws IOException {
    int first = from / ColumnReader.BLOCK;
    int last = from == to ? first - 1 : (to - 1) / ColumnReader.BLOCK;
    StringOrder order = new StringOrder(first, last - first + 1);
    PriorityQueue<Cursor> heap =
        new PriorityQueue<>(
            Math.max(1, last - first + 1),
            (a, b) -> {
              int byString = Arrays.compareUnsigned(a.string, b.string);
              return byString == 0 ? Integer.compare(a.block, b.block) : byString;
            });
    for (int block = first; block <= last; block++) {
      order.numbers[block - first] = new int[reader.load(block)];
      Cursor cursor = new Cursor(block, wanted(reader, block, from, to));
      if (advance(cursor, reader)) {
        heap.add(cursor);
      }
    }
    order.merge(heap, reader);
    return order;
  }

  /** The places of the strings that documents of the range have. */
  private static int[] wanted(ColumnReader reader, int block, int from, int to) throws IOException {
    boolean[] used = new boolean[reader.load(block)];
    int start = Math.max(from, block * ColumnReader.BLOCK);
    long end = Math.min(to, (block + 1L) * ColumnReader.BLOCK);
    int[] wanted = new int[used.length];
    int count = 0;
    for (int doc = start; doc < end; doc++) {
      if (reader.has(doc)) {
        used[reader.place(doc)] = true;
      }
    }
    for (int place = 0; place < used.length; place++) {
      if (used[place]) {
        wanted[count++] = place;
      }
    }
    return Arrays.copyOf(wanted, count);
  }

  private static boolean advance(Cursor cursor, ColumnReader reader) throws IOException {
    if (cursor.next == cursor.wanted.length) {
      return false;
    }
    reader.load(cursor.block);
    cursor.string = reader.distinct(cursor.wanted[cursor.next++]);
    return true;
  }

  private void merge(PriorityQueue<Cursor> heap, ColumnReader reader) throws IOException {
    byte[] last = null;
    while (!heap.isEmpty()) {
      Cursor cursor = heap.remove();
      int place = cursor.wanted[cursor.next - 1];
      if (last == null || !Arrays.equals(last, cursor.string)) {
        add((long) cursor.block << Integer.SIZE | place);
        last = cursor.string;
      }
      numbers[cursor.block - firstBlock][place] = size - 1;
      if (advance(cursor, reader)) {
        heap.add(cursor);
      }
    }
    places = Arrays.copyOf(places, size);
  }

  private void add(long place) {
    if (size == places.length) {
      places = Arrays.copyOf(places, size + (size >> 1));
    }
    places[size++] = place;
  }

  /** The number of distinct strings. */
  public int size() {
    return size;
  }

  /** The number of a document's string; the document is in the range and has one. */
  public int number(ColumnReader reader, int doc) throws IOException {
    return numbers[doc / ColumnReader.BLOCK - firstBlock][reader.place(doc)];
  }

  /** The UTF-8 of a string. */
  public byte[] string(ColumnReader reader, int number) throws IOException {
    long place = places[number];
    reader.load((int) (place >>> Integer.SIZE));
    return reader.distinct((int) place);
  }
}
