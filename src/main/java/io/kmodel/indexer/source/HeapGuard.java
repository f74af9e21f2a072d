package io.kmodel.indexer.source;

/**
 * Is asked for room in the heap before a document takes it; each thread has one of its own, and one
 * document at a time.
 */
public interface HeapGuard {
  /** For callers with all the heap they want. */
  HeapGuard UNLIMITED = unlimited(DecoderGuard.ALONE);

  /** The same where decoders have to ask. */
  static HeapGuard unlimited(DecoderGuard decoders) {
    return unlimited(decoders, AheadMemory.UNLIMITED);
  }

  /** The same where that goes for what is unpacked for several threads, too. */
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
   * Waits until the document at hand may take this much heap, all in all.
   *
   * @return false if it may never
   */
  boolean reserve(long heapBytes) throws InterruptedException;

  /** Is asked before decoders of the thread take memory; what they have, documents have not. */
  default DecoderGuard decoders() {
    return DecoderGuard.ALONE;
  }

  /** Whether the thread has something that others may wait for. */
  default boolean holdsTurn() {
    return false;
  }

  /** For what is unpacked for several threads. */
  default AheadMemory ahead() {
    return AheadMemory.UNLIMITED;
  }

  /** Gives back what the document at hand has reserved: it is done with, or passed over. */
  void release();
}
