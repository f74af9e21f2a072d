package io.kmodel.indexer.sort.device;

import io.kmodel.indexer.gpu.GpuKernel;
import io.kmodel.indexer.gpu.GpuStruct;
import java.util.ArrayList;
import java.util.List;

/**
 * Sorts strings in rounds: a key is the number of a string's group and its next bytes, and strings
 * with equal keys and more bytes are a group of the next round (kernels/sorters/strings.cuh). The
 * host waits after each round for the number of strings that are left. 60 bytes of memory a string.
 */
final class StringRoundSorter implements StringSorter {
  private static final int THREADS = 256;

  /** Strings of a block that looks for ties. */
  private static final long TIE_TILE = 512;

  private static final int TIES_BYTES = 64;

  /** Depth, shared bytes and limit. */
  private static final long GROUP_BYTES = 3L * Long.BYTES;

  // Words of a round's struct.
  private static final int KEYS = 2;
  private static final int VALUES = 3;
  private static final int POSITIONS = 4;
  private static final int GROUP_OF = 5;
  private static final int GROUPS = 6;
  private static final int NEXT_VALUES = 7;
  private static final int NEXT_POSITIONS = 8;
  private static final int NEXT_GROUPS = 9;
  private static final int SUMS = 10;
  private static final int RESULT = 11;
  private static final int ORDER = 12;
  private static final int WORDS = 13;

  /** The lower half of a round's result counts strings, the upper half groups. */
  private static final long TIES = 0xFFFF_FFFFL;

  private final PairSorter pairs = PairSorter.of("pairs", Long.BYTES);
  private final ScanKernels scan = new ScanKernels();
  private final GpuKernel beginStrings = new GpuKernel("begin_strings", THREADS, 0);
  private final GpuKernel sharedBytes = new GpuKernel("shared_bytes", THREADS, 0);
  private final GpuKernel stringKeys = new GpuKernel("string_keys", THREADS, 0);
  private final GpuKernel countTies = new GpuKernel("count_ties", THREADS, TIES_BYTES);
  private final GpuKernel splitTies = new GpuKernel("split_ties", THREADS, TIES_BYTES);

  @Override
  public List<GpuKernel> kernels() {
    List<GpuKernel> kernels =
        new ArrayList<>(List.of(beginStrings, sharedBytes, stringKeys, countTies, splitTies));
    kernels.addAll(pairs.kernels());
    kernels.addAll(scan.all());
    return kernels;
  }

  private static long tieTiles(long n) {
    return Math.ceilDiv(n, TIE_TILE);
  }

  private static long blocks(long n) {
    return Math.ceilDiv(n, (long) THREADS);
  }

  @Override
  public long scratchBytes(long n) {
    return new Places(0, n, pairs).end;
  }

  /** Where the tables are in device memory; a group has two strings or more. */
  private static final class Places {
    final long otherKeys;
    final long parts;
    final GpuStruct round = new GpuStruct(WORDS);
    final long end;

    Places(long scratch, long n, PairSorter pairs) {
      Pieces pieces = new Pieces(scratch);
      this.otherKeys = pieces.take(n * Long.BYTES);
      this.parts = pieces.take(pairs.scratchBytes(n));
      round.set(KEYS, pieces.take(n * Long.BYTES));
      for (int field : new int[] {VALUES, POSITIONS, GROUP_OF, NEXT_VALUES, NEXT_POSITIONS}) {
        round.set(field, pieces.take(n * Integer.BYTES));
      }
      for (int field : new int[] {GROUPS, NEXT_GROUPS}) {
        round.set(field, pieces.take((n / 2 + 1) * GROUP_BYTES));
      }
      round.set(SUMS, pieces.take((tieTiles(n) + 1) * Long.BYTES));
      round.set(RESULT, pieces.take(2L * Long.BYTES));
      this.end = pieces.end();
    }
  }

  @Override
  public void sort(DeviceLane lane, DeviceStrings strings, long order, long scratch) {
    long n = strings.count();
    if (n == 0) {
      return;
    }
    Places places = new Places(scratch, n, pairs);
    GpuStruct round = places.round;
    round.set(0, strings.bytes());
    round.set(1, strings.starts());
    round.set(ORDER, order);
    long longest = pairs.tile() / 2;
    boolean isLong = n > longest;
    int groupBits = 0;
    lane.launch(beginStrings, blocks(n), round, n);
    long count = n;
    for (int number = 0; count > 0; number++) {
      if (number > 0) {
        lane.launch(sharedBytes, blocks(count), round, count);
      }
      lane.launch(stringKeys, blocks(count), round, count, groupBits);
      if (isLong) {
        pairs.sort(
            lane,
            new DevicePairs(
                round.get(KEYS),
                round.get(VALUES),
                places.otherKeys,
                round.get(NEXT_VALUES),
                places.parts,
                count));
      } else {
        pairs.sortNear(lane, round.get(KEYS), round.get(VALUES), count);
      }
      long tiles = tieTiles(count);
      lane.launch(countTies, tiles, round, count, groupBits, longest);
      scan.sumTiles(lane, round.get(SUMS), tiles);
      lane.launch(splitTies, tiles, round, count, groupBits);
      long[] result = lane.get(round.get(RESULT), 2);
      long groups = result[0] >>> Integer.SIZE;
      requirePossible(result[0] & TIES, groups, count);
      count = result[0] & TIES;
      isLong = result[1] != 0;
      groupBits = bits(groups);
      swap(round, VALUES, NEXT_VALUES);
      swap(round, POSITIONS, NEXT_POSITIONS);
      swap(round, GROUPS, NEXT_GROUPS);
    }
  }

  /** A group has two strings or more. */
  private static void requirePossible(long count, long groups, long before) {
    if (count > before || 2 * groups > count || (groups == 0 && count > 0)) {
      throw new IllegalStateException(
          "a device left %d of %d strings in %d groups".formatted(count, before, groups));
    }
  }

  /** Bits of the numbers of so many groups. */
  private static int bits(long groups) {
    return groups < 2 ? 0 : Long.SIZE - Long.numberOfLeadingZeros(groups - 1);
  }

  private static void swap(GpuStruct round, int one, int other) {
    long address = round.get(one);
    round.set(one, round.get(other));
    round.set(other, address);
  }
}
