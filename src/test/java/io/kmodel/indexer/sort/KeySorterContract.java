package io.kmodel.indexer.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every sorter of packed keys must do. */
public abstract class KeySorterContract {
  public static final long SEED = 20240607;
  private static final int MANY = 300_007;

  /** Sizes around those of the sorters' vectors, tiles, blocks and batches. */
  private static final int[] SIZES = {
    0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 191, 193, 2047, 2048,
    2049, 32767, 32768, 32769, 65535, 65536, 65537, 98303, 98304, 98305, MANY
  };

  public abstract KeySorter sorter();

  /** How the 62 bits of a key are filled. */
  public enum Distribution {
    UNIFORM,
    GAUSSIAN,
    ZIPF,
    ALL_EQUAL,
    SORTED,
    REVERSED;

    long key(SplittableRandom random, int index) {
      return switch (this) {
        case UNIFORM -> random.nextLong(1L << 62);
        case GAUSSIAN ->
            Math.clamp((long) (random.nextGaussian() * (1L << 56)), -1L << 60, 1L << 60)
                + (1L << 60);
        case ZIPF -> (long) Math.pow(2, 62 * random.nextDouble()) - 1;
        case ALL_EQUAL -> 0x2AAA_AAAA_AAAA_AAAAL;
        case SORTED -> (long) index << 30;
        case REVERSED -> (long) (MANY - index) << 30;
      };
    }

    public long[] keys(int n) {
      SplittableRandom random = new SplittableRandom(SEED + n);
      long[] keys = new long[n];
      Arrays.setAll(keys, i -> key(random, i));
      return keys;
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyDistributionIsSortedAtEverySize(Distribution distribution) {
    checkAllSizes(sorter(), distribution);
  }

  public static void checkAllSizes(KeySorter sorter, Distribution distribution) {
    for (int n : SIZES) {
      long[] keys = distribution.keys(n);
      long[] expected = keys.clone();
      Arrays.sort(expected);
      assertThat(sorted(sorter, keys, 0, 62)).as("%d keys", n).isEqualTo(expected);
    }
  }

  @Test
  void memoryAroundTheKeysIsNotTouchedWhereverTheyBegin() {
    long[] values = Distribution.UNIFORM.keys(10_001);
    long[] expected = values.clone();
    Arrays.sort(expected);
    for (int shift = 0; shift < 8; shift++) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment keys = guarded(arena, values.length, shift);
        MemorySegment scratch = guarded(arena, values.length, 7 - shift);
        MemorySegment.copy(
            values, 0, inner(keys, values.length, shift), ValueLayout.JAVA_LONG, 0, values.length);
        sorter()
            .sort(
                inner(keys, values.length, shift),
                values.length,
                inner(scratch, values.length, 7 - shift),
                0,
                62);
        assertThat(inner(keys, values.length, shift).toArray(ValueLayout.JAVA_LONG))
            .isEqualTo(expected);
        assertGuards(keys, values.length, shift);
        assertGuards(scratch, values.length, 7 - shift);
      }
    }
  }

  @Test
  void keysThatDoNotFitTheirMemoryAreRefused() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment keys = arena.allocate(80, 8);
      MemorySegment scratch = arena.allocate(72, 8);
      KeySorter sorter = sorter();
      assertThatThrownBy(() -> sorter.sort(keys, 10, scratch, 0, 62))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("10 keys do not fit 80 bytes of keys and 72 of scratch");
      assertThatThrownBy(() -> sorter.sort(keys, 9, scratch, 5, 63))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("bits must be within 0..62; got 5..63");
      assertThatThrownBy(() -> sorter.sort(keys, 9, scratch, -1, 62))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("bits must be within 0..62; got -1..62");
      assertThatThrownBy(() -> sorter.sort(keys, -1, scratch, 0, 62))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("-1 keys do not fit");
      MemorySegment heap = MemorySegment.ofArray(new long[9]);
      assertThatThrownBy(() -> sorter.sort(heap, 9, scratch, 0, 62))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("outside the heap");
      assertThatThrownBy(() -> sorter.sort(keys, 9, heap, 0, 62))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("outside the heap");
    }
  }

  public static long[] sorted(KeySorter sorter, long[] values, int lowBit, int highBit) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment keys = arena.allocateFrom(ValueLayout.JAVA_LONG, values);
      MemorySegment scratch = arena.allocate(8L * values.length, 8);
      sorter.sort(keys, values.length, scratch, lowBit, highBit);
      return keys.toArray(ValueLayout.JAVA_LONG);
    }
  }

  /** Memory for n keys with a line of guards before and after, {@code shift} keys into a line. */
  private static MemorySegment guarded(Arena arena, int n, int shift) {
    return arena.allocate(8L * (n + shift + 16), 64).fill((byte) 0x77);
  }

  private static MemorySegment inner(MemorySegment memory, int n, int shift) {
    return memory.asSlice(8L * (shift + 8), 8L * n);
  }

  private static void assertGuards(MemorySegment memory, int n, int shift) {
    long start = 8L * (shift + 8);
    byte[] before = memory.asSlice(0, start).toArray(ValueLayout.JAVA_BYTE);
    byte[] after = memory.asSlice(start + 8L * n).toArray(ValueLayout.JAVA_BYTE);
    assertThat(before).containsOnly(0x77);
    assertThat(after).containsOnly(0x77);
  }
}
