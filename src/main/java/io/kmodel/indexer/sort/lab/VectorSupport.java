package io.kmodel.indexer.sort.lab;

/**
 * Whether sorting with vectors is possible here, or why not.
 *
 * @param isUsable whether {@link SimdMergeSorter} can be made
 * @param reason for people: the vectors' size, or what is missing
 */
public record VectorSupport(boolean isUsable, String reason) {
  private static final String MODULE = "jdk.incubator.vector";

  /** Vectors of fewer bits hold a single key. */
  private static final int LEAST_BITS = 128;

  /** Looks at this Java and this machine. */
  public static VectorSupport probe() {
    if (ModuleLayer.boot().findModule(MODULE).isEmpty()) {
      return new VectorSupport(
          false, "Java was started without --add-modules " + MODULE + ", which has the vectors");
    }
    int bits = VectorBits.preferred();
    if (bits < LEAST_BITS) {
      return new VectorSupport(false, "vectors of this machine have only " + bits + " bits");
    }
    return new VectorSupport(true, "vectors of " + bits + " bits");
  }

  void require() {
    if (!isUsable) {
      throw new UnsupportedOperationException(reason);
    }
  }

  /** A class of its own, which is loaded only where the module is there. */
  private static final class VectorBits {
    static int preferred() {
      return jdk.incubator.vector.LongVector.SPECIES_PREFERRED.vectorBitSize();
    }
  }
}
