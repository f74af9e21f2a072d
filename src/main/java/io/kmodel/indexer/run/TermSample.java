package io.kmodel.indexer.run;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An entry of a run's sparse index.
 *
 * <p>Its key parts the lists before it from those after it: it is above every term key before, and
 * at most the first one after; in a file it is the shortest such key.
 */
public final class TermSample {
  private final byte[] key;
  private final long offset;
  private final int longLists;
  private final long bytesBefore;

  TermSample(byte[] key, long offset, int longLists, long bytesBefore) {
    this.key = key;
    this.offset = offset;
    this.longLists = longLists;
    this.bytesBefore = bytesBefore;
  }

  /** The key; not to be changed. */
  public byte[] key() {
    return key;
  }

  /** Bytes of the run's lists before this key. */
  public long bytesBefore() {
    return bytesBefore;
  }

  /** Offset in the file, or in the memory, of the first list at or above the key. */
  long offset() {
    return offset;
  }

  /** Number of a file's long lists before it. */
  int longLists() {
    return longLists;
  }

  /**
   * Of ascending samples the last at whose list the lists from a key on may begin, by its index.
   *
   * @param key null for the first
   * @return -1 if there are none
   */
  static int lastUpTo(List<TermSample> samples, byte @Nullable [] key) {
    int low = 0;
    int high = samples.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (middle > 0 && (key == null || Arrays.compareUnsigned(samples.get(middle).key, key) > 0)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low - 1;
  }
}
