package io.kmodel.indexer.sort;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class KeyCheckTest {
  @Test
  void theSameKeysInOrderAreASort() {
    assertThat(isSorted(new long[] {3, 1, 2, 1}, 1, 1, 2, 3)).isTrue();
    assertThat(isSorted(new long[0])).isTrue();
  }

  @Test
  void keysOutOfOrderAreNone() {
    assertThat(isSorted(new long[] {3, 1, 2}, 1, 3, 2)).isFalse();
  }

  @Test
  void otherKeysAreNone() {
    assertThat(isSorted(new long[] {1, 2, 2}, 1, 1, 2)).isFalse();
    assertThat(isSorted(new long[] {4, 1}, 2, 3)).as("of the same sum").isFalse();
    assertThat(isSorted(new long[] {1L << 61, 5}, 0, 5)).isFalse();
  }

  private static boolean isSorted(long[] keys, long... sorted) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment before = arena.allocateFrom(ValueLayout.JAVA_LONG, keys);
      MemorySegment after = arena.allocateFrom(ValueLayout.JAVA_LONG, sorted);
      return KeyCheck.isSorted(before, after, keys.length);
    }
  }
}
