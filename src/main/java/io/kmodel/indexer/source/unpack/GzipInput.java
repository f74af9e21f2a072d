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
 * Decompresses gzip (RFC 1952) of any number of members as a stream. It reads every header and
 * checks every checksum and length. Bytes after the last member are an error unless they are zero,
 * as on tapes. (The JDK's GZIPInputStream takes a damaged second header for the end of the file and
 * reports no offsets.)
 *
 * <p>In large files, libdeflate decompresses each member after the first in one call. Java's
 * inflater reads members that are damaged or too large for that. The results differ only for
 * crafted data, which has codes that only libdeflate accepts and the checksum of its output.
 *
 * <p>Failure: a {@link ZipException} that names the offset. Memory: in addition, an inflater's 40
 * KiB, and for libdeflate a window of 256 KiB and an output buffer of up to 1 MiB.
 */
public final class GzipInput extends MemberInput {
  public static final int DEFLATE = 8;

  static final int HEADER_CHECKSUM = 2;
  static final int EXTRA = 4;
  static final int NAME = 8;
  static final int COMMENT = 16;
  static final int RESERVED = 0xE0;

  /** Turns libdeflate off, for callers that must not read ahead. */
  public static final long NEVER_AT_ONCE = Long.MAX_VALUE;

  /** Smaller files do not justify the memory of libdeflate. */
  private static final long AT_ONCE_BYTES = 1L << 20;

  /** Bytes of a header without optional fields. */
  public static final int HEADER_BYTES = 10;

  /** Bytes of the checksum and the length after the data. */
  public static final int TRAILER_BYTES = 2 * Integer.BYTES;

  /**
   * Larger members are inflated in pieces: one call takes time in proportion and delays safepoints.
   */
  public static final int MOST_PACKED = (1 << 17) - TRAILER_BYTES;

  /** The initial and the maximum size of libdeflate's output buffer. */
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

  /** The smallest size of a file for which libdeflate is used. */
  private long atOnceBytes;

  /** Whether the current member was decompressed in one call, into {@code unpacked}. */
  private boolean atOnce;

  private byte[] unpacked = {};
  private int unpackedAt;
  private int unpackedEnd;

  GzipInput(InputBytes in) {
    this(in, "file", AT_ONCE_BYTES);
  }

  /**
   * Decompresses from the current position of the input.
   *
   * @param whole what offsets in messages refer to, e.g. "file"
   * @param atOnceBytes the smallest size of a file for which libdeflate is used
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
   * Decompresses a whole member in one call if possible. If it is damaged or too large, the
   * inflater reads it from its start and reports where the damage is. The choice depends only on
   * the member's bytes and offset, so all readers agree.
   */
  private boolean unpackAtOnce() throws IOException {
    Libdeflate by = library();
    if (by == null) {
      return false;
    }
    try {
      in.fill(MOST_PACKED + TRAILER_BYTES);
    } catch (InputBytes.ReadFailure e) {
      // It is thrown again when the unreadable bytes are needed, and must not be thrown before.
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

  /** Whether the output has the checksum and the length that the trailer states. */
  private boolean isWhole(Libdeflate by) {
    int trailer = in.at() + by.dataBytes();
    checksum.update(unpacked, 0, by.outputBytes());
    return in.available() - by.dataBytes() >= TRAILER_BYTES
        && checksumAt(in.array(), trailer) == (int) checksum.getValue()
        && lengthAt(in.array(), trailer) == by.outputBytes();
  }

  /** The library; null if it is switched off or the file is too small. */
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
    // Not for the first member: if it is the file's only one, it is too large.
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
