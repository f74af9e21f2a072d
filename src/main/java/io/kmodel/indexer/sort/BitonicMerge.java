package io.kmodel.indexer.sort;

import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/**
 * Sorting and merging networks over vectors of 2, 4 or 8 keys, as wide as this machine has them
 * (Satish et al., section 5.2.1, and Chhugani et al., whom they follow). Keys lie in an array, in
 * signed order.
 *
 * <p>A bitonic sequence in two vectors is sorted by as many equal steps as it has address bits:
 * minima and maxima of the two, then both interleaved (their Figure 2). An interleaving rotates the
 * address by one bit, so after the last step everything is back in its place, and one pair of
 * shuffles serves every step and every width of vectors. Longer sequences are halved by whole
 * vectors first, until each pair stands for itself; those pairs do not wait for each other, which
 * is what keeps the processor busy.
 *
 * <p>Methods are kept short and take arrays, not memory segments: the compiler gives up on a method
 * of too many vector operations (its node limit is fixed), and makes each vector an object then.
 * Needs the module jdk.incubator.vector: ask {@link VectorSupport} before touching this class.
 */
final class BitonicMerge {
  private static final VectorSpecies<Long> SPECIES = species();

  /** Keys of a vector: 2, 4 or 8. */
  static final int LANES = SPECIES.length();

  /** Rows of a tile, which {@link #sortColumns} has its network for. */
  private static final int ROWS = 8;

  /** Keys that {@link #sortTiles} puts in order at a time. */
  static final int TILE = ROWS * LANES;

  /** Keys that {@link #merge} takes from a list at a time. */
  static final int STRIDE = 2 * LANES;

  /** Steps of the network for two vectors: address bits of a key in them. */
  private static final int STEPS = 1 + Integer.numberOfTrailingZeros(LANES);

  /** Takes first, first, second, second … of two vectors. */
  private static final LongVector LOW_HALVES = interleaving(0);

  private static final LongVector HIGH_HALVES = interleaving(LANES / 2);

  private static final VectorShuffle<Long> REVERSE =
      VectorShuffle.fromOp(SPECIES, lane -> LANES - 1 - lane);

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

  /** Sorts each tile of a range that is a whole number of tiles. */
  static void sortTiles(long[] keys, int from, int to) {
    for (int at = from; at < to; at += TILE) {
      sortColumns(keys, at);
      transpose(keys, at);
    }
    // Runs of 8 keys. They grow to a tile's 8 vectors.
    if (LANES >= 8) {
      mergeVectors(keys, from, to);
    }
    if (LANES >= 4) {
      mergePairs(keys, from, to);
    }
    mergeQuads(keys, from, to);
  }

  /** Sorts the columns of a tile by the network of 19 comparators. */
  private static void sortColumns(long[] keys, int at) {
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

  /** Makes the columns of a tile runs of 8 keys: three rotations of the address. */
  private static void transpose(long[] keys, int at) {
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

  /** Merges neighbouring runs of one vector, in place. */
  private static void mergeVectors(long[] keys, int from, int to) {
    for (int at = from; at < to; at += 4 * LANES) {
      loadReversed(keys, at + LANES).intoArray(keys, at + LANES);
      loadReversed(keys, at + 3 * LANES).intoArray(keys, at + 3 * LANES);
      sortBitonicPairs(keys, at);
    }
  }

  /** Merges neighbouring runs of two vectors, in place. */
  private static void mergePairs(long[] keys, int from, int to) {
    for (int at = from; at < to; at += 4 * LANES) {
      LongVector a0 = load(keys, at), a1 = load(keys, at + LANES);
      LongVector b0 = loadReversed(keys, at + 3 * LANES);
      LongVector b1 = loadReversed(keys, at + 2 * LANES);
      a0.min(b0).intoArray(keys, at);
      a1.min(b1).intoArray(keys, at + LANES);
      a0.max(b0).intoArray(keys, at + 2 * LANES);
      a1.max(b1).intoArray(keys, at + 3 * LANES);
      sortBitonicPairs(keys, at);
    }
  }

  /** Merges the two runs of four vectors that each tile has, in place. */
  private static void mergeQuads(long[] keys, int from, int to) {
    for (int at = from; at < to; at += TILE) {
      halveTwice(keys, at);
      sortBitonicPairs(keys, at);
      sortBitonicPairs(keys, at + 4 * LANES);
    }
  }

  /** Makes two runs of four vectors four bitonic pairs, each above the one before. */
  private static void halveTwice(long[] keys, int at) {
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

  /** Sorts two bitonic sequences of two vectors each, one after the other in memory. */
  private static void sortBitonicPairs(long[] keys, int at) {
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

  /**
   * Merges two sorted lists until one of them is used up or the output is full. All lengths are
   * whole strides. The greatest keys taken so far, one stride, wait in the array between calls.
   *
   * @param keys where the lists, the output and the keys held back lie
   * @param lists says where; ends up with what is left
   */
  static void merge(long[] keys, TwoLists lists) {
    int a = lists.a;
    int b = lists.b;
    int aEnd = lists.aEnd;
    int bEnd = lists.bEnd;
    int out = lists.out;
    int outEnd = lists.outEnd;
    LongVector h0 = load(keys, lists.held), h1 = load(keys, lists.held + LANES);
    while (a < aEnd && b < bEnd && out < outEnd) {
      // The list with the smaller head, without a branch that nobody could predict.
      int useB = (int) ((keys[b] - keys[a]) >> 63);
      int next = a ^ ((a ^ b) & useB);
      a += STRIDE & ~useB;
      b += STRIDE & useB;
      LongVector n0 = loadReversed(keys, next + LANES), n1 = loadReversed(keys, next);
      LongVector p0 = h0.min(n0), p1 = h1.min(n1);
      h0 = h0.max(n0);
      h1 = h1.max(n1);
      for (int step = 0; step < STEPS; step++) {
        LongVector pLow = p0.min(p1), pHigh = p0.max(p1);
        p0 = LOW_HALVES.selectFrom(pLow, pHigh);
        p1 = HIGH_HALVES.selectFrom(pLow, pHigh);
        LongVector hLow = h0.min(h1), hHigh = h0.max(h1);
        h0 = LOW_HALVES.selectFrom(hLow, hHigh);
        h1 = HIGH_HALVES.selectFrom(hLow, hHigh);
      }
      p0.intoArray(keys, out);
      p1.intoArray(keys, out + LANES);
      out += STRIDE;
    }
    h0.intoArray(keys, lists.held);
    h1.intoArray(keys, lists.held + LANES);
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
