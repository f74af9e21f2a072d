package io.kmodel.indexer.sort.lab;

import java.util.ArrayList;
import java.util.List;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/**
 * Sorting and merging networks over vectors of 2, 4 or 8 keys, depending on the machine (Satish et
 * al., section 5.2.1, and Chhugani et al., whom they follow). Keys are in an array and compared as
 * signed numbers.
 *
 * <p>A bitonic sequence in two vectors is sorted by one step per address bit, all steps alike: take
 * the minima and maxima of the two vectors, then interleave them (their Figure 2). An interleaving
 * rotates the address by one bit. So after the last step every key is back in its place, and one
 * pair of shuffles serves every step and every width of vectors. Longer sequences are first halved
 * by whole vectors until each pair is independent; independent pairs keep the processor busy.
 *
 * <p>Methods are short and take arrays, not memory segments. The compiler gives up on a method with
 * too many vector operations (its node limit is fixed) and then allocates vectors as objects. That
 * limit includes inlined methods. So the passes over a tile are called through an interface with
 * too many implementations to inline, and {@link #merge} is just long enough not to be inlined.
 * Needs the module jdk.incubator.vector: ask {@link VectorSupport} before using this class.
 */
final class BitonicMerge {
  private static final VectorSpecies<Long> SPECIES = species();

  /** Keys of a vector: 2, 4 or 8. */
  static final int LANES = SPECIES.length();

  /** Rows of a tile, the size of the network in {@link #sortColumns}. */
  private static final int ROWS = 8;

  /** Keys that {@link #sortTiles} sorts at a time. */
  static final int TILE = ROWS * LANES;

  /** Keys that {@link #merge} takes from a list at a time. */
  static final int STRIDE = 4 * LANES;

  /** Steps of the network for two vectors: the address bits of a key in them. */
  private static final int STEPS = 1 + Integer.numberOfTrailingZeros(LANES);

  /** Takes first, first, second, second … of two vectors. */
  private static final LongVector LOW_HALVES = interleaving(0);

  private static final LongVector HIGH_HALVES = interleaving(LANES / 2);

  /** Keys that all passes process before the next keys, so that they stay in the L1 cache. */
  private static final int SORTED_AT_ONCE = 32 * TILE;

  private static final VectorShuffle<Long> REVERSE =
      VectorShuffle.fromOp(SPECIES, lane -> LANES - 1 - lane);

  private static final List<Pass> TILE_PASSES = tilePasses();

  private BitonicMerge() {}

  private static VectorSpecies<Long> species() {
    VectorSpecies<Long> preferred = LongVector.SPECIES_PREFERRED;
    return preferred.length() <= ROWS ? preferred : LongVector.SPECIES_512;
  }

  private static LongVector interleaving(int first) {
    long[] lanes = new long[LANES];
    for (int i = 0; i < LANES; i++) {
      int lane = first + i / 2;
      lanes[i] = i % 2 == 0 ? lane : LANES + lane;
    }
    return LongVector.fromArray(SPECIES, lanes, 0);
  }

  /** One step on every tile of a range. */
  @FunctionalInterface
  private interface Pass {
    void over(long[] keys, int from, int to);
  }

  private static List<Pass> tilePasses() {
    List<Pass> passes = new ArrayList<>();
    passes.add(BitonicMerge::sortColumns);
    passes.add(BitonicMerge::transpose);
    // The columns are runs of 8 keys now. They grow to the 8 vectors of a tile.
    if (LANES >= 8) {
      passes.add(BitonicMerge::reverseEverySecond);
      passes.add(BitonicMerge::sortBitonicPairs);
    }
    if (LANES >= 4) {
      passes.add(BitonicMerge::halve);
      passes.add(BitonicMerge::sortBitonicPairs);
    }
    passes.add(BitonicMerge::halveTwice);
    passes.add(BitonicMerge::sortBitonicPairs);
    return List.copyOf(passes);
  }

