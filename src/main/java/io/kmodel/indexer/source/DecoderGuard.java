package io.kmodel.indexer.source;

/**
 * Grants memory to decoders for the data they refer back to. (Probes of zstd frames do not ask:
 * they take 0.5 MiB regardless of the declared window.) Each thread has a separate guard, which
 * counts the memory of all of the thread's decoders together.
 */
public interface DecoderGuard {
  /** Where the memory is. */
  enum Memory {
    /** Dictionaries of xz. */
    HEAP,
    /** Windows and dictionaries of zstd. */
    OUTSIDE
  }

  /**
   * For callers that decode one file at a time and nothing else: enough for each decoder of xz -9
   * and zstd --long.
   */
  DecoderGuard ALONE = upTo(66 << 20, 129 << 20);

  /**
   * Windows of zstd without --long and --ultra, some 8 MiB, and a dictionary of 1 or 2 MiB; every
   * thread may have one.
   */
  long USUAL_OUTSIDE_BYTES = 12L << 20;

  /** Grants this much, regardless of other decoders. */
  DecoderGuard USUAL = upTo(0, USUAL_OUTSIDE_BYTES);

  /** For callers whose files need no decoding. */
  DecoderGuard NOTHING = upTo(0, 0);

  /** The most that decoders may reserve, including their current reservations. */
  long largestBytes(Memory memory);

  /** What decoders have reserved; 0 if the guard keeps no account. */
  default long reservedBytes(Memory memory) {
    return 0;
  }

  /**
   * Waits until decoders may take this many more bytes.
   *
   * @return false if they never may, given their current reservations
   */
  boolean reserve(Memory memory, long bytes) throws InterruptedException;

  /** Releases memory. */
  void release(Memory memory, long bytes);

  private static DecoderGuard upTo(long heapBytes, long outsideBytes) {
    return new DecoderGuard() {
      @Override
      public long largestBytes(Memory memory) {
        return memory == Memory.HEAP ? heapBytes : outsideBytes;
      }

      @Override
      public boolean reserve(Memory memory, long bytes) {
        return bytes <= largestBytes(memory);
      }

      @Override
      public void release(Memory memory, long bytes) {}
    };
  }
}
