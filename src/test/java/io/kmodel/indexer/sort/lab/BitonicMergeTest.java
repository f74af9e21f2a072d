package io.kmodel.indexer.sort.lab;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/**
 * A network that sorts every sequence of zeros and ones sorts everything. The network of a tile
 * consists of one for columns and of mergers, so each is tested with all its possible inputs.
 */
class BitonicMergeTest {
  private static final int LANES = BitonicMerge.LANES;
  private static final int TILE = BitonicMerge.TILE;
  private static final int STRIDE = BitonicMerge.STRIDE;
  private static final int ROWS = TILE / LANES;

  @Test
  void everyColumnOfZerosAndOnesIsSorted() {
    for (int pattern = 0; pattern < 1 << ROWS; pattern++) {
      for (int column = 0; column < LANES; column++) {
        long[] tile = new long[TILE];
        for (int row = 0; row < ROWS; row++) {
          // The other columns are all zeros and all ones, in turn.
          for (int lane = 0; lane < LANES; lane++) {
            tile[row * LANES + lane] = lane == column ? pattern >>> row & 1 : lane % 2;
          }
        }
        assertTileIsSorted(tile);
      }
    }
  }

  @Test
  void everyTwoRunsOfZerosAndOnesAreMergedInATile() {
    for (int run = ROWS; run < TILE; run *= 2) {
      for (int first = 0; first + 2 * run <= TILE; first += 2 * run) {
        for (int a = 0; a <= run; a++) {
          for (int b = 0; b <= run; b++) {
            long[] tile = new long[TILE];
            Arrays.fill(tile, 1);
            zeros(tile, first, a);
            zeros(tile, first + run, b);
            assertTileIsSorted(tile);
          }
        }
      }
    }
  }

  /** Gives the columns of the run that starts at {@code place} so many zeros in all. */
  private static void zeros(long[] tile, int place, int count) {
    for (int i = 0; i < count; i++) {
      int column = (place + i) / ROWS;
      int row = (place + i) % ROWS;
      tile[row * LANES + column] = 0;
    }
  }

  private static void assertTileIsSorted(long[] tile) {
    long[] sorted = tile.clone();
    BitonicMerge.sortTiles(sorted, 0, TILE);
    long[] expected = tile.clone();
    Arrays.sort(expected);
    if (!Arrays.equals(sorted, expected)) {
      throw new AssertionError(
          "tile %s became %s".formatted(Arrays.toString(tile), Arrays.toString(sorted)));
    }
  }

  @Test
  void everyTwoStridesOfZerosAndOnesAreMerged() {
    for (int held = 0; held <= STRIDE; held++) {
      for (int next = 0; next <= STRIDE; next++) {
        // The stride held back, the first list, the second list with a greater head, the output.
        long[] keys = new long[4 * STRIDE];
        Arrays.fill(keys, held, STRIDE, 1);
        Arrays.fill(keys, STRIDE + next, 2 * STRIDE, 1);
        Arrays.fill(keys, 2 * STRIDE, 3 * STRIDE, 2);
        TwoLists lists = new TwoLists();
        lists.a = STRIDE;
        lists.aEnd = 2 * STRIDE;
        lists.b = 2 * STRIDE;
        lists.bEnd = 3 * STRIDE;
        lists.out = 3 * STRIDE;
        lists.outEnd = 4 * STRIDE;
        BitonicMerge.merge(keys, lists);
        long[] expected = new long[2 * STRIDE];
        Arrays.fill(expected, held + next, 2 * STRIDE, 1);
        long[] merged = new long[2 * STRIDE];
        System.arraycopy(keys, 3 * STRIDE, merged, 0, STRIDE);
        System.arraycopy(keys, 0, merged, STRIDE, STRIDE);
        if (!Arrays.equals(merged, expected)
            || lists.a != lists.aEnd
            || lists.b != 2 * STRIDE
            || lists.out != lists.outEnd) {
          throw new AssertionError(
              "%d and %d zeros became %s".formatted(held, next, Arrays.toString(merged)));
        }
      }
    }
  }
}