  /** Sorts each tile of a range, which is a whole number of tiles. */
  static void sortTiles(long[] keys, int from, int to) {
    for (int at = from; at < to; at += SORTED_AT_ONCE) {
      for (Pass pass : TILE_PASSES) {
        pass.over(keys, at, Math.min(to, at + SORTED_AT_ONCE));
      }
    }
  }

  /** Sorts the columns of each tile by a network of 19 comparators. */
  private static void sortColumns(long[] keys, int from, int to) {
    for (int at = from; at < to; at += TILE) {
      LongVector v0 = load(keys, at);
      LongVector v1 = load(keys, at + LANES);
      LongVector v2 = load(keys, at + 2 * LANES);
      LongVector v3 = load(keys, at + 3 * LANES);
      LongVector v4 = load(keys, at + 4 * LANES);
      LongVector v5 = load(keys, at + 5 * LANES);
      LongVector v6 = load(keys, at + 6 * LANES);
      LongVector v7 = load(keys, at + 7 * LANES);
      LongVector a0 = v0.min(v2), a2 = v0.max(v2), a1 = v1.min(v3), a3 = v1.max(v3);
      LongVector a4 = v4.min(v6), a6 = v4.max(v6), a5 = v5.min(v7), a7 = v5.max(v7);
      LongVector b0 = a0.min(a4), b4 = a0.max(a4), b1 = a1.min(a5), b5 = a1.max(a5);
      LongVector b2 = a2.min(a6), b6 = a2.max(a6), b3 = a3.min(a7), b7 = a3.max(a7);
      LongVector c0 = b0.min(b1), c1 = b0.max(b1), c2 = b2.min(b3), c3 = b2.max(b3);
      LongVector c4 = b4.min(b5), c5 = b4.max(b5), c6 = b6.min(b7), c7 = b6.max(b7);
      LongVector d2 = c2.min(c4), d4 = c2.max(c4), d3 = c3.min(c5), d5 = c3.max(c5);
      LongVector e1 = c1.min(d4), e4 = c1.max(d4), e3 = d3.min(c6), e6 = d3.max(c6);
      c0.intoArray(keys, at);
      e1.min(d2).intoArray(keys, at + LANES);
      e1.max(d2).intoArray(keys, at + 2 * LANES);
      e3.min(e4).intoArray(keys, at + 3 * LANES);
      e3.max(e4).intoArray(keys, at + 4 * LANES);
      d5.min(e6).intoArray(keys, at + 5 * LANES);
      d5.max(e6).intoArray(keys, at + 6 * LANES);
      c7.intoArray(keys, at + 7 * LANES);
    }
  }

  /** Makes the columns of each tile runs of 8 keys: three rotations of the address. */
  private static void transpose(long[] keys, int from, int to) {
    for (int at = from; at < to; at += TILE) {
      LongVector v0 = load(keys, at);
      LongVector v1 = load(keys, at + LANES);
      LongVector v2 = load(keys, at + 2 * LANES);
      LongVector v3 = load(keys, at + 3 * LANES);
      LongVector v4 = load(keys, at + 4 * LANES);
      LongVector v5 = load(keys, at + 5 * LANES);
      LongVector v6 = load(keys, at + 6 * LANES);
      LongVector v7 = load(keys, at + 7 * LANES);
      for (int rotation = 0; rotation < 3; rotation++) {
        LongVector u0 = v0, u1 = v1, u2 = v2, u3 = v3;
        v0 = LOW_HALVES.selectFrom(u0, v4);
        v1 = HIGH_HALVES.selectFrom(u0, v4);
        v2 = LOW_HALVES.selectFrom(u1, v5);
        v3 = HIGH_HALVES.selectFrom(u1, v5);
        v4 = LOW_HALVES.selectFrom(u2, v6);
        v5 = HIGH_HALVES.selectFrom(u2, v6);
        v6 = LOW_HALVES.selectFrom(u3, v7);
        v7 = HIGH_HALVES.selectFrom(u3, v7);
      }
      v0.intoArray(keys, at);
      v1.intoArray(keys, at + LANES);
      v2.intoArray(keys, at + 2 * LANES);
      v3.intoArray(keys, at + 3 * LANES);
      v4.intoArray(keys, at + 4 * LANES);
      v5.intoArray(keys, at + 5 * LANES);
      v6.intoArray(keys, at + 6 * LANES);
      v7.intoArray(keys, at + 7 * LANES);
    }
  }

