package io.kmodel.indexer.run;

/**
 * An entry of a run's sparse index.
 *
 * <p>Its key is the shortest that parts the lists before it from those after it: above every term
 * key before, and at most the first one after.
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

  /** File offset of the first list at or above the key. */
  long offset() {
    return offset;
  }

  /** Number of long lists before it. */
  int longLists() {
    return longLists;
  }
}
