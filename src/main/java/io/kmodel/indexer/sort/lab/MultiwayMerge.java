package io.kmodel.indexer.sort.lab;

import io.kmodel.indexer.memory.OffHeap;
import java.util.Arrays;
import java.util.List;

/**
 * Merges many sorted lists at once (Satish et al., section 5.1, after Chhugani et al.) by a binary
 * tree: leaves read the lists, and inner nodes merge their two children. Each node has a small
 * buffer, from which its parent reads, and fills it when a key is wanted and the buffer is empty.
 * The buffers stay in the cache, so memory is read once and written once for any number of lists.
 *
 * <p>Heap: up to 1.25 MiB for at most 1,024 lists, beyond that 1.25 KiB per list. For one thread
 * and one merge.
 */
final class MultiwayMerge {
  /** A sorted list outside the heap. */
  record Slice(long address, long count) {}

  private static final int STRIDE = BitonicMerge.STRIDE;

  /** Keys in all buffers together, unless each would be too small: 1 MiB. */
  private static final int BUFFERED = 1 << 17;

  private static final int LEAST_BUFFER = 64;
  private static final int LARGEST_BUFFER = 4096;

  private final long[] space;
  private final int buffer;
  private final Node root;
  private int allocated;

  MultiwayMerge(List<Slice> slices) {
    int wanted = BUFFERED / (2 * slices.size());
    buffer = Math.clamp(Integer.highestOneBit(Math.max(1, wanted)), LEAST_BUFFER, LARGEST_BUFFER);
    long size = STRIDE + (2L * slices.size() - 1) * buffer + (slices.size() - 1L) * STRIDE;
    space = new long[Math.toIntExact(size)];
    Arrays.fill(space, 0, STRIDE, BlockSorter.SENTINEL);
    allocated = STRIDE;
    root = tree(slices);
  }

  /** Writes all keys of the lists, in order. */
  void writeTo(long address) {
    long to = address;
    while (root.remaining > 0) {
      long before = root.remaining;
      root.fill();
      int count = Math.toIntExact(before - root.remaining);
      OffHeap.copy(space, root.start, to, count);
      to += (long) Long.BYTES * count;
    }
  }

  private Node tree(List<Slice> slices) {
    if (slices.size() == 1) {
      return new Leaf(slices.getFirst());
    }
    int half = slices.size() / 2;
    return new Merge(tree(slices.subList(0, half)), tree(slices.subList(half, slices.size())));
  }

  private int allocate(int keys) {
    int at = allocated;
    allocated += keys;
    return at;
  }

  /** Yields sorted keys through its buffer. */
  private abstract class Node {
    final int start = allocate(buffer);
    int head;
    int end;

    /** Keys that have not been put into the buffer yet. */
    long remaining;

    Node(long remaining) {
      this.remaining = remaining;
    }

    /** Fills the empty buffer from its start. Sentinels after the last keys complete a stride. */
    abstract void fill();

    /** Records that the buffer was filled with as many keys as there were. */
    final void filled() {
      int count = (int) Math.min(buffer, remaining);
      head = start;
      end = start + BlockSorter.roundUp(count, STRIDE);
      remaining -= count;
    }
  }

  private final class Leaf extends Node {
    private long next;

    Leaf(Slice slice) {
      super(slice.count());
      next = slice.address();
    }

    @Override
    void fill() {
      int count = (int) Math.min(buffer, remaining);
      OffHeap.copy(next, space, start, count);
      next += (long) Long.BYTES * count;
      filled();
      Arrays.fill(space, start + count, end, BlockSorter.SENTINEL);
    }
  }

  private final class Merge extends Node {
    private final Node left;
    private final Node right;
    private final TwoLists lists = new TwoLists();
    private boolean started;

    Merge(Node left, Node right) {
      super(left.remaining + right.remaining);
      this.left = left;
      this.right = right;
      lists.held = allocate(STRIDE);
    }

    @Override
    void fill() {
      if (!started) {
        started = true;
        refill(left);
        System.arraycopy(space, left.head, space, lists.held, STRIDE);
        left.head += STRIDE;
      }
      filled();
      lists.out = start;
      lists.outEnd = end;
      while (lists.out < lists.outEnd) {
        refill(left);
        refill(right);
        takeFromChildren();
      }
    }

    private void takeFromChildren() {
      lists.a = left.head;
      lists.aEnd = left.end;
      lists.b = right.head;
      lists.bEnd = right.end;
      BitonicMerge.merge(space, lists);
      left.head = lists.a;
      right.head = lists.b;
    }

    /** A child without keys yields sentinels. */
    private static void refill(Node child) {
      if (child.head < child.end) {
        return;
      }
      if (child.remaining > 0) {
        child.fill();
      } else {
        child.head = 0;
        child.end = STRIDE;
      }
    }
  }
}