  /** Makes neighbouring runs of one vector bitonic pairs. */
  private static void reverseEverySecond(long[] keys, int from, int to) {
    for (int at = from + LANES; at < to; at += 2 * LANES) {
      loadReversed(keys, at).intoArray(keys, at);
    }
  }

  /** Makes neighbouring runs of two vectors two bitonic pairs, the second above the first. */
  private static void halve(long[] keys, int from, int to) {
    for (int at = from; at < to; at += 4 * LANES) {
      LongVector a0 = load(keys, at), a1 = load(keys, at + LANES);
      LongVector b0 = loadReversed(keys, at + 3 * LANES);
      LongVector b1 = loadReversed(keys, at + 2 * LANES);
      a0.min(b0).intoArray(keys, at);
      a1.min(b1).intoArray(keys, at + LANES);
      a0.max(b0).intoArray(keys, at + 2 * LANES);
      a1.max(b1).intoArray(keys, at + 3 * LANES);
    }
  }

  /** Makes neighbouring runs of four vectors four bitonic pairs, each above the one before. */
  private static void halveTwice(long[] keys, int from, int to) {
    for (int at = from; at < to; at += TILE) {
      LongVector a0 = load(keys, at), a1 = load(keys, at + LANES);
      LongVector a2 = load(keys, at + 2 * LANES), a3 = load(keys, at + 3 * LANES);
      LongVector b0 = loadReversed(keys, at + 7 * LANES), b1 = loadReversed(keys, at + 6 * LANES);
      LongVector b2 = loadReversed(keys, at + 5 * LANES), b3 = loadReversed(keys, at + 4 * LANES);
      LongVector p0 = a0.min(b0), p1 = a1.min(b1), p2 = a2.min(b2), p3 = a3.min(b3);
      LongVector q0 = a0.max(b0), q1 = a1.max(b1), q2 = a2.max(b2), q3 = a3.max(b3);
      p0.min(p2).intoArray(keys, at);
      p1.min(p3).intoArray(keys, at + LANES);
      p0.max(p2).intoArray(keys, at + 2 * LANES);
      p1.max(p3).intoArray(keys, at + 3 * LANES);
      q0.min(q2).intoArray(keys, at + 4 * LANES);
      q1.min(q3).intoArray(keys, at + 5 * LANES);
      q0.max(q2).intoArray(keys, at + 6 * LANES);
      q1.max(q3).intoArray(keys, at + 7 * LANES);
    }
  }

  /** Sorts bitonic sequences of two vectors each, two at a time. */
  private static void sortBitonicPairs(long[] keys, int from, int to) {
    for (int at = from; at < to; at += 4 * LANES) {
      LongVector p0 = load(keys, at), p1 = load(keys, at + LANES);
      LongVector q0 = load(keys, at + 2 * LANES), q1 = load(keys, at + 3 * LANES);
      for (int step = 0; step < STEPS; step++) {
        LongVector pLow = p0.min(p1), pHigh = p0.max(p1);
        p0 = LOW_HALVES.selectFrom(pLow, pHigh);
        p1 = HIGH_HALVES.selectFrom(pLow, pHigh);
        LongVector qLow = q0.min(q1), qHigh = q0.max(q1);
        q0 = LOW_HALVES.selectFrom(qLow, qHigh);
        q1 = HIGH_HALVES.selectFrom(qLow, qHigh);
      }
      p0.intoArray(keys, at);
      p1.intoArray(keys, at + LANES);
      q0.intoArray(keys, at + 2 * LANES);
      q1.intoArray(keys, at + 3 * LANES);
    }
  }

