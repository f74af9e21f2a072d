package io.kmodel.indexer.merge;

import org.jspecify.annotations.Nullable;

/**
 * A range of term keys, for one thread of a merge.
 *
 * @param from the first, null for the beginning
 * @param to the one after the last, null for the end
 * @param bytes of the runs' lists in the range, approximately; 0 if unknown
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; a range is only iterated
public record TermRange(byte @Nullable [] from, byte @Nullable [] to, long bytes) {
  /** All terms. */
  public static final TermRange ALL = new TermRange(null, null, 0);

  /** The terms of a field, whose number is the first byte of their keys. */
  public static TermRange ofField(int field) {
    return new TermRange(new byte[] {(byte) field}, new byte[] {(byte) (field + 1)}, 0);
  }
}
