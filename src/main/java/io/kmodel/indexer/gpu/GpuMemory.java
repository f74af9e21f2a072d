package io.kmodel.indexer.gpu;

/** Memory of a device; to be closed by a thread that uses the device. */
public final class GpuMemory implements AutoCloseable {
  private final long address;
  private final long bytes;

  GpuMemory(long bytes) {
    this.address = Cuda.allocate(bytes);
    this.bytes = bytes;
  }

  public long bytes() {
    return bytes;
  }

  long address() {
    return address;
  }

  @Override
  public void close() {
    Cuda.free(address);
  }
}
