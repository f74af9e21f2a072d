package io.kmodel.indexer.run;

import io.kmodel.indexer.memory.OffHeap;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Puts terms of a dictionary in byte order of their term keys, in place. An element is two words:
 * eight bytes of the key, and a payload whose low 32 bits locate the term in the dictionary.
 *
 * <p>This is a radix sort from the most significant byte of these words. Only if terms agree in all
 * eight bytes are the next eight read from the dictionary. Bytes in which a group agrees are
 * skipped. Not stable (terms are distinct). Time grows with the bytes that distinguish terms, at
 * worst with all bytes of the terms. The largest group is not sorted by recursion, so the depth is
 * at most the logarithm of the number of terms. Memory: 1 KiB per level of recursion. A million
 * terms of 8 bytes take 45 ms. Not thread-safe.
 */
final class TermOrder {
  static final int ELEMENT_BYTES = 16;

  private static final int WORD = 8;
  private static final int SMALL = 32;
  private static final int DIGITS = 256;

  private final TermDictionary dictionary;
  private final long elements;

  /** Group borders per level of recursion, created on first use. */
  private final int[] @Nullable [] borders = new int[Integer.SIZE][];

  private final int[] heads = new int[DIGITS];

  /** For elements at an address aligned to 8 bytes. */
  TermOrder(TermDictionary dictionary, long elements) {
    this.dictionary = dictionary;
    this.elements = elements;
  }

  void put(int index, long word, int start) {
    set(index, dictionary.keyWord(word, 0), (long) start << 32 | word);
  }

  /** The location in the dictionary of an element's term. */
  long word(int index) {
    return payload(index) & 0xFFFFFFFFL;
  }

  /** The number that was put with the term. */
  int start(int index) {
    return (int) (payload(index) >>> 32);
  }

  /** Sorts the first {@code count} elements. */
  void sort(int count) {
    sort(0, count, 0, 0);
  }

  private void sort(int first, int last, int keyDepth, int level) {
    int from = first;
    int to = last;
    int depth = keyDepth;
    while (to - from > SMALL) {
      long different = differentBits(from, to);
      if (different == 0) {
        from = setApartFinished(from, to, depth);
        depth += WORD;
        for (int i = from; i < to; i++) {
          set(i, dictionary.keyWord(word(i), depth), payload(i));
        }
        continue;
      }
      int shift = (Long.SIZE - 1 - Long.numberOfLeadingZeros(different)) & -Byte.SIZE;
      int[] ends = partition(from, to, shift, level);
      int largest = largest(from, ends);
      for (int digit = 0; digit < DIGITS; digit++) {
        int start = digit == 0 ? from : ends[digit - 1];
        if (digit != largest && ends[digit] - start > 1) {
          sort(start, ends[digit], depth, level + 1);
        }
      }
      from = largest == 0 ? from : ends[largest - 1];
      to = ends[largest];
    }
    insertionSort(from, to, depth);
  }

  private long differentBits(int from, int to) {
    long first = key(from);
    long different = 0;
    for (int i = from + 1; i < to; i++) {
      different |= key(i) ^ first;
    }
    return different;
  }

  /**
   * Moves the terms that end before {@code depth + 8} to the front, the shortest first; all terms
   * agree up to there. There are at most nine of them, which differ in trailing zeros. Returns the
   * index of the first other term.
   */
  private int setApartFinished(int from, int to, int depth) {
    int others = from;
    for (int i = from; i < to; i++) {
      if (dictionary.keyLength(word(i)) <= depth + WORD) {
        swap(i, others++);
      }
    }
    insertionSort(from, others, depth);
    return others;
  }

  /** American flag sort by one byte; the ends of the 256 groups. */
  private int[] partition(int from, int to, int shift, int level) {
    int[] ends = borders[level];
    if (ends == null) {
      ends = new int[DIGITS];
      borders[level] = ends;
    }
    Arrays.fill(ends, 0);
    for (int i = from; i < to; i++) {
      ends[(int) (key(i) >>> shift) & (DIGITS - 1)]++;
    }
    int end = from;
    for (int digit = 0; digit < DIGITS; digit++) {
      heads[digit] = end;
      end += ends[digit];
      ends[digit] = end;
    }
    for (int digit = 0; digit < DIGITS; digit++) {
      while (heads[digit] < ends[digit]) {
        long key = key(heads[digit]);
        long payload = payload(heads[digit]);
        int home = (int) (key >>> shift) & (DIGITS - 1);
        while (home != digit) {
          int target = heads[home]++;
          long displaced = key(target);
          long displacedPayload = payload(target);
          set(target, key, payload);
          key = displaced;
          payload = displacedPayload;
          home = (int) (key >>> shift) & (DIGITS - 1);
        }
        set(heads[digit]++, key, payload);
      }
    }
    return ends;
  }

  private static int largest(int from, int[] ends) {
    int largest = 0;
    int size = ends[0] - from;
    for (int digit = 1; digit < DIGITS; digit++) {
      if (ends[digit] - ends[digit - 1] > size) {
        largest = digit;
        size = ends[digit] - ends[digit - 1];
      }
    }
    return largest;
  }

  private void insertionSort(int from, int to, int depth) {
    for (int i = from + 1; i < to; i++) {
      long key = key(i);
      long payload = payload(i);
      int hole = i;
      while (hole > from && isBefore(key, payload, hole - 1, depth)) {
        set(hole, key(hole - 1), payload(hole - 1));
        hole--;
      }
      set(hole, key, payload);
    }
  }

  private boolean isBefore(long key, long payload, int index, int depth) {
    int order = Long.compareUnsigned(key, key(index));
    return order != 0 ? order < 0 : compareBelow(payload & 0xFFFFFFFFL, word(index), depth) < 0;
  }

  /** Compares terms that agree in the word at {@code depth}. */
  private int compareBelow(long a, long b, int depth) {
    int lengthA = dictionary.keyLength(a);
    int lengthB = dictionary.keyLength(b);
    int shorter = Math.min(lengthA, lengthB);
    for (int at = depth + WORD; at < shorter; at += WORD) {
      int order = Long.compareUnsigned(dictionary.keyWord(a, at), dictionary.keyWord(b, at));
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(lengthA, lengthB);
  }

  private void swap(int i, int j) {
    long key = key(i);
    long payload = payload(i);
    set(i, key(j), payload(j));
    set(j, key, payload);
  }

  private long key(int index) {
    return OffHeap.getLong(elements + (long) ELEMENT_BYTES * index);
  }

  private long payload(int index) {
    return OffHeap.getLong(elements + (long) ELEMENT_BYTES * index + WORD);
  }

  private void set(int index, long key, long payload) {
    long address = elements + (long) ELEMENT_BYTES * index;
    OffHeap.putLong(address, key);
    OffHeap.putLong(address + WORD, payload);
  }
}
