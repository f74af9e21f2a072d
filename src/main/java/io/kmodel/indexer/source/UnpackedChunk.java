package io.kmodel.indexer.source;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * Some bytes of what a file unpacks to, outside of the heap. Written by one thread, and read by
 * others when that has handed it over; then filled again. Memory: {@value #BYTES} bytes, and 16 for
 * every member.
 */
final class UnpackedChunk {
  /** A chunk is full, unless the file ends with it, or damage begins behind it. */
  static final int BYTES = 1 << 18;

  private final MemorySegment bytes;
  private long start;
  private int length;
  private long filePosition;

  /** Starts of members: in what is unpacked at even places, in the file at odd ones. */
  private long[] members = new long[2];

  private int memberLength;

  UnpackedChunk(MemorySegment bytes) {
    this.bytes = bytes;
  }

  /** Empties it, for bytes from an offset on. */
  void start(long offset) {
    start = offset;
    length = 0;
    memberLength = 0;
  }

  /** Appends bytes, of which there may be as many as {@link #room()}. */
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

  /** Offset of the byte behind the last. */
  long end() {
    return start + length;
  }

  /**
   * Says which member has the bytes from here on.
   *
   * @param first offset of its first byte
   * @param position of it in the file
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

  /** Bytes of the file that were read when it was full. */
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

  /** Its members, as they are now. */
  long[] members() {
    return Arrays.copyOf(members, memberLength);
  }
}
