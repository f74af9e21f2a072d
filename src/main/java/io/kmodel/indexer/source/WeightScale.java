package io.kmodel.indexer.source;

/**
 * How the weights of sparse vectors become integers. With {@code bits}, a weight w becomes w ×
 * 2^bits, rounded to the nearest integer (halves up): fixed-point numbers with so many binary
 * digits after the point. The rule depends on nothing but the weight, so it needs no pass over the
 * collection, and every part of a collection is scaled alike. 7 bits keep a little more than
 * Anserini's practice of two decimal digits. Without bits, weights must be whole.
 *
 * @param bits 0 to {@value #MAX_BITS}, or {@value #WHOLE} for whole weights
 */
public record WeightScale(int bits) {
  public static final int MAX_BITS = 16;

  private static final int WHOLE = -1;

  /** Weights must be whole numbers. */
  public static final WeightScale NONE = new WeightScale(WHOLE);

  public WeightScale {
    if (bits < WHOLE || bits > MAX_BITS) {
      throw new IllegalArgumentException(
          "weights are quantized to 0 to %d bits; got %d".formatted(MAX_BITS, bits));
    }
  }

  /** Whether fractions are allowed. */
  public boolean scales() {
    return bits != WHOLE;
  }

  /**
   * The integer for a weight, 0 for one that is left out.
   *
   * @throws IllegalArgumentException if the weight cannot be kept; the message says why
   */
  public int weight(double given) {
    if (!(given >= 0)) {
      throw new IllegalArgumentException("is negative or not a number");
    }
    double scaled = scales() ? Math.scalb(given, bits) : given;
    if (!scales() && scaled != Math.rint(scaled)) {
      throw new IllegalArgumentException("is not a whole number; use --quantize BITS");
    }
    if (scaled >= SparseVector.MAX_WEIGHT + 0.5) {
      throw new IllegalArgumentException(
          "is above the limit of %d%s"
              .formatted(
                  SparseVector.MAX_WEIGHT, scales() ? "; use fewer bits of --quantize" : ""));
    }
    return (int) Math.round(scaled);
  }
}
