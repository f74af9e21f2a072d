package io.kmodel.indexer.gpu;

/**
 * A device as the driver describes it.
 *
 * @param ordinal its number
 * @param memoryBytes all of its memory
 * @param capability compute capability, ten times the major number plus the minor one
 */
public record GpuInfo(int ordinal, String name, long memoryBytes, int capability) {
  @Override
  public String toString() {
    return "gpu:" + ordinal + " (" + name + ")";
  }
}
