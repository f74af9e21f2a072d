package io.kmodel.indexer.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class OffHeapTest {
  @Test
  void memoryIsZeroedAndBeginsAtALine() {
    try (Arena arena = Arena.ofConfined()) {
      for (int bytes : new int[] {0, 1, 63, 64, 65, 1 << 20}) {
        MemorySegment memory = OffHeap.allocate(bytes, arena);
        assertThat(memory.byteSize()).isEqualTo(bytes);
        assertThat(memory.address() % 64).isZero();
        assertThat(memory.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(new byte[bytes]);
        memory.fill((byte) 1);
      }
    }
  }

  @Test
  void memoryDiesWithItsArena() {
    Arena arena = Arena.ofShared();
    MemorySegment memory = OffHeap.allocate(100, arena);
    arena.close();
    assertThatThrownBy(() -> memory.get(ValueLayout.JAVA_BYTE, 0))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void memoryThatNoSystemHasIsAnError() {
    try (Arena arena = Arena.ofConfined()) {
      assertThatThrownBy(() -> OffHeap.allocate(Long.MAX_VALUE - 100, arena))
          .isInstanceOf(OutOfMemoryError.class);
    }
  }

  @Test
  void bytesGoToRawMemoryAndBack() {
    try (Arena arena = Arena.ofConfined()) {
      long address = OffHeap.allocate(64, arena).address();
      OffHeap.copy(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9}, 1, address + 3, 8);
      assertThat(OffHeap.getLong(address + 3)).isEqualTo(0x0908070605040302L);
      assertThat(OffHeap.getInt(address + 3)).isEqualTo(0x05040302);
      byte[] back = new byte[10];
      OffHeap.copyWords(address + 3, back, 1, 8);
      assertThat(back).containsExactly(0, 2, 3, 4, 5, 6, 7, 8, 9, 0);
      OffHeap.clear(address + 4, 6);
      assertThat(OffHeap.getLong(address + 3)).isEqualTo(0x0900000000000002L);
    }
  }

  @Test
  void wordsOfAnyNumberOfBytesAreCopiedAndNothingBeyondTheLastOne() {
    byte[] source = new byte[64];
    for (int i = 0; i < source.length; i++) {
      source[i] = (byte) (i + 1);
    }
    try (Arena arena = Arena.ofConfined()) {
      for (int length = 0; length <= 40; length++) {
        MemorySegment memory = OffHeap.allocate(64, arena);
        OffHeap.copyWords(source, 3, memory.address() + 5, length);
        byte[] back = new byte[64];
        OffHeap.copyWords(memory.address() + 5, back, 7, length);
        int words = (length + 7) / 8 * 8;
        for (int i = 0; i < back.length; i++) {
          int copied = i >= 7 && i < 7 + words ? source[3 + i - 7] : 0;
          assertThat(back[i]).as("byte %d of %d", i, length).isEqualTo((byte) copied);
        }
        for (int i = 0; i < 64; i++) {
          int written = i >= 5 && i < 5 + words ? source[3 + i - 5] : 0;
          assertThat(memory.get(ValueLayout.JAVA_BYTE, i)).isEqualTo((byte) written);
        }
      }
    }
  }
}
