package io.kmodel.indexer.source;

/**
 * Memory for what is unpacked ahead of who reads it; for all threads together, and safe for them.
 */
public interface AheadMemory {
  /** As much as anybody wants. */
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
   * Takes so many bytes, outside of the heap.
   *
   * @param left how many have to be left to others then
   * @return false if there are not as many now
   */
  boolean take(long bytes, long left);

  void giveBack(long bytes);
}