  /**
   * Merges two sorted lists until one of them ends or the output is full. All lengths are whole
   * strides. The greatest keys taken so far, one stride, are held back in the array between calls.
   *
   * @param keys contains the lists, the output and the keys held back
   * @param lists the positions of these; updated to the remaining parts
   */
  static void merge(long[] keys, TwoLists lists) {
    int a = lists.a;
    int b = lists.b;
    int aEnd = lists.aEnd;
    int bEnd = lists.bEnd;
    int out = lists.out;
    int outEnd = lists.outEnd;
    LongVector h0 = load(keys, lists.held), h1 = load(keys, lists.held + LANES);
    LongVector h2 = load(keys, lists.held + 2 * LANES), h3 = load(keys, lists.held + 3 * LANES);
    while (a < aEnd && b < bEnd && out < outEnd) {
      // Take the list with the smaller head, without an unpredictable branch.
      int useB = (int) ((keys[b] - keys[a]) >> 63);
      int next = a ^ ((a ^ b) & useB);
      a += STRIDE & ~useB;
      b += STRIDE & useB;
      // Halve twice: into the lesser p and the greater h, then each into lesser 0, 1 and greater 2,
      // 3.
      LongVector n0 = loadReversed(keys, next + 3 * LANES);
      LongVector n1 = loadReversed(keys, next + 2 * LANES);
      LongVector n2 = loadReversed(keys, next + LANES), n3 = loadReversed(keys, next);
      LongVector l0 = h0.min(n0), l1 = h1.min(n1), l2 = h2.min(n2), l3 = h3.min(n3);
      LongVector g0 = h0.max(n0), g1 = h1.max(n1), g2 = h2.max(n2), g3 = h3.max(n3);
      LongVector p0 = l0.min(l2), p1 = l1.min(l3), p2 = l0.max(l2), p3 = l1.max(l3);
      h0 = g0.min(g2);
      h1 = g1.min(g3);
      h2 = g0.max(g2);
      h3 = g1.max(g3);
      // Four bitonic pairs.
      for (int step = 0; step < STEPS; step++) {
        LongVector pLow = p0.min(p1), pHigh = p0.max(p1);
        p0 = LOW_HALVES.selectFrom(pLow, pHigh);
        p1 = HIGH_HALVES.selectFrom(pLow, pHigh);
        LongVector qLow = p2.min(p3), qHigh = p2.max(p3);
        p2 = LOW_HALVES.selectFrom(qLow, qHigh);
        p3 = HIGH_HALVES.selectFrom(qLow, qHigh);
        LongVector gLow = h0.min(h1), gHigh = h0.max(h1);
        h0 = LOW_HALVES.selectFrom(gLow, gHigh);
        h1 = HIGH_HALVES.selectFrom(gLow, gHigh);
        LongVector hLow = h2.min(h3), hHigh = h2.max(h3);
        h2 = LOW_HALVES.selectFrom(hLow, hHigh);
        h3 = HIGH_HALVES.selectFrom(hLow, hHigh);
      }
      p0.intoArray(keys, out);
      p1.intoArray(keys, out + LANES);
      p2.intoArray(keys, out + 2 * LANES);
      p3.intoArray(keys, out + 3 * LANES);
      out += STRIDE;
    }
    h0.intoArray(keys, lists.held);
    h1.intoArray(keys, lists.held + LANES);
    h2.intoArray(keys, lists.held + 2 * LANES);
    h3.intoArray(keys, lists.held + 3 * LANES);
    lists.a = a;
    lists.b = b;
    lists.out = out;
  }

  private static LongVector load(long[] keys, int at) {
    return LongVector.fromArray(SPECIES, keys, at);
  }

  private static LongVector loadReversed(long[] keys, int at) {
    return LongVector.fromArray(SPECIES, keys, at).rearrange(REVERSE);
  }
}
