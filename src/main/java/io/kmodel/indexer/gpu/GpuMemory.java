package io.kmodel.indexer.gpu;

/** Memory of a device. Must be closed by a thread in which the device is current. */
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

  /** Its place in device memory, an argument of kernels. */
  public long address() {
    return address;
  }

  @Override
  public void close() {
    Cuda.free(address);
  }
}
