package io.kmodel.indexer.sort.device;

import io.kmodel.indexer.gpu.GpuKernel;
import java.util.ArrayList;
import java.util.List;

/**
 * Quicksort of Cederman and Tsigas, which Capannini et al. compare with the network in section 6
 * (kernels/sorters/quick.cuh). In its first phase several blocks split each sequence, and the host
 * makes two sequences of one; the second sorts each sequence by a block. Not stable.
 */
final class QuickSorter implements DeviceSorter {
  private static final int THREADS = 256;
  private static final int MOST_ROUNDS = 64;

  /** Sequences that end the first phase, and parts of a round: 528 to 65536 were tried. */
  private static final long BLOCKS = 65_536;

  // Columns of a sequence.
  private static final int FIRST = 0;
  private static final int LAST = 1;
  private static final int BELOW = 3;
  private static final int ABOVE = 4;

  /** A round splits fewer sequences than blocks, and each leaves two at most. */
  private static final long MOST_SEQUENCES = 2 * BLOCKS;

  /** A part is cut short at the end of each sequence. */
  private static final long MOST_PARTS = 4 * BLOCKS;

  private static final int PART_WORDS = 3;

  private final GpuKernel choosePivots;
  private final GpuKernel splitParts;
  private final Sequences sequences;

  QuickSorter(int keyBytes) {
    String kind = Kinds.of(keyBytes);
    this.choosePivots = new GpuKernel("choose_pivots_" + kind, THREADS, 0);
    this.splitParts = new GpuKernel("split_parts_" + kind, THREADS, 80);
    this.sequences = new Sequences(keyBytes);
  }

  @Override
  public List<GpuKernel> kernels() {
    List<GpuKernel> kernels = new ArrayList<>(List.of(choosePivots, splitParts));
    kernels.addAll(sequences.kernels());
    return kernels;
  }

  @Override
  public long scratchBytes(long n) {
    return MOST_SEQUENCES * Sequences.BYTES + MOST_PARTS * PART_WORDS * Long.BYTES;
  }

  @Override
  public void sort(DeviceLane lane, DeviceKeys keys) {
    Table open = Sequences.table();
    if (keys.count() > 0) {
      open.add(0, keys.count());
    }
    int side = 0;
    for (int round = 0; open.rows() > 0; round++) {
      open = round(lane, keys, open, side, round == MOST_ROUNDS);
      side = 1 - side;
    }
  }

  /** Splits sequences, or sorts those that are short or enough; returns those left to do. */
  private Table round(DeviceLane lane, DeviceKeys keys, Table open, int side, boolean isLast) {
    long table = keys.scratch();
    long shortest = Math.max(Sequences.SMALL, keys.count() / BLOCKS);
    Table split = Sequences.table();
    Table last = Sequences.table();
    for (int row = 0; row < open.rows(); row++) {
      long first = open.get(row, FIRST);
      long end = open.get(row, LAST);
      boolean isEnough = isLast || open.rows() >= BLOCKS || end - first <= shortest;
      (isEnough ? last : split).add(first, end);
    }
    if (last.rows() > 0) {
      last.put(lane, table, MOST_SEQUENCES);
      sequences.sort(lane, keys, side, table, last.rows());
    }
    Table next = Sequences.table();
    if (split.rows() > 0) {
      split(lane, keys, split, side);
      for (int row = 0; row < split.rows(); row++) {
        addHalves(next, split, row);
      }
    }
    return next;
  }

  private static void addHalves(Table next, Table split, int row) {
    long first = split.get(row, FIRST);
    long last = split.get(row, LAST);
    long below = split.get(row, BELOW);
    long above = split.get(row, ABOVE);
    if (below < 0 || above < 0 || below > last - first - above) {
      throw new IllegalStateException(
          "the device counts %d keys below and %d above a pivot of %d keys"
              .formatted(below, above, last - first));
    }
    if (below > 0) {
      next.add(first, first + below);
    }
    if (above > 0) {
      next.add(last - above, last);
    }
  }

  private void split(DeviceLane lane, DeviceKeys keys, Table split, int side) {
    long table = keys.scratch();
    long partTable = table + MOST_SEQUENCES * Sequences.BYTES;
    long partKeys = Math.max(Sequences.SMALL, keys.count() / BLOCKS);
    Table parts = new Table(PART_WORDS);
    for (int row = 0; row < split.rows(); row++) {
      long last = split.get(row, LAST);
      for (long at = split.get(row, FIRST); at < last; at += partKeys) {
        parts.add(at, Math.min(at + partKeys, last), row);
      }
    }
    split.put(lane, table, MOST_SEQUENCES);
    parts.put(lane, partTable, MOST_PARTS);
    long from = side == 0 ? keys.address() : keys.other();
    long to = side == 0 ? keys.other() : keys.address();
    lane.launch(
        choosePivots, Math.ceilDiv(split.rows(), (long) THREADS), from, table, split.rows());
    lane.launch(splitParts, parts.rows(), from, to, partTable, table);
    sequences.fill(lane, keys, table, split.rows());
    split.get(lane, table);
  }
}
