package io.kmodel.indexer.inversion;

import io.kmodel.indexer.memory.OffHeap;
import io.kmodel.indexer.source.record.EightBytes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Records of terms that came from a device, each with the first {@value DeviceBlock#SHORT} bytes of
 * its term; longer terms are whole elsewhere. Thread-safe.
 */
final class TermRecords {
  /** Offset of the second half of the first bytes in a record. */
  private static final int LOW = 8;

  private final long start;
  private final int stride;
  private final int count;
  private final int longStartAt;
  private final MemorySegment longBytes;

  /**
   * Records without gaps.
   *
   * @param stride bytes of a record
   * @param longStartAt offset in a record of where the long term starts, followed by the length
   */
  TermRecords(MemorySegment records, int stride, int longStartAt, MemorySegment longBytes) {
    this.start = records.address();
    this.stride = stride;
    this.count = Math.toIntExact(records.byteSize() / stride);
    this.longStartAt = longStartAt;
    this.longBytes = longBytes;
  }

  int count() {
    return count;
  }

  long longAt(int term, int offset) {
    return OffHeap.getLong(start + (long) stride * term + offset);
  }

  int intAt(int term, int offset) {
    return OffHeap.getInt(start + (long) stride * term + offset);
  }

  /** Bytes of a term with its field. */
  int length(int term) {
    return intAt(term, longStartAt + Integer.BYTES);
  }

  private int longStart(int term) {
    return intAt(term, longStartAt);
  }

  /** Whether a term has possible bytes, the first of which are those of its record. */
  boolean isPossible(int term) {
    int length = length(term);
    if (length <= DeviceBlock.SHORT) {
      return length > 1;
    }
    int at = longStart(term);
    return length <= DeviceBlock.HALO
        && at >= 0
        && at <= longBytes.byteSize() - length
        && longAt(term, 0) == Long.reverseBytes(OffHeap.getLong(longBytes.address() + at))
        && longAt(term, LOW) == Long.reverseBytes(OffHeap.getLong(longBytes.address() + at + LOW));
  }

  /** Whether terms, all of them possible, strictly ascend. */
  boolean ascend() {
    for (int term = 1; term < count; term++) {
      if (compare(term - 1, term) >= 0) {
        return false;
      }
    }
    return true;
  }

  /** Compares terms. Short ones with the same first bytes are the same. */
  int compare(int a, int b) {
    int order = Long.compareUnsigned(longAt(a, 0), longAt(b, 0));
    if (order == 0) {
      order = Long.compareUnsigned(longAt(a, LOW), longAt(b, LOW));
    }
    return order == 0 ? compareWhole(a, b) : order;
  }

  /** Compares terms with the same first bytes; a short one comes before a long one. */
  private int compareWhole(int a, int b) {
    boolean isLong = length(a) > DeviceBlock.SHORT;
    boolean isOtherLong = length(b) > DeviceBlock.SHORT;
    if (!isLong || !isOtherLong) {
      return Boolean.compare(isLong, isOtherLong);
    }
    long startA = longStart(a);
    long startB = longStart(b);
    long at =
        MemorySegment.mismatch(
            longBytes, startA, startA + length(a), longBytes, startB, startB + length(b));
    if (at < 0 || at == length(a) || at == length(b)) {
      return length(a) - length(b);
    }
    return Byte.compareUnsigned(
        longBytes.get(ValueLayout.JAVA_BYTE, startA + at),
        longBytes.get(ValueLayout.JAVA_BYTE, startB + at));
  }

  /** Copies a term to a place; up to 15 bytes behind it may be overwritten. */
  void copy(int term, byte[] to, int at) {
    int length = length(term);
    if (length > DeviceBlock.SHORT) {
      OffHeap.copyWords(longBytes.address() + longStart(term), to, at, length);
      return;
    }
    EightBytes.put(to, at, Long.reverseBytes(longAt(term, 0)));
    EightBytes.put(to, at + Long.BYTES, Long.reverseBytes(longAt(term, LOW)));
  }
}
