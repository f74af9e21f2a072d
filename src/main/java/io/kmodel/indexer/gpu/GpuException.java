package io.kmodel.indexer.gpu;

import java.util.Locale;

/**
 * A call of the CUDA driver has failed. Names the call, the driver's code, and the bytes at hand.
 */
public final class GpuException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The driver's code for memory that is not there. */
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

  /** Of a device with less free memory than it has to have. */
  static GpuException tooLittleFree(long freeBytes, long leastBytes) {
    return new GpuException(
        String.format(
            Locale.ROOT,
            "only %,d MiB of the device's memory are free, and %,d MiB are needed",
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

  /** What the call was about, 0 where that is no amount of memory. */
  public long bytes() {
    return bytes;
  }

  /** Whether the device has too little memory left, and works on otherwise. */
  public boolean isOutOfMemory() {
    return code == OUT_OF_MEMORY;
  }
}
