package io.kmodel.indexer.sort.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.Tier;
import io.kmodel.indexer.sort.KModelSchedule.Mode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KModelSorterTest {

  @ParameterizedTest
  @EnumSource(Mode.class)
  void everySequenceOfZerosAndOnesIsSorted(Mode mode) {
    for (int n = 0; n <= Tier.pick(10, 13); n++) {
      for (int bits = 0; bits < 1 << n; bits++) {
        assertZeroOneSorted(n, bits, 2, 0, mode);
      }
    }
    for (int bits = 0; bits < 1 << 17; bits += Tier.pick(47, 3)) {
      assertZeroOneSorted(17, bits, 3, 1, mode);
    }
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void everySequenceOfZerosAndOnesIsSortedByTheSmallestMachine(Mode mode) {
    for (int n = 0; n <= Tier.pick(8, 10); n++) {
      for (int bits = 0; bits < 1 << n; bits++) {
        assertZeroOneSorted(n, bits, 1, 0, mode);
      }
    }
  }

  private static void assertZeroOneSorted(int n, int bits, int log2Sigma, int log2K, Mode mode) {
    long[] keys = new long[n];
    for (int i = 0; i < n; i++) {
      keys[i] = bits >>> i & 1L;
    }
    KModelSorter.sort(MemorySegment.ofArray(keys), n, log2Sigma, log2K, mode);
    int zeros = n - Integer.bitCount(bits & ((1 << n) - 1));
    for (int i = 0; i < n; i++) {
      if (keys[i] != (i < zeros ? 0 : 1)) {
        throw new AssertionError(
            "n %d, input %s, output %s"
                .formatted(n, Integer.toBinaryString(bits), Arrays.toString(keys)));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void sizesAroundEveryBoundaryAreSorted(Mode mode) {
    TreeSet<Integer> sizes = new TreeSet<>();
    for (int log2N = 0; log2N <= Tier.pick(11, 13); log2N++) {
      for (int delta : new int[] {-3, -1, 0, 1, 5}) {
        sizes.add(Math.max(0, (1 << log2N) + delta));
        sizes.add(Math.max(0, 3 * (1 << log2N) / 2 + delta));
      }
    }
    for (int log2Sigma = 3; log2Sigma <= 8; log2Sigma++) {
      for (int log2K = 0; log2K < Math.min(log2Sigma, 4); log2K++) {
        for (int n : sizes) {
          assertSorted(randomKeys(n, 31L * n + log2Sigma), log2Sigma, log2K, mode);
        }
      }
    }
  }

  @Property(tries = 300)
  void anyKeysAreSortedInUnsignedOrder(
      @ForAll @Size(max = 600) long[] keys,
      @ForAll @IntRange(min = 1, max = 9) int log2Sigma,
      @ForAll @IntRange(max = 8) int log2K,
      @ForAll Mode mode) {
    assertSorted(keys, log2Sigma, Math.min(log2K, log2Sigma - 1), mode);
  }

  @Test
  void keysOffTheHeapAreSortedAndKeysPastTheCountAreLeftAlone() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment keys = arena.allocate(8 * 101, 8);
      for (int i = 0; i < 101; i++) {
        keys.setAtIndex(ValueLayout.JAVA_LONG, i, 1000 - i);
      }
      KModelSorter.sort(keys, 100, 4, 1, Mode.CROSS_STAGE);
      for (int i = 0; i < 100; i++) {
        assertThat(keys.getAtIndex(ValueLayout.JAVA_LONG, i)).isEqualTo(901 + i);
      }
      assertThat(keys.getAtIndex(ValueLayout.JAVA_LONG, 100)).isEqualTo(900);
    }
  }

  @Test
  void aSegmentThatIsTooShortIsRejected() {
    assertThatThrownBy(
            () -> KModelSorter.sort(MemorySegment.ofArray(new long[3]), 4, 3, 0, Mode.CROSS_STAGE))
        .hasMessage("segment of 24 bytes is too short for 4 keys");
  }

  private static long[] randomKeys(int n, long seed) {
    return new SplittableRandom(seed).longs(n).toArray();
  }

  private static void assertSorted(long[] keys, int log2Sigma, int log2K, Mode mode) {
    long[] expected = keys.clone();
    for (int i = 0; i < expected.length; i++) {
      expected[i] ^= Long.MIN_VALUE;
    }
    Arrays.sort(expected);
    for (int i = 0; i < expected.length; i++) {
      expected[i] ^= Long.MIN_VALUE;
    }
    long[] actual = keys.clone();
    KModelSorter.sort(MemorySegment.ofArray(actual), actual.length, log2Sigma, log2K, mode);
    assertThat(actual).isEqualTo(expected);
  }
}
