package io.kmodel.indexer.store;

import java.io.IOException;

/**
 * Reads a section of an {@link InputFile} sequentially through a heap buffer; {@link #seek} moves
 * anywhere within the section. To decode bit-packed blocks, call {@link #require} for contiguous
 * bytes and read {@link #buffer()} at {@link #offset()}. Reading past the section throws a {@link
 * CorruptIndexException}. Memory: the buffer. Not thread-safe.
 */
public final class ByteReader {
  private final InputFile file;
  private final byte[] buffer;
  private final long start;
  private final long end;

  /** File offset of buffer[0]. */
  private long bufferStart;

  private int offset;
  private int limit;

  ByteReader(InputFile file, long start, long end, int bufferBytes) {
    this.file = file;
    this.buffer = new byte[Math.max(bufferBytes, 64)];
    this.start = start;
    this.end = end;
    this.bufferStart = start;
  }

  /** File offset of the next byte. */
  public long position() {
    return bufferStart + offset;
  }

  /** Bytes left in the section. */
  public long remaining() {
    return end - position();
  }

  /** Moves to a file offset within the section. */
  public void seek(long position) throws IOException {
    if (position < start || position > end) {
      throw file.corrupt("offset %d is outside the section %d..%d".formatted(position, start, end));
    }
    long inBuffer = position - bufferStart;
    if (inBuffer >= 0 && inBuffer <= limit) {
      offset = (int) inBuffer;
    } else {
      bufferStart = position;
      offset = 0;
      limit = 0;
    }
  }

  public void skip(long bytes) throws IOException {
    seek(position() + bytes);
  }

  public byte[] buffer() {
    return buffer;
  }

  /** Index in {@link #buffer()} of the next byte. */
  public int offset() {
    return offset;
  }

  /** Makes {@code bytes} contiguous in the buffer at {@link #offset()}; at most the buffer size. */
  public void require(int bytes) throws IOException {
    if (limit - offset < bytes) {
      refill(bytes);
    }
  }

  /** Skips bytes that {@link #require} has made available. */
  public void consume(int bytes) {
    offset += bytes;
  }

  public byte readByte() throws IOException {
    if (offset == limit) {
      refill(1);
    }
    return buffer[offset++];
  }

  public int readInt() throws IOException {
    require(4);
    int value = LittleEndian.getInt(buffer, offset);
    offset += 4;
    return value;
  }

  public long readLong() throws IOException {
    require(8);
    long value = LittleEndian.getLong(buffer, offset);
    offset += 8;
    return value;
  }

  public int readVInt() throws IOException {
    byte b = readByte();
    if (b >= 0) {
      return b;
    }
    int value = b & 0x7F;
    for (int shift = 7; shift <= 28; shift += 7) {
      b = readByte();
      value |= (b & 0x7F) << shift;
      if (b >= 0 && (shift < 28 || b <= 0x0F)) {
        return value;
      }
    }
    throw file.corrupt("integer of more than 32 bits before offset " + position());
  }

  public long readVLong() throws IOException {
    byte b = readByte();
    if (b >= 0) {
      return b;
    }
    long value = b & 0x7FL;
    for (int i = 1; i < VariableLength.MAX_LONG_BYTES; i++) {
      b = readByte();
      value |= (b & 0x7FL) << (7 * i);
      if (b >= 0 && (i < VariableLength.MAX_LONG_BYTES - 1 || b <= 1)) {
        return value;
      }
    }
    throw file.corrupt("integer of more than 64 bits before offset " + position());
  }

  public void readBytes(byte[] target, int from, int length) throws IOException {
    int at = from;
    int left = length;
    while (left > 0) {
      if (offset == limit) {
        refill(1);
      }
      int n = Math.min(left, limit - offset);
      System.arraycopy(buffer, offset, target, at, n);
      offset += n;
      at += n;
      left -= n;
    }
  }

  /** Returns an exception that names this reader's file. */
  public CorruptIndexException corrupt(String problem) {
    return file.corrupt(problem);
  }

  private void refill(int wanted) throws IOException {
    if (wanted > buffer.length) {
      throw new IllegalArgumentException(
          "%d contiguous bytes requested from a buffer of %d".formatted(wanted, buffer.length));
    }
    int kept = limit - offset;
    System.arraycopy(buffer, offset, buffer, 0, kept);
    bufferStart += offset;
    offset = 0;
    limit = kept;
    long left = end - (bufferStart + kept);
    int n = (int) Math.min(left, buffer.length - kept);
    if (kept + n < wanted) {
      throw file.corrupt(
          "section ends at %d, but %d bytes are needed at %d".formatted(end, wanted, bufferStart));
    }
    file.read(bufferStart + kept, buffer, kept, n);
    limit = kept + n;
  }
}
