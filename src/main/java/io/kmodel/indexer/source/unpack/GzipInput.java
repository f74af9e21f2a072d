package io.kmodel.indexer.source.unpack;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
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
 * <p>Members of large files after their first are unpacked at once by libdeflate, except those that
 * are damaged or too large for that: they go through Java's inflater. Which of the two unpacks a
 * member shows only if it was made for that: if its data have codes that only libdeflate accepts,
 * and the checksum of what libdeflate makes of them.
 *
 * <p>Failure: a {@link ZipException} that names the offset. Memory: an inflater's 40 KiB besides,
 * and for libdeflate a window of 256 KiB and room for up to 1 MiB.
 */
public final class GzipInput extends MemberInput {
  public static final int DEFLATE = 8;

  static final int HEADER_CHECKSUM = 2;
  static final int EXTRA = 4;
  static final int NAME = 8;
  static final int COMMENT = 16;
  static final int RESERVED = 0xE0;

  /** For who wants no member unpacked at once, as more of the input is used then than was read. */
  public static final long NEVER_AT_ONCE = Long.MAX_VALUE;

  /** Smaller files are not worth the memory that it takes. */
  private static final long AT_ONCE_BYTES = 1L << 20;

  /** Of a header without optional fields. */
  public static final int HEADER_BYTES = 10;

  /** Of a checksum and a length. */
  public static final int TRAILER_BYTES = 2 * Integer.BYTES;

  /**
   * What has more bytes is unpacked by pieces: a call of libdeflate takes time by them, and holds
   * up whoever wants all of Java's threads to stop.
   */
  public static final int MOST_PACKED = (1 << 17) - TRAILER_BYTES;

  /** What a member may unpack to at once: at first, and at most. */
  private static final int LEAST_ROOM = 1 << 17;

  private static final int MOST_ROOM = 1 << 20;

  private static final VarHandle LITTLE_INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private final InputBytes in;
  private final String whole;
  private final Inflater inflater = new Inflater(true);
  private final CRC32 checksum = new CRC32();

  /** Thrown once all bytes before it were returned. */
  private @Nullable ZipException damage;

  private boolean first = true;
  private long dataStart;

  private @Nullable Libdeflate library;

  /** The size of files from which on members are unpacked at once. */
  private long atOnceBytes;

  /** Whether the member at hand was unpacked at once, to the first bytes of the array. */
  private boolean atOnce;

  private byte[] unpacked = {};
  private int unpackedAt;
  private int unpackedEnd;

  GzipInput(InputBytes in) {
    this(in, "file", AT_ONCE_BYTES);
  }

  /**
   * Decompresses from where the input is.
   *
   * @param whole what errors say that offsets are in
   * @param atOnceBytes the size of files from which on members are unpacked at once, where that is
   *     possible
   */
  public GzipInput(InputBytes in, String whole, long atOnceBytes) {
    this.in = in;
    this.whole = whole;
    this.atOnceBytes = atOnceBytes;
  }

  /** Whether a file starts with the gzip signature. */
  public static boolean isGzip(byte[] bytes, int from, int length) {
    return length >= 2 && bytes[from] == 0x1F && bytes[from + 1] == (byte) 0x8B;
  }

  /** The checksum in a trailer. */
  public static int checksumAt(byte[] bytes, int trailer) {
    return (int) LITTLE_INT.get(bytes, trailer);
  }

  /** The length in a trailer, modulo 4 GiB; negative from 2 GiB on. */
  public static int lengthAt(byte[] bytes, int trailer) {
    return (int) LITTLE_INT.get(bytes, trailer + Integer.BYTES);
  }

