package io.kmodel.indexer.source;

import java.io.IOException;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * Decompresses gzip (RFC 1952) of any number of members as a stream: every header is read, every
 * checksum and length checked, and bytes after the last member are an error unless they are zero,
 * as tapes leave them. (The JDK's GZIPInputStream takes a damaged second header for the end of the
 * file, and knows no places.)
 *
 * <p>Failure: a {@link ZipException} that names the offset. Memory: an inflater's 40 KiB besides.
 */
final class GzipInput extends MemberInput {
  static final int DEFLATE = 8;

  static final int HEADER_CHECKSUM = 2;
  static final int EXTRA = 4;
  static final int NAME = 8;
  static final int COMMENT = 16;
  static final int RESERVED = 0xE0;

  private final InputBytes in;
  private final String whole;
  private final Inflater inflater = new Inflater(true);
  private final CRC32 checksum = new CRC32();

  /** Thrown when all before it was returned. */
  private @Nullable ZipException damage;

  private boolean first = true;
  private long dataStart;

  GzipInput(InputBytes in) {
    this(in, "file");
  }

  /**
   * Decompresses from where the input is.
   *
   * @param whole what errors say that offsets are in
   */
  GzipInput(InputBytes in, String whole) {
    this.in = in;
    this.whole = whole;
  }

  /** Whether a file starts as gzip files do. */
  static boolean isGzip(byte[] bytes, int from, int length) {
    return length >= 2 && bytes[from] == 0x1F && bytes[from + 1] == (byte) 0x8B;
  }

  @Override
  void restart(long offset) {
    in.seek(offset);
    inflater.reset();
    endMember();
    damage = null;
    first = true;
  }

  @Override
  public long firstMember() {
    return 0;
  }

  /** The member's, as messages name the byte of the file. */
  @Override
  public long failurePlace(long outputOffset) {
    return memberPosition();
  }

  @Override
  MemberLook newLook() {
    return new GzipLook();
  }

  @Override
  public int read(byte[] to, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    while (true) {
      if (damage != null) {
        throw damage;
      }
      if (inMember() && inflater.finished()) {
        // Not in the call that ends the data: what it returns does not depend on the trailer.
        checkTrailer();
        endMember();
      }
      if (!inMember() && !nextMember()) {
        return -1;
      }
      int n = inflate(to, offset, length);
      checksum.update(to, offset, n);
      count(n);
      if (n > 0) {
        return n;
      }
    }
  }

  @Override
  void closeDecoder() {
    inflater.end();
  }

  /** Inflates some bytes; what comes before invalid data is returned, and the damage kept. */
  private int inflate(byte[] to, int offset, int length) throws IOException {
    while (true) {
      inflater.setInput(in.array(), in.at(), in.available());
      int before = in.available();
      int n;
      try {
        n = inflater.inflate(to, offset, length);
      } catch (DataFormatException e) {
        damage =
            damaged(
                "invalid compressed data (" + e.getMessage() + ")",
                dataStart + inflater.getBytesRead());
        return (int) (inflater.getBytesWritten() - memberOutput());
      }
      in.advance(before - inflater.getRemaining());
      if (n > 0 || inflater.finished()) {
        return n;
      }
      if (inflater.needsDictionary() || !in.fill()) {
        throw damaged("compressed data ends early", in.position());
      }
    }
  }

  /** Reads a header; false at the end of the file. */
  private boolean nextMember() throws IOException {
    expectMember(in.position());
    if (first ? !in.fill() : isAtEnd()) {
      return false;
    }
    if (!first && in.position() != memberPosition()) {
      throw damaged("bytes after the last member", in.position());
    }
    readHeader();
    first = false;
    inflater.reset();
    checksum.reset();
    dataStart = in.position();
    startMember();
    return true;
  }

  /** Passes over zeros; whether nothing else follows. */
  private boolean isAtEnd() throws IOException {
    while (in.fill()) {
      if (in.array()[in.at()] != 0) {
        return false;
      }
      in.advance(1);
    }
    return true;
  }

  private void readHeader() throws IOException {
    checksum.reset();
    long start = in.position();
    if (next("header") != 0x1F || next("header") != 0x8B) {
      throw damaged("no gzip header", start);
    }
    int method = next("header");
    if (method != DEFLATE) {
      throw damaged("compression method " + method + ", expected 8", start + 2);
    }
    int flags = next("header");
    if ((flags & RESERVED) != 0) {
      throw damaged("reserved flags %#x".formatted(flags), start + 3);
    }
    skip("header", 6);
    if ((flags & EXTRA) != 0) {
      int low = next("extra field");
      skip("extra field", low | next("extra field") << 8);
    }
    if ((flags & NAME) != 0) {
      skipText("name");
    }
    if ((flags & COMMENT) != 0) {
      skipText("comment");
    }
    if ((flags & HEADER_CHECKSUM) != 0) {
      checkHeader();
    }
  }

  private int next(String what) throws IOException {
    int b = in.read();
    if (b < 0) {
      throw damaged("ends within its " + what, in.position());
    }
    checksum.update(b);
    return b;
  }

  private void skip(String what, int bytes) throws IOException {
    for (int i = 0; i < bytes; i++) {
      next(what);
    }
  }

  private void skipText(String what) throws IOException {
    while (next(what) != 0) {
      // Nobody asks for it.
    }
  }

  private void checkHeader() throws IOException {
    int actual = (int) checksum.getValue() & 0xFFFF;
    long position = in.position();
    int low = next("header checksum");
    int expected = low | next("header checksum") << 8;
    if (actual != expected) {
      throw damaged("header checksum %#x, expected %#x".formatted(actual, expected), position);
    }
  }

  private void checkTrailer() throws IOException {
    long position = in.position();
    int actual = (int) checksum.getValue();
    int expected = trailerInt();
    if (actual != expected) {
      throw damaged("checksum %#x, expected %#x".formatted(actual, expected), position);
    }
    int length = trailerInt();
    if (length != (int) memberOutput()) {
      throw damaged("length %d, expected %d".formatted(memberOutput(), length), position + 4);
    }
  }

  private int trailerInt() throws IOException {
    int value = 0;
    for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
      value |= next("trailer") << shift;
    }
    return value;
  }

  private ZipException damaged(String problem, long offset) {
    return new ZipException("gzip: " + problem + " at byte " + offset + " of the " + whole);
  }
}
