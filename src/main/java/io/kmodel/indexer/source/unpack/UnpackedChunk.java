package io.kmodel.indexer.source.unpack;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * A range of a file's decompressed data, off-heap. One thread writes it and hands it over to others
 * that read it; then it is filled again. Memory: {@value #BYTES} bytes, and 16 for every member.
 */
final class UnpackedChunk {
  /** A chunk is full, unless the file ends with it, or damage begins after it. */
  static final int BYTES = 1 << 18;

  private final MemorySegment bytes;
  private long start;
  private int length;
  private long filePosition;

  /** Starts of members: in the decompressed data at even indexes, in the file at odd ones. */
  private long[] members = new long[2];

  private int memberLength;

  UnpackedChunk(MemorySegment bytes) {
    this.bytes = bytes;
  }

  /** Empties the chunk, for bytes from an offset on. */
  void start(long offset) {
    start = offset;
    length = 0;
    memberLength = 0;
  }

  /** Appends bytes, at most {@link #room()}. */
  void append(byte[] from, int count) {
    MemorySegment.copy(from, 0, bytes, ValueLayout.JAVA_BYTE, length, count);
    length += count;
  }

  int room() {
    return BYTES - length;
  }

  boolean isEmpty() {
    return length == 0;
  }

  /** Offset after the last byte. */
  long end() {
    return start + length;
  }

  /**
   * Records which member holds the bytes from here on.
   *
   * @param first offset of its first byte
   * @param position of the member in the file
   */
  void member(long first, long position) {
    if (memberLength > 0 && members[memberLength - 1] == position) {
      return;
    }
    if (memberLength == members.length) {
      members = Arrays.copyOf(members, 2 * memberLength);
    }
    members[memberLength] = first;
    members[memberLength + 1] = position;
    memberLength += 2;
  }

  /** Bytes of the file that had been read when the chunk was full. */
  long filePosition() {
    return filePosition;
  }

  void filePosition(long position) {
    filePosition = position;
  }

  /** Copies the bytes from an offset on. */
  void copy(long offset, byte[] to, int at, int count) {
    MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, offset - start, to, at, count);
  }

  int memberCount() {
    return memberLength / 2;
  }

  /** A copy of the members so far. */
  long[] members() {
    return Arrays.copyOf(members, memberLength);
  }
}
