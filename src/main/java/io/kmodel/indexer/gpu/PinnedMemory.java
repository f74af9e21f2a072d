package io.kmodel.indexer.gpu;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Which pieces of our memory are pinned, so that devices copy it at full speed and on their own.
 * Memory is pinned as it is used, in pieces of 64 MiB at most that meet at multiples of 16: pinning
 * takes time and takes the pages, and the memory of a run may be far larger than the run. Where
 * pieces were 64 MiB whatever the run, a build of three seconds with 16 threads took a tenth more
 * time; where they were 16 MiB, runs of 2^28 keys moved 2 % slower. A copy must not reach from one
 * piece into the next, so copies are cut where pieces meet. Safe for many threads, each of which
 * uses a device, but one memory is pinned by one thread at a time. No call of the driver is made
 * with a lock held: where a device has stopped to answer, neither giving back nor pinning returns,
 * and whoever asks what is pinned must not wait for them.
 */
public final class PinnedMemory {
  /** Copies one piece. */
  @FunctionalInterface
  interface Piece {
    void copy(long address, long offset, long bytes);
  }

  private static final long PAGE_BYTES = 4096;
  private static final long LEAST_PIECE = 16L << 20;
  private static final long LARGEST_PIECE = 64L << 20;

  /** Ends of pinned pieces by their starts; both at page borders. */
  private final ConcurrentNavigableMap<Long, Long> pieces = new ConcurrentSkipListMap<>();

  /**
   * Pins the pages of the first bytes of a memory whose first and last pages hold nothing else that
   * is pinned elsewhere. While another thread gives memory back, the driver has this wait, too (so
   * on an H100, driver 580).
   *
   * @throws GpuException if the system or the driver refuses
   */
  public void pin(MemorySegment memory, long bytes) {
    long end = pageEnd(memory.address() + bytes);
    long last = pageEnd(memory.address() + memory.byteSize());
    long at = memory.address() & -PAGE_BYTES;
    while (at < end) {
      Map.Entry<Long, Long> before = pieces.floorEntry(at);
      if (before != null && before.getValue() > at) {
        at = before.getValue();
        continue;
      }
      Long next = pieces.higherKey(at);
      long wanted = (end - at + LEAST_PIECE - 1) & -LEAST_PIECE;
      long pieceEnd = Math.min(last, (at & -LEAST_PIECE) + Math.min(wanted, LARGEST_PIECE));
      pieceEnd = next == null ? pieceEnd : Math.min(pieceEnd, next);
      Cuda.register(at, pieceEnd - at);
      pieces.put(at, pieceEnd);
      at = pieceEnd;
    }
  }

  private static long pageEnd(long address) {
    return (address + PAGE_BYTES - 1) & -PAGE_BYTES;
  }

  /** Visits the pieces of the first bytes of a memory, which are pinned. */
  void forEachPiece(MemorySegment memory, long bytes, Piece visitor) {
    long end = memory.address() + bytes;
    for (long at = memory.address(); at < end; ) {
      long to = Math.min(end, endOfPiece(at));
      visitor.copy(at, at - memory.address(), to - at);
      at = to;
    }
  }

  private long endOfPiece(long address) {
    Map.Entry<Long, Long> piece = pieces.floorEntry(address);
    if (piece == null || piece.getValue() <= address) {
      throw new IllegalStateException("memory is not pinned");
    }
    return piece.getValue();
  }

  /** Whether any of a memory is pinned. */
  public boolean holds(MemorySegment memory) {
    return !pieces(memory).isEmpty();
  }

  /**
   * Gives back what is pinned of a memory that nobody pins meanwhile. The driver waits for
   * everything that any device does (so on an H100, driver 580, whatever context is current): where
   * one has stopped to answer, this does not return, and holds up nobody else.
   *
   * @throws GpuException if the driver refuses; the memory must not be freed then
   */
  public void unpin(MemorySegment memory) {
    for (long piece : pieces(memory).keySet()) {
      Cuda.unregister(piece);
      pieces.remove(piece);
    }
  }

  private ConcurrentNavigableMap<Long, Long> pieces(MemorySegment memory) {
    long start = memory.address() & -PAGE_BYTES;
    return pieces.subMap(start, memory.address() + memory.byteSize());
  }
}
