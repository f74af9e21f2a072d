package io.kmodel.indexer.source;

/**
 * Memory for data that is decompressed ahead of its readers, shared by all threads. Thread-safe.
 */
public interface AheadMemory {
  /** Grants every request. */
  AheadMemory UNLIMITED =
      new AheadMemory() {
        @Override
        public boolean take(long bytes, long left) {
          return true;
        }

        @Override
        public void giveBack(long bytes) {}
      };

  /**
   * Takes off-heap memory.
   *
   * @param left bytes that must remain available to others
   * @return false if not enough memory is available now
   */
  boolean take(long bytes, long left);

  void giveBack(long bytes);
}
