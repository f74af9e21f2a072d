package io.kmodel.indexer.source;

/**
 * Is asked for memory before a decoder takes it for what it refers back to (but for looks at frames
 * of zstd, which take half a mebibyte whatever these want); each thread has one of its own, and all
 * that its decoders have reserved counts together.
 */
public interface DecoderGuard {
  /** Where that memory is. */
  enum Memory {
    /** Dictionaries of xz. */
    HEAP,
    /** Windows and dictionaries of zstd. */
    OUTSIDE
  }

  /**
   * For callers that decode one file at a time beside nothing else, so much for each decoder: xz -9
   * and zstd --long do.
   */
  DecoderGuard ALONE = upTo(66 << 20, 129 << 20);

  /**
   * Windows of zstd without --long and --ultra, 8 MiB and some, and a dictionary of a mebibyte or
   * two: every thread may have one.
   */
  long USUAL_OUTSIDE_BYTES = 12L << 20;

  /** No more than that, whatever else is decoded. */
  DecoderGuard USUAL = upTo(0, USUAL_OUTSIDE_BYTES);

  /** For callers whose files need not be decoded. */
  DecoderGuard NOTHING = upTo(0, 0);

  /** The most that decoders may reserve, with what they have reserved. */
  long largestBytes(Memory memory);

  /**
   * Waits until decoders may take so many bytes more.
   *
   * @return false if they may never, beside what they have
   */
  boolean reserve(Memory memory, long bytes) throws InterruptedException;

  /** Gives back so many bytes. */
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
