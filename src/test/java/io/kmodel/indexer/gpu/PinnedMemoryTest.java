package io.kmodel.indexer.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The pieces in which memory is pinned, by the number of bytes. */
@ExtendWith(StubDriverExtension.class)
@ResourceLock(StubDriver.LOCK)
class PinnedMemoryTest {
  private static final long MIB = 1 << 20;

  private final PinnedMemory pinned = new PinnedMemory();

  private final StubDriver driver;

  PinnedMemoryTest(StubDriver driver) {
    this.driver = driver;
  }

  @BeforeEach
  void openDevice() throws IOException {
    JCudaLibrary.load();
    Cuda.init();
    Cuda.setCurrent(Cuda.retainPrimaryContext(Cuda.device(0)));
  }

  @AfterEach
  void nothingIsKept() {
    Cuda.releasePrimaryContext(Cuda.device(0));
    assertThat(driver.kept()).isZero();
  }

  @Test
  void littleIsPinnedForASmallRunAndLargePiecesForALargeOne() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(256 * MIB, 64 * MIB);
      pinned.pin(memory, 1);
      assertThat(pieces(memory, 16 * MIB)).containsExactly(16 * MIB);
      pinned.pin(memory, 16 * MIB);
      assertThat(driver.calls("cuMemHostRegister")).isEqualTo(1);
      pinned.pin(memory, 20 * MIB);
      assertThat(pieces(memory, 32 * MIB)).containsExactly(16 * MIB, 16 * MIB);
      pinned.pin(memory, 200 * MIB);
      assertThat(pieces(memory, 200 * MIB))
          .containsExactly(16 * MIB, 16 * MIB, 64 * MIB, 64 * MIB, 40 * MIB);
      assertThat(driver.calls("cuMemHostRegister")).isEqualTo(5);
      pinned.unpin(memory);
      assertThat(driver.calls("cuMemHostUnregister")).isEqualTo(5);
    }
  }

  @Test
  void noPieceReachesBeyondTheMemoryOrIntoAnother() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment all = arena.allocate(160 * MIB, 64 * MIB);
      MemorySegment first = all.asSlice(3 * MIB, 30 * MIB);
      MemorySegment second = all.asSlice(33 * MIB, 127 * MIB);
      pinned.pin(second, second.byteSize());
      assertThat(pieces(second, 127 * MIB)).containsExactly(63 * MIB, 64 * MIB);
      pinned.pin(first, first.byteSize());
      assertThat(pieces(first, 30 * MIB)).containsExactly(29 * MIB, MIB);
      pinned.unpin(all);
      assertThat(driver.calls("cuMemHostUnregister")).isEqualTo(driver.calls("cuMemHostRegister"));
    }
  }

  /** The driver pins no page twice. */
  @Test
  void aPageThatTwoHaveInCommonIsPinnedOnce() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment all = arena.allocate(160 * MIB, 64 * MIB);
      MemorySegment first = all.asSlice(3 * MIB, 30 * MIB + 100);
      MemorySegment second = all.asSlice(33 * MIB + 100, 100 * MIB);
      pinned.pin(second, MIB);
      pinned.pin(first, first.byteSize());
      assertThat(pieces(first, first.byteSize())).containsExactly(29 * MIB, MIB, 100L);
      pinned.unpin(all);
      assertThat(driver.calls("cuMemHostUnregister")).isEqualTo(driver.calls("cuMemHostRegister"));
    }
  }

  @Test
  void whatTheDriverRefusesChangesNothing() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(32 * MIB, 16 * MIB);
      driver.fail("cuMemHostRegister", 2, 2, StubDriver.OUT_OF_MEMORY);
      pinned.pin(memory, 16 * MIB);
      assertThatThrownBy(() -> pinned.pin(memory, 32 * MIB)).isInstanceOf(GpuException.class);
      assertThat(pinned.holds(memory)).isTrue();
      assertThat(pinned.holds(memory.asSlice(16 * MIB))).isFalse();
      driver.fail("cuMemHostUnregister", 1, 1, StubDriver.LAUNCH_FAILED);
      assertThatThrownBy(() -> pinned.unpin(memory)).isInstanceOf(GpuException.class);
      assertThat(pinned.holds(memory)).isTrue();
      pinned.unpin(memory);
      assertThat(pinned.holds(memory)).isFalse();
    }
  }

  @Test
  void memoryThatIsNotPinnedIsNotCopied() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(32 * MIB, 16 * MIB);
      pinned.pin(memory, 16 * MIB);
      assertThatThrownBy(() -> pieces(memory, 16 * MIB + 1))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("memory is not pinned");
      pinned.unpin(memory);
    }
  }

  private List<Long> pieces(MemorySegment memory, long bytes) {
    List<Long> pieces = new ArrayList<>();
    pinned.forEachPiece(memory, bytes, (address, offset, length) -> pieces.add(length));
    return pieces;
  }
}
