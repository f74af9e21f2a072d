package io.kmodel.indexer.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.memory.OffHeap;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class TermOrderTest {
  @Property(tries = 300)
  void termsOfFewBytesAndAnyLengthAreInByteOrder(
      @ForAll long seed,
      @ForAll @IntRange(max = 400) int count,
      @ForAll @IntRange(max = 30) int maxLength,
      @ForAll @IntRange(min = 1, max = 255) int bytes) {
    SplittableRandom random = new SplittableRandom(seed);
    Collection<byte[]> keys = new TreeSet<>(Arrays::compareUnsigned);
    for (int i = 0; i < count; i++) {
      byte[] key = new byte[1 + random.nextInt(maxLength + 1)];
      random.nextBytes(key);
      for (int j = 0; j < key.length; j++) {
        key[j] = (byte) ((key[j] & 0xFF) % bytes);
      }
      keys.add(key);
    }
    assertOrder(keys, random);
  }

  @Test
  void emptyTermsAndTermsThatEndInZerosComeFirst() {
    Collection<byte[]> keys = new TreeSet<>(Arrays::compareUnsigned);
    for (int field : new int[] {0, 1, 127, 128, 255}) {
      for (int length = 1; length < 40; length++) {
        byte[] zeros = new byte[length];
        zeros[0] = (byte) field;
        keys.add(zeros);
        byte[] letters = new byte[length];
        Arrays.fill(letters, (byte) 'a');
        letters[0] = (byte) field;
        keys.add(letters);
      }
    }
    assertOrder(keys, new SplittableRandom(1));
  }

  @Test
  void termsOfManyKilobytesWithALongCommonBeginningNeedNoDeepRecursion() {
    Collection<byte[]> keys = new TreeSet<>(Arrays::compareUnsigned);
    for (int length = 1; length < 2000; length++) {
      keys.add(new byte[16 * length]);
      byte[] last = new byte[32 << 10];
      last[last.length - 1] = (byte) length;
      last[last.length - 2] = (byte) (length >> 8);
      if (length < 300) {
        keys.add(last);
      }
    }
    assertOrder(keys, new SplittableRandom(2));
  }

  private static void assertOrder(Collection<byte[]> sorted, SplittableRandom random) {
    List<byte[]> shuffled = new ArrayList<>(sorted);
    for (int i = shuffled.size() - 1; i > 0; i--) {
      Collections.swap(shuffled, i, random.nextInt(i + 1));
    }
    try (Arena arena = Arena.ofConfined()) {
      TermDictionary dictionary =
          new TermDictionary(OffHeap.allocate(64 << 20, arena), Long.MAX_VALUE, random::nextLong);
      long elements =
          OffHeap.allocate((long) TermOrder.ELEMENT_BYTES * sorted.size(), arena).address();
      for (byte[] key : shuffled) {
        dictionary.intern(key[0] & 0xFF, key, 1, key.length - 1);
      }
      TermOrder order = new TermOrder(dictionary, elements);
      long word = dictionary.firstWord();
      for (int i = 0; i < dictionary.size(); i++) {
        order.put(i, word, Integer.MAX_VALUE - i);
        word = dictionary.wordAfter(word);
      }
      order.sort(dictionary.size());
      assertThat(dictionary.size()).isEqualTo(sorted.size());
      int i = 0;
      for (byte[] expected : sorted) {
        int length = dictionary.keyLength(order.word(i));
        byte[] key = new byte[length + Long.BYTES];
        dictionary.copyKey(order.word(i), key);
        assertThat(Arrays.copyOf(key, length)).isEqualTo(expected);
        int put = Integer.MAX_VALUE - order.start(i);
        assertThat(dictionary.termId(order.word(i))).isEqualTo(put);
        i++;
      }
    }
  }
}
