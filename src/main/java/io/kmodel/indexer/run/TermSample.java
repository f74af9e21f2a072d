package io.kmodel.indexer.run;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An entry of a run's sparse index.
 *
 * <p>Its key separates the lists before it from those after it: it is greater than every term key
 * before it, and at most the first one after it. In a file it is the shortest such key.
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

  /** The key. Must not be modified. */
  public byte[] key() {
    return key;
  }

  /** Bytes of the run's lists before this key. */
  public long bytesBefore() {
    return bytesBefore;
  }

  /** Offset in the file, or address in memory, of the first list at or above the key. */
  long offset() {
    return offset;
  }

  /** Number of long lists before it in a file. */
  int longLists() {
    return longLists;
  }

  /**
   * The index of the sample at which reading must start to find all lists from a key on.
   *
   * @param samples ascending
   * @param key null for the first key
   * @return -1 if there are no samples
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
