package io.kmodel.indexer.sort;

import java.util.List;
import java.util.Objects;

/**
 * One pass over all keys: consecutive steps of the bitonic network, and the Γ-sequence of the index
 * bits that distinguish the keys of one part, for those steps and for the coalesced rows. A part is
 * the 2^|Γ| keys whose indexes agree in every other bit (Claim 2, Lemma 1). So parts are
 * independent of each other, and a part fits in the local memory of σ = 2^|Γ| keys.
 *
 * <p>Γ always consists of two ranges, [0, lowBits) and [highBase, highBase + log σ − lowBits). The
 * low range has the rows of consecutive keys (Section 5's k-coalesced condition) and the steps that
 * end a stage, the high one the steps that start a stage. Immutable.
 *
 * @param lowBits length of the range of Γ that starts at bit 0
 * @param highBase where the other range of Γ starts; at least lowBits
 * @param highBits length of that range, 0 if Γ is one range
 * @param steps the comparisons, in order
 */
public record Superstep(int lowBits, int highBase, int highBits, List<Step> steps) {

  /** Most index bits of a part, which is held in one array. */
  static final int MAX_GAMMA = 30;

  /**
   * Step (s, c) of Algorithm 1: compares every index with the one that differs in bit c.
   *
   * @param stage 1 to log n
   * @param bit stage − 1 down to 0
   */
  public record Step(int stage, int bit) {
    public Step {
      if (bit < 0 || bit >= stage) {
        throw new IllegalArgumentException(
            "bit of a step must be in [0, stage); got bit " + bit + " of stage " + stage);
      }
    }
  }

  public Superstep {
    if (lowBits < 0 || highBits < 0 || lowBits + highBits > MAX_GAMMA) {
      throw new IllegalArgumentException(
          "a gamma-sequence has 0 to %d bits; got %d + %d".formatted(MAX_GAMMA, lowBits, highBits));
    }
    if (highBase < lowBits || highBase + highBits >= Long.SIZE) {
      throw new IllegalArgumentException(
          "high bits must start in [%d, %d); got %d"
              .formatted(lowBits, Long.SIZE - highBits, highBase));
    }
    steps = List.copyOf(Objects.requireNonNull(steps));
    for (Step step : steps) {
      if (!contains(step.bit(), lowBits, highBase, highBits)) {
        throw new IllegalArgumentException(step + " is outside of its gamma-sequence");
      }
    }
  }

  /** |Γ|. */
  public int gammaSize() {
    return lowBits + highBits;
  }

  /** Number of keys of a part, 2^|Γ|. */
  public int partSize() {
    return 1 << gammaSize();
  }

  /** Number of parts that hold at least one of n keys. Parts are numbered from 0. */
  public long partCount(long n) {
    int top = highBase + highBits;
    long below = 1L << (highBase - lowBits);
    long whole = n >>> top;
    long rest = n & ((1L << top) - 1);
    long rows = (rest + (1L << lowBits) - 1) >>> lowBits;
    return whole * below + Math.min(rows, below);
  }

  /** Index of a part's first key: the part's number spread over the bits outside of Γ. */
  public long partBase(long part) {
    int middle = highBase - lowBits;
    long low = part & ((1L << middle) - 1);
    return low << lowBits | part >>> middle << (highBase + highBits);
  }

  /**
   * Offset from its part's base of the key with this local index (Algorithm 2): the local index
   * spread over the bits of Γ.
   */
  public long offset(long localIndex) {
    long low = localIndex & ((1L << lowBits) - 1);
    return low | localIndex >>> lowBits << highBase;
  }

  /** The position of bit c of an index in a local index. */
  public int localBit(int bit) {
    return bit < lowBits ? bit : bit - highBase + lowBits;
  }

  private static boolean contains(int bit, int lowBits, int highBase, int highBits) {
    return bit < lowBits || (bit >= highBase && bit < highBase + highBits);
  }
}
