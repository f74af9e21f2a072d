package io.kmodel.indexer.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.kmodel.indexer.memory.OffHeap;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/** Keys of three terms in {@code term:22 | document:20 | position:20}. */
class CountedKeysTest {
  private static final int POSITION_BITS = 20;
  private static final int TERM_SHIFT = 40;
  private static final long[] KEYS = {key(2, 0, 0), key(0, 0, 1), key(2, 3, 5), key(2, 3, 7)};

  @Test
  void keysAreMovedToTheListsOfTheirTermsAsOftenAsWanted() throws Exception {
    try (Arena arena = Arena.ofConfined()) {
      CountedKeys counted = count(arena, 3);
      assertThat(counted.count(0)).isEqualTo(1);
      assertThat(counted.count(1)).isZero();
      assertThat(counted.count(2)).isEqualTo(3);
      for (int keyBytes : new int[] {4, 5, 4}) {
        MemorySegment lists = OffHeap.allocate(4 * keyBytes + 8, arena);
        move(counted, lists.address(), keyBytes);
        assertThat(counted.endsAsSent()).isTrue();
        long[] moved = new long[4];
        for (int i = 0; i < 4; i++) {
          moved[i] = OffHeap.getLong(lists.address() + (long) i * keyBytes) & 0x7FF;
        }
        // The document is above a position of 3 bits.
        assertThat(moved).containsExactly(1, 0, 3 << 3 | 5, 3 << 3 | 7);
      }
      assertThatIllegalStateException()
          .isThrownBy(() -> counted.count(0))
          .withMessage("the counters have been replaced by addresses");
    }
  }

  @Test
  void keysThatChangeAfterTheyWereCountedAreNoticed() throws Exception {
    try (Arena arena = Arena.ofConfined()) {
      CountedKeys counted = count(arena, 3);
      counted.keys().setAtIndex(ValueLayout.JAVA_LONG, 0, key(0, 0, 0));
      MemorySegment lists = OffHeap.allocate(32, arena);
      move(counted, lists.address(), 4);
      assertThat(counted.endsAsSent()).isFalse();
      assertThatIllegalStateException()
          .isThrownBy(() -> counted.requireEnd(2, 3, lists.address() + 16))
          .withMessageStartingWith("3 keys of a term were counted, but others were moved");
    }
  }

  @Test
  void keysWithoutCountersAreRefused() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = OffHeap.allocate(64, arena);
      KeyOrder.Job job = SortJobs.job(memory, KEYS);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new CountingOrder().submit(job))
          .withMessage("keys without counters cannot be counted");
      assertThatIllegalStateException()
          .isThrownBy(() -> count(arena, 2))
          .withMessage("a key has termID 2, but there are only 2 terms");
    }
  }

  @Test
  void keysOfOtherWidthsAreRefused() throws Exception {
    try (Arena arena = Arena.ofConfined()) {
      CountedKeys counted = count(arena, 3);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> counted.move(POSITION_BITS, 3, 8))
          .withMessage("keys of 4 or 5 bytes can be moved; got 8");
    }
  }

  private static void move(CountedKeys counted, long lists, int keyBytes) {
    counted.startSending();
    long end = counted.sendTo(0, lists, 1, keyBytes);
    assertThat(end).isEqualTo(lists + keyBytes);
    assertThat(counted.sendTo(2, end, 3, keyBytes)).isEqualTo(lists + 4L * keyBytes);
    counted.move(POSITION_BITS, 3, keyBytes);
  }

  private static CountedKeys count(Arena arena, int terms) throws InterruptedException {
    KeyOrder.Job job = SortJobs.job(OffHeap.allocate(64, arena), KEYS);
    MemorySegment counters = OffHeap.allocate((long) CountingOrder.COUNTER_BYTES * terms, arena);
    return (CountedKeys)
        new CountingOrder()
            .submit(new KeyOrder.Job(job.keys(), job.scratch(), 4, TERM_SHIFT, 42, counters))
            .await();
  }

  private static long key(long term, long document, long position) {
    return term << TERM_SHIFT | document << POSITION_BITS | position;
  }
}
