package io.kmodel.indexer.source;

import io.kmodel.indexer.store.LittleEndian;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipException;

/**
 * Decompresses gzip files (RFC 1952) of any number of members, all or nothing: every header is
 * read, every checksum and length checked, and bytes after the last member are an error unless they
 * are zero, as tapes leave them. (The JDK's GZIPInputStream takes a damaged second header for the
 * end of the file.)
 *
 * <p>Memory: the largest output so far, at most the limit. Not thread-safe.
 */
final class GzipDecoder implements AutoCloseable {
  /** What {@link #decode} returns where the limit is exceeded. */
  static final int TOO_LARGE = -1;

  private static final int FIXED_HEADER_BYTES = 10;
  private static final int TRAILER_BYTES = 8;
  private static final int DEFLATE = 8;

  private static final int HEADER_CHECKSUM = 2;
  private static final int EXTRA = 4;
  private static final int NAME = 8;
  private static final int COMMENT = 16;
  private static final int RESERVED = 0xE0;

  /** Output arrays up to this size are kept. */
  private static final int KEPT_BYTES = 1 << 20;

  private final Inflater inflater = new Inflater(true);
  private final CRC32 checksum = new CRC32();
  private byte[] output = new byte[1 << 16];
  private byte[] input = {};
  private int inputLength;
  private int at;
  private int limit;

  /** Whether a file starts as gzip files do. */
  static boolean isGzip(byte[] bytes, int length) {
    return length >= 2 && bytes[0] == 0x1F && bytes[1] == (byte) 0x8B;
  }

  /**
   * Decompresses a whole file.
   *
   * @param limit bytes of output at most
   * @return bytes of output, now in {@link #bytes()}, or {@link #TOO_LARGE}
   * @throws ZipException if any of it is damaged; the output is then of no use
   */
  int decode(byte[] file, int fileLength, int limit) throws ZipException {
    input = file;
    inputLength = fileLength;
    this.limit = limit;
    at = 0;
    int length = 0;
    do {
      readHeader();
      int end = inflate(length);
      if (end == TOO_LARGE) {
        return TOO_LARGE;
      }
      checkTrailer(length, end);
      length = end;
    } while (!isAtEnd());
    return length;
  }

  /** Holds the output of the last {@link #decode}, until the next. */
  byte[] bytes() {
    return output;
  }

  /** Frees the output, if it is large. */
  void dropLargeOutput() {
    input = new byte[0];
    if (output.length > KEPT_BYTES) {
      output = new byte[1 << 16];
    }
  }

  @Override
  public void close() {
    inflater.end();
  }

  private void readHeader() throws ZipException {
    int start = at;
    require(FIXED_HEADER_BYTES, "header");
    if (input[at] != 0x1F || input[at + 1] != (byte) 0x8B) {
      throw damaged("no gzip header", at);
    }
    if (input[at + 2] != DEFLATE) {
      throw damaged("compression method " + (input[at + 2] & 0xFF) + ", expected 8", at + 2);
    }
    int flags = input[at + 3] & 0xFF;
    if ((flags & RESERVED) != 0) {
      throw damaged("reserved flags %#x".formatted(flags), at + 3);
    }
    at += FIXED_HEADER_BYTES;
    if ((flags & EXTRA) != 0) {
      require(2, "extra field");
      int extra = (input[at] & 0xFF) | (input[at + 1] & 0xFF) << 8;
      at += 2;
      require(extra, "extra field");
      at += extra;
    }
    if ((flags & NAME) != 0) {
      skipText("name");
    }
    if ((flags & COMMENT) != 0) {
      skipText("comment");
    }
    if ((flags & HEADER_CHECKSUM) != 0) {
      checkHeader(start);
    }
  }

  private void skipText(String what) throws ZipException {
    while (true) {
      require(1, what);
      if (input[at++] == 0) {
        return;
      }
    }
  }

  private void checkHeader(int start) throws ZipException {
    require(2, "header checksum");
    checksum.reset();
    checksum.update(input, start, at - start);
    int expected = (input[at] & 0xFF) | (input[at + 1] & 0xFF) << 8;
    int actual = (int) checksum.getValue() & 0xFFFF;
    if (actual != expected) {
      throw damaged("header checksum %#x, expected %#x".formatted(actual, expected), at);
    }
    at += 2;
  }

  /** Decompresses one member to {@code from} of the output; returns where it ends there. */
  private int inflate(int from) throws ZipException {
    inflater.reset();
    inflater.setInput(input, at, inputLength - at);
    int to = from;
    while (!inflater.finished()) {
      if (to == output.length) {
        // One byte above the limit, so that output past it shows.
        output = Arrays.copyOf(output, (int) Math.min(2L * to, limit + 1L));
      }
      try {
        int n = inflater.inflate(output, to, output.length - to);
        if (n == 0 && !inflater.finished()) {
          throw damaged("compressed data ends early", inputLength);
        }
        to += n;
      } catch (DataFormatException e) {
        long read = inflater.getBytesRead();
        throw damaged("invalid compressed data (" + e.getMessage() + ")", at + read);
      }
      if (to > limit) {
        return TOO_LARGE;
      }
    }
    at += Math.toIntExact(inflater.getBytesRead());
    return to;
  }

  private void checkTrailer(int from, int to) throws ZipException {
    require(TRAILER_BYTES, "trailer");
    checksum.reset();
    checksum.update(output, from, to - from);
    int expected = LittleEndian.getInt(input, at);
    int actual = (int) checksum.getValue();
    if (actual != expected) {
      throw damaged("checksum %#x, expected %#x".formatted(actual, expected), at);
    }
    int length = LittleEndian.getInt(input, at + 4);
    if (length != to - from) {
      throw damaged("length %d, expected %d".formatted(to - from, length), at + 4);
    }
    at += TRAILER_BYTES;
  }

  private boolean isAtEnd() {
    int end = at;
    while (end < inputLength && input[end] == 0) {
      end++;
    }
    return end == inputLength;
  }

  private void require(int bytes, String what) throws ZipException {
    if (inputLength - at < bytes) {
      throw damaged("ends within its " + what, inputLength);
    }
  }

  private static ZipException damaged(String problem, long offset) {
    return new ZipException("gzip: " + problem + " at byte " + offset + " of the file");
  }
}
