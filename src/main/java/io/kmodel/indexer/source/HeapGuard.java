package io.kmodel.indexer.source;

/**
 * Grants heap to documents before they take it. Each thread has a separate guard, and one document
 * at a time.
 */
public interface HeapGuard {
  /**
   * Heap per byte of a document that is parsed without a tree: the bytes, their text in UTF-8 and
   * as a String, and the stored fields.
   */
  int USUAL_PER_BYTE = 12;

  /** For callers that need no limit. */
  HeapGuard UNLIMITED = unlimited(DecoderGuard.ALONE);

  /** The same, except that decoders have to ask. */
  static HeapGuard unlimited(DecoderGuard decoders) {
    return unlimited(decoders, AheadMemory.UNLIMITED);
  }

  /** The same, except that decoders and read-ahead memory have to ask. */
  static HeapGuard unlimited(DecoderGuard decoders, AheadMemory ahead) {
    return new HeapGuard() {
      @Override
      public long freeBytes() {
        return Long.MAX_VALUE;
      }

      @Override
      public long largestBytes() {
        return Long.MAX_VALUE;
      }

      @Override
      public boolean reserve(long heapBytes) {
        return true;
      }

      @Override
      public void release() {}

      @Override
      public DecoderGuard decoders() {
        return decoders;
      }

      @Override
      public AheadMemory ahead() {
        return ahead;
      }
    };
  }

  /** Heap that every document may take without asking. */
  long freeBytes();

  /** Heap that the largest document may take. */
  long largestBytes();

  /**
   * Waits until the current document may take this much heap in total.
   *
   * @return false if it never may
   */
  boolean reserve(long heapBytes) throws InterruptedException;

  /** Heap to ask for each byte of a whole file, which may be text in UTF-8. */
  default int heapPerTextByte() {
    return USUAL_PER_BYTE;
  }

  /** What a user can do about a document that needs so much heap. */
  default String advice(long heapBytes) {
    return "raise --memory";
  }

  /** Grants memory to the thread's decoders; documents cannot use what decoders hold. */
  default DecoderGuard decoders() {
    return DecoderGuard.ALONE;
  }

  /** Whether the thread holds something that others may wait for. */
  default boolean holdsTurn() {
    return false;
  }

  /** Grants memory for data that is decompressed for several threads. */
  default AheadMemory ahead() {
    return AheadMemory.UNLIMITED;
  }

  /** Releases what the current document has reserved: it is finished or skipped. */
  void release();
}
