package io.kmodel.indexer.gpu;

import java.util.Locale;

/**
 * A call of the CUDA driver failed. The message names the call, the driver's code and, for memory,
 * the number of bytes.
 */
public final class GpuException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** CUDA_ERROR_OUT_OF_MEMORY. */
  private static final int OUT_OF_MEMORY = 2;

  private final String call;
  private final int code;
  private final long bytes;

  GpuException(String call, int code, String codeName, long bytes) {
    super(
        String.format(Locale.ROOT, "%s: %s (%d)", call, codeName, code)
            + (bytes == 0 ? "" : String.format(Locale.ROOT, ", %,d bytes", bytes)));
    this.call = call;
    this.code = code;
    this.bytes = bytes;
  }

  private GpuException(String message, long bytes) {
    super(message);
    this.call = "cuMemGetInfo";
    this.code = OUT_OF_MEMORY;
    this.bytes = bytes;
  }

  /** For a device with less free memory than required. */
  static GpuException tooLittleFree(long freeBytes, long leastBytes) {
    return new GpuException(
        String.format(
            Locale.ROOT,
            "only %,d MiB of the device's memory are free, but %,d MiB are needed",
            freeBytes >> 20,
            leastBytes >> 20),
        leastBytes);
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }

  public String call() {
    return call;
  }

  public int code() {
    return code;
  }

  /** The bytes the call was about; 0 if it was not about memory. */
  public long bytes() {
    return bytes;
  }

  /** Whether the device ran out of memory but still works otherwise. */
  public boolean isOutOfMemory() {
    return code == OUT_OF_MEMORY;
  }
}
