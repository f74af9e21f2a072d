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
 * as tapes leave them. A read never crosses from one member to the next, and the members' places in
 * the file are known. (The JDK's GZIPInputStream takes a damaged second header for the end of the
 * file, and knows no places.)
 *
 * <p>Failure: a {@link ZipException} that names the offset, after all bytes before the damage were
 * returned, however small or large the reads were; {@link #restart} goes on elsewhere. Memory: an
 * inflater's 40 KiB. Not thread-safe. Closing frees the inflater, not the input.
 */
final class GzipInput extends BlockInput implements MemberPlaces {
  static final int DEFLATE = 8;

  static final int HEADER_CHECKSUM = 2;
  static final int EXTRA = 4;
  static final int NAME = 8;
  static final int COMMENT = 16;
  static final int RESERVED = 0xE0;

  /** Starts of members that are remembered: more than a reader can be behind. */
  private static final int REMEMBERED = 1 << 12;

  private final InputBytes in;
  private final String whole;
  private final Inflater inflater = new Inflater(true);
  private final CRC32 checksum = new CRC32();

  /** Offsets of recent members: in the output at even places, in the file at odd ones. */
  private final long[] starts = new long[2 * REMEMBERED];

  private int members;
  private boolean inMember;

  /** Thrown when all before it was returned. */
  private @Nullable ZipException damage;

  private boolean first = true;
  private long output;
  private long memberOutput;
  private long memberPosition;
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
  public long memberAt(long offset) {
    int slot = slot(offset);
    return slot >= 0 && starts[slot] == offset ? starts[slot + 1] : -1;
  }

  @Override
  public long memberOf(long offset) {
    int slot = slot(offset);
    return slot < 0 ? -1 : starts[slot + 1];
  }

  @Override
  public long offsetInMember(long offset) {
    int slot = slot(offset);
    return slot < 0 ? -1 : offset - starts[slot];
  }

  /**
   * Where in the output the first member starts behind an offset, of those that have begun.
   *
   * @return {@link Long#MAX_VALUE} if none has, or all too long ago
   */
  long nextStart(long offset) {
    long next = Long.MAX_VALUE;
    for (int i = 0; i < Math.min(members, REMEMBERED); i++) {
      long start = starts[2 * ((members - 1 - i) & (REMEMBERED - 1))];
      if (start <= offset) {
        break;
      }
      next = start;
    }
    return next;
  }

  /** The last member that starts at an offset of the output or before; -1 if too long ago. */
  private int slot(long offset) {
    for (int i = 0; i < Math.min(members, REMEMBERED); i++) {
      int slot = 2 * ((members - 1 - i) & (REMEMBERED - 1));
      if (starts[slot] <= offset) {
        return slot;
      }
    }
    return -1;
  }

  /** Bytes of output so far. */
  long output() {
    return output;
  }

  @Override
  public long memberPosition() {
    return memberPosition;
  }

  /** Whether a member has begun, and its checksum is still to come. */
  boolean inMember() {
    return inMember;
  }

  /** Goes on at another member, at an offset of the file. */
  void restart(long offset) {
    in.seek(offset);
    inflater.reset();
    inMember = false;
    damage = null;
    first = true;
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
      if (inMember && inflater.finished()) {
        // Not in the call that ends the data: what it returns does not depend on the trailer.
        checkTrailer();
        inMember = false;
      }
      if (!inMember && !startMember()) {
        return -1;
      }
      int n = inflate(to, offset, length);
      checksum.update(to, offset, n);
      output += n;
      memberOutput += n;
      if (n > 0) {
        return n;
      }
    }
  }

  @Override
  public void close() {
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
        return (int) (inflater.getBytesWritten() - memberOutput);
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
  private boolean startMember() throws IOException {
    memberPosition = in.position();
    if (first ? !in.fill() : isAtEnd()) {
      return false;
    }
    if (!first && in.position() != memberPosition) {
      throw damaged("bytes after the last member", in.position());
    }
    readHeader();
    first = false;
    inMember = true;
    inflater.reset();
    checksum.reset();
    memberOutput = 0;
    dataStart = in.position();
    if (members > 0 && starts[2 * ((members - 1) & (REMEMBERED - 1))] == output) {
      // The member before was empty.
      members--;
    }
    int slot = 2 * (members & (REMEMBERED - 1));
    starts[slot] = output;
    starts[slot + 1] = memberPosition;
    members++;
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
    if (length != (int) memberOutput) {
      throw damaged("length %d, expected %d".formatted(memberOutput, length), position + 4);
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
