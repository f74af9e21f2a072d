package io.kmodel.indexer.sort.lab;

import io.kmodel.indexer.sort.KeySorter;
import io.kmodel.indexer.sort.SortArguments;
import io.kmodel.indexer.sort.lab.MultiwayMerge.Slice;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;

/**
 * Merge sort by bitonic networks in vector registers (Satish et al., section 5.2). Blocks that fit
 * the cache are sorted into the scratch, and one multiway merge moves them back. So memory is read
 * and written twice for any number of keys. Time O(n log n), the same for any distribution.
 *
 * <p>Compares whole keys for any range of bits, so keys that agree in these bits may change their
 * order. If all keys differ, as in a run with positions, the result is that of a stable sorter.
 * Heap per thread: 0.5 MiB, and for the merge 1.25 MiB (beyond 1,024 blocks of 32,768 keys 0.5 % of
 * the keys). Several calls may run at the same time on different keys.
 *
 * <p>Requires {@link VectorSupport}. It runs many times slower until its methods are compiled.
 */
public final class SimdMergeSorter implements KeySorter {
  private final int threads;

  public SimdMergeSorter() {
    this(1);
  }

  /**
   * A sorter that uses several threads for one call.
   *
   * @throws UnsupportedOperationException if vectors cannot be used
   */
  public SimdMergeSorter(int threads) {
    VectorSupport.probe().require();
    if (threads < 1) {
      throw new IllegalArgumentException("threads must be at least 1; got " + threads);
    }
    this.threads = threads;
  }

  @Override
  public boolean isStable() {
    return false;
  }

  @Override
  public void sort(MemorySegment keys, long count, MemorySegment scratch, int lowBit, int highBit) {
    SortArguments.check(keys, count, scratch, lowBit, highBit);
    if (count < 2 || lowBit == highBit) {
      return;
    }
    int block = (int) Math.min(count, BlockSorter.BLOCK);
    if (count == block) {
      new BlockSorter(block).sort(keys.address(), block, keys.address());
      return;
    }
    int parts = (int) Math.min(threads, Math.ceilDiv(count, BlockSorter.BLOCK));
    sortBlocks(keys.address(), count, scratch.address(), parts);
    SortedSlices blocks = new SortedSlices(blocks(scratch.address(), count));
    onThreads(
        parts,
        part -> {
          long first = count * part / parts;
          List<Slice> slices = blocks.between(first, count * (part + 1) / parts);
          new MultiwayMerge(slices).writeTo(keys.address() + Long.BYTES * first);
        });
  }

  private static void sortBlocks(long from, long count, long to, int parts) {
    AtomicLong next = new AtomicLong();
    onThreads(
        parts,
        part -> {
          BlockSorter sorter = new BlockSorter(BlockSorter.BLOCK);
          long first;
          while ((first = next.getAndAdd(BlockSorter.BLOCK)) < count) {
            int length = (int) Math.min(BlockSorter.BLOCK, count - first);
            sorter.sort(from + Long.BYTES * first, length, to + Long.BYTES * first);
          }
        });
  }

  private static List<Slice> blocks(long address, long count) {
    List<Slice> blocks = new ArrayList<>();
    for (long first = 0; first < count; first += BlockSorter.BLOCK) {
      blocks.add(
          new Slice(address + Long.BYTES * first, Math.min(BlockSorter.BLOCK, count - first)));
    }
    return blocks;
  }

  /** Does each part of the work in a separate thread and waits for all. */
  private static void onThreads(int count, IntConsumer work) {
    if (count == 1) {
      work.accept(0);
      return;
    }
    List<Future<?>> parts = new ArrayList<>();
    try (ExecutorService pool = Executors.newFixedThreadPool(count)) {
      for (int i = 0; i < count; i++) {
        int part = i;
        parts.add(pool.submit(() -> work.accept(part)));
      }
    }
    for (Future<?> part : parts) {
      if (part.state() != Future.State.SUCCESS) {
        throw new IllegalStateException("a thread of the sort failed", part.exceptionNow());
      }
    }
  }
}