  @Override
  public void restart(long offset) {
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

  /** The member's offset, because messages name the byte of the file. */
  @Override
  public long failurePlace(long outputOffset) {
    return memberPosition();
  }

  @Override
  MemberProbe newProbe() {
    return new GzipProbe();
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
      if (inMember() && (atOnce ? unpackedAt == unpackedEnd : inflater.finished())) {
        // Not in the call that ends the data, so that its result does not depend on the trailer.
        checkTrailer();
        endMember();
      }
      if (!inMember() && !nextMember()) {
        return -1;
      }
      int n = atOnce ? copy(to, offset, length) : inflate(to, offset, length);
      if (!atOnce) {
        checksum.update(to, offset, n);
      }
      count(n);
      if (n > 0) {
        return n;
      }
    }
  }

  @Override
  void closeDecoder() {
    inflater.end();
    if (library != null) {
      library.close();
      library = null;
    }
  }

  /**
   * Unpacks a member that has begun as a whole, where that is possible. One that is damaged, or has
   * more bytes than are looked at, is left to the inflater, from its start: it alone says where
   * damage is, as libdeflate takes some codes that are none. Whether a member is unpacked so is up
   * to its bytes and its place alone, and not to where reading began, else these codes would be
   * damage for one reader and none for another.
   */
  private boolean unpackAtOnce() throws IOException {
    Libdeflate by = library();
    if (by == null) {
      return false;
    }
    try {
      in.fill(MOST_PACKED + TRAILER_BYTES);
    } catch (InputBytes.ReadFailure e) {
      // It comes again when the bytes that cannot be read are wanted, and is not to come before.
      atOnceBytes = NEVER_AT_ONCE;
      return false;
    }
    Libdeflate.Outcome outcome = unpack(by);
    while (outcome == Libdeflate.Outcome.NO_ROOM && unpacked.length < MOST_ROOM) {
      unpacked = new byte[2 * unpacked.length];
      outcome = unpack(by);
    }
    if (outcome != Libdeflate.Outcome.DONE || !isWhole(by)) {
      checksum.reset();
      return false;
    }
    in.advance(by.dataBytes());
    unpackedAt = 0;
    unpackedEnd = by.outputBytes();
    return true;
  }

  /** Whether what was unpacked has the checksum and the length that stand behind the data. */
  private boolean isWhole(Libdeflate by) {
    int trailer = in.at() + by.dataBytes();
    checksum.update(unpacked, 0, by.outputBytes());
    return in.available() - by.dataBytes() >= TRAILER_BYTES
        && checksumAt(in.array(), trailer) == (int) checksum.getValue()
        && lengthAt(in.array(), trailer) == by.outputBytes();
  }

  /** The library; null if it is switched off, or the file is too small for it. */
  private @Nullable Libdeflate library() throws IOException {
    if (library == null && atOnceBytes < NEVER_AT_ONCE) {
      library = in.size() < atOnceBytes ? null : Libdeflate.open();
      if (library == null) {
        atOnceBytes = NEVER_AT_ONCE;
      } else {
        in.widen(2 * (MOST_PACKED + TRAILER_BYTES));
        unpacked = new byte[LEAST_ROOM];
      }
    }
    return atOnceBytes == NEVER_AT_ONCE ? null : library;
  }

  private Libdeflate.Outcome unpack(Libdeflate by) {
    int bytes = Math.min(in.available(), MOST_PACKED);
    return by.unpack(in.array(), in.at(), in.at() + bytes, unpacked);
  }

  private int copy(byte[] to, int offset, int length) {
    int n = Math.min(length, unpackedEnd - unpackedAt);
    System.arraycopy(unpacked, unpackedAt, to, offset, n);
    unpackedAt += n;
    return n;
  }

  /**
   * Inflates some bytes. Bytes before invalid data are returned, and the failure is kept for later.
   */
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

  /** Reads a header; returns false at the end of the file. */
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
    atOnce = false;
    startMember();
    // Not the file's first: where it is the only one, it is too large.
    atOnce = memberPosition() > 0 && unpackAtOnce();
    return true;
  }

  /** Skips zeros; returns whether nothing else follows. */
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
      // The text is not used.
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
