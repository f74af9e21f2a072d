package io.kmodel.indexer.sort.lab;

/**
 * Whether sorting with vectors is possible on this machine.
 *
 * @param isUsable whether {@link SimdMergeSorter} can be used
 * @param reason for messages: the size of vectors, or what is missing
 */
public record VectorSupport(boolean isUsable, String reason) {
  private static final String MODULE = "jdk.incubator.vector";

  /** Shorter vectors hold a single key. */
  private static final int LEAST_BITS = 128;

  /** Checks this Java and this machine. */
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

  /** A separate class, loaded only if the module is present. */
  private static final class VectorBits {
    static int preferred() {
      return jdk.incubator.vector.LongVector.SPECIES_PREFERRED.vectorBitSize();
    }
  }
}
