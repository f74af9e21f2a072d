package io.kmodel.indexer.indexing.order;

/**
 * How many bits it saves to move a document to the other half of a partition, by term of the
 * document. A term in d of n documents is taken to cost d · log2(n / (d + 1)) bits in a half: the
 * estimate of LogGap in Dhulipala et al., "Compressing Graphs and Indexes with Recursive Graph
 * Bisection" (KDD 2016), §3.2.
 *
 * <p>The same on every machine, since it uses {@link StrictMath}. Memory: 8 bytes per term.
 */
final class Gains {
  /** Document frequencies whose {@link #step} is tabulated. */
  private static final int TABLE = 1 << 16;

  private static final float[] STEPS = steps();

  /** By term, for documents of the left half. */
  final float[] toRight;

  /** By term, for documents of the right half. */
  final float[] toLeft;

  Gains(int terms) {
    this.toRight = new float[terms];
    this.toLeft = new float[terms];
  }

  /** Whether a term in so many of a partition's documents says how to split them. */
  static boolean matters(int docFreq, int docs) {
    return docFreq >= 2 && docFreq < docs;
  }

  /**
   * Computes the gains.
   *
   * @param left document frequencies in the left half
   * @param right document frequencies in the right half
   * @param leftDocs documents in the left half
   * @param rightDocs documents in the right half
   */
  void compute(int[] left, int[] right, int leftDocs, int rightDocs) {
    float balance = (float) (log2(leftDocs) - log2(rightDocs));
    for (int term = 0; term < toRight.length; term++) {
      int l = left[term];
      int r = right[term];
      if (matters(l + r, leftDocs + rightDocs)) {
        toRight[term] = balance - step(l) + step(r + 1);
        toLeft[term] = -balance - step(r) + step(l + 1);
      } else {
        toRight[term] = 0;
        toLeft[term] = 0;
      }
    }
  }

  /** d · log2(d + 1) - (d - 1) · log2(d): what the d-th document of a term saves in its half. */
  private static float step(int d) {
    return d < TABLE ? STEPS[d] : exactStep(d);
  }

  private static float exactStep(int d) {
    return d == 0 ? 0 : (float) (d * log2(d + 1.0) - (d - 1) * log2(d));
  }

  private static float[] steps() {
    float[] steps = new float[TABLE];
    for (int d = 0; d < TABLE; d++) {
      steps[d] = exactStep(d);
    }
    return steps;
  }

  private static double log2(double x) {
    return StrictMath.log(x) / StrictMath.log(2);
  }
}
