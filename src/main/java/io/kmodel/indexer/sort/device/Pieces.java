package io.kmodel.indexer.sort.device;

/** Divides device memory into pieces that start at multiples of 8 bytes. */
public final class Pieces {
  private long next;

  /** Starts at an address, or at 0 to add up sizes. */
  public Pieces(long address) {
    this.next = address;
  }

  /** Returns the address of the next piece. */
  public long take(long bytes) {
    long taken = next;
    next += (bytes + Long.BYTES - 1) / Long.BYTES * Long.BYTES;
    return taken;
  }

  /** The end of the last piece. */
  public long end() {
    return next;
  }
}
