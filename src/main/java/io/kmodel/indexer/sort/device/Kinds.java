package io.kmodel.indexer.sort.device;

/** How kernels are named after the keys that they sort. */
public final class Kinds {
  private Kinds() {}

  public static String of(int keyBytes) {
    return switch (keyBytes) {
      case Integer.BYTES -> "u32";
      case Long.BYTES -> "u64";
      default -> throw new IllegalArgumentException("keys have 4 or 8 bytes, not " + keyBytes);
    };
  }
}
