package io.kmodel.indexer.source;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * A file's bytes, unpacked, read forwards through a window that parsers look into, with places to
 * report. What decompresses to far more than a file of text would is taken for a bomb.
 *
 * <p>Failure: an {@link IOException} where the bytes end that could be unpacked, {@link
 * InputBytes.ReadFailure} where the file system failed. Memory: two windows of 64 KiB at first, and
 * the decompressor's (see {@link Compression}). Not thread-safe.
 */
final class RecordInput implements AutoCloseable {
  /** The most that {@link #fill} can be asked for. */
  static final int WINDOW_BYTES = 1 << 16;

  /** Any file may unpack to this much, or any member if it has such. */
  private static final long FREE_BYTES = 64L << 20;

  private final InputBytes raw;
  private final Compression compression;
  private final int maxExpansion;
  private final InputStream in;

  /** What can be read from any member on. */
  private final @Nullable MemberInput memberInput;

  /** Of gzip and zstd. */
  private final @Nullable MemberPlaces members;

  private final byte[] window;

  /** Offset of the window's first byte in what the file unpacks to. */
  private long base;

  private int at;
  private int end;

  /** Failure that comes when the window is used up. */
  private @Nullable IOException failure;

  /**
   * Starts where {@code raw} is.
   *
   * @param maxExpansion how many times its size a file may unpack to
   * @param decoders is asked for memory to decode
   * @param window of {@value #WINDOW_BYTES} bytes, for use
   */
  RecordInput(
      InputBytes raw,
      Compression compression,
      int maxExpansion,
      DecoderGuard decoders,
      byte[] window)
      throws IOException {
    this.window = window;
    this.raw = raw;
    this.compression = compression;
    this.maxExpansion = maxExpansion;
    this.base = compression == Compression.NONE ? raw.position() : 0;
    this.in = compression.open(raw, decoders);
    this.memberInput = in instanceof MemberInput m ? m : null;
    this.members = memberInput;
  }

  /**
   * What somebody else unpacks, from where {@code unpacked} is; it cannot be restarted.
   *
   * @param raw the same file
   */
  RecordInput(InputBytes raw, Compression compression, UnpackedPiece unpacked, byte[] window) {
    this.window = window;
    this.raw = raw;
    this.compression = compression;
    this.maxExpansion = Integer.MAX_VALUE;
    this.base = unpacked.offset();
    this.in = unpacked;
    this.memberInput = null;
    this.members = compression.hasMembers() ? unpacked : null;
  }

  /**
   * What the next piece reads of what somebody else unpacks, from its first byte on, in place of
   * this, which is not read any more but has to be closed; null if this is no such piece.
   */
  @Nullable RecordInput ofNextPiece() {
    if (!(in instanceof UnpackedPiece unpacked)) {
      return null;
    }
    unpacked.goBack();
    return new RecordInput(raw, compression, unpacked, window);
  }

  /** A file that is not compressed, from where {@code raw} is. */
  static RecordInput plain(InputBytes raw) throws IOException {
    return new RecordInput(raw, Compression.NONE, 1, DecoderGuard.NOTHING, new byte[WINDOW_BYTES]);
  }

  /** Bytes of the file, as it is stored, that were read so far. */
  long rawPosition() {
    return in instanceof UnpackedPiece unpacked ? unpacked.filePosition() : raw.position();
  }

  /**
   * How many bytes may follow at most: those left in the file if it is not compressed; {@link
   * Long#MAX_VALUE} if nobody knows.
   */
  long left() throws IOException {
    long left = compression == Compression.NONE ? raw.size() - offset() : -1;
    // What comes behind its end says that a file system knows no sizes.
    return left < 0 ? Long.MAX_VALUE : left;
  }

  /** Offset of the next byte in what the file unpacks to. */
  long offset() {
    return base + at;
  }

  /**
   * Offset of the next byte in the file itself: where it is not compressed, or a member starts with
   * that byte; else -1.
   */
  long fileOffset() {
    if (compression == Compression.NONE) {
      return offset();
    }
    return members == null ? -1 : members.memberAt(offset());
  }

  /** Whether there is a byte, which a member starts with. */
  boolean startsMember() throws IOException {
    return memberInput != null && fill(1) && fileOffset() >= 0;
  }

  /** The offset to report of what could not be unpacked. */
  long failurePlace() {
    return members == null ? offset() : members.failurePlace(offset());
  }

  /** Where in the file the member starts that could not be unpacked; -1 if it has none. */
  long failedMember() {
    return memberInput == null ? -1 : memberInput.memberPosition();
  }

  /**
   * The offset to report of a record that starts here: within members after the first, that of the
   * member, which is the same whichever piece of the file is read.
   */
  long place() {
    long member = members == null ? -1 : members.memberOf(offset());
    return members != null && member > members.firstMember() ? member : offset();
  }

  /** What the place of a record that starts here is called, which no other one of the file is. */
  String placeName() {
    long member = members == null ? -1 : members.memberOf(offset());
    if (members == null || member < 0 || fileOffset() >= 0) {
      return Long.toString(place());
    }
    return member + "+" + members.offsetInMember(offset());
  }

  /**
   * Sees to it that {@code wanted} bytes are there, at most {@value #WINDOW_BYTES}; false if there
   * are fewer before the end. A failure comes only when nothing is left before it.
   */
  boolean fill(int wanted) throws IOException {
    while (end - at < wanted) {
      if (failure != null) {
        if (at < end) {
          return false;
        }
        throw failure;
      }
      if (at > 0) {
        System.arraycopy(window, at, window, 0, end - at);
        base += at;
        end -= at;
        at = 0;
      }
      int n = unpack(window, end, window.length - end);
      if (n < 0 && failure == null) {
        return false;
      }
      end += Math.max(0, n);
    }
    return true;
  }

  /** Holds the bytes that are there, from {@link #at()} on; read-only. */
  byte[] array() {
    return window;
  }

  int at() {
    return at;
  }

  /** How many bytes are there without reading on. */
  int available() {
    return end - at;
  }

  /** How many of them come before the next member. */
  int availableInMember() {
    int available = available();
    return memberInput == null
        ? available
        : (int) Math.min(available, memberInput.nextStart(offset()) - offset());
  }

  /** Whether what is there ends where no more can be unpacked. */
  boolean endsAtDamage() {
    return failure != null;
  }

  /** Passes over bytes that are there. */
  void advance(int bytes) {
    at += bytes;
  }

  /** The next byte, without passing over it; -1 at the end. */
  int peek() throws IOException {
    return fill(1) ? window[at] & 0xFF : -1;
  }

  /** Reads at least a byte, if there is one; -1 at the end. */
  int readSome(byte[] to, int offset, int length) throws IOException {
    int there = Math.min(length, end - at);
    if (there > 0 || length == 0) {
      System.arraycopy(window, at, to, offset, there);
      at += there;
      return there;
    }
    if (failure != null) {
      throw failure;
    }
    base += at;
    at = 0;
    end = 0;
    int n = unpack(to, offset, length);
    if (failure != null) {
      throw failure;
    }
    base += Math.max(0, n);
    return n;
  }

  /** Passes over up to {@code length} bytes, fewer only at the end. */
  long skip(long length) throws IOException {
    long done = Math.min(length, end - at);
    at += (int) done;
    if (compression == Compression.NONE && done < length) {
      base += at;
      at = 0;
      end = 0;
      long n = raw.skip(length - done);
      base += n;
      return done + n;
    }
    while (done < length && fill(1)) {
      int n = (int) Math.min(length - done, end - at);
      at += n;
      done += n;
    }
    return done;
  }

  /**
   * Whether the next byte is in a member that is not read to its end: what was read of it may yet
   * turn out to be damaged.
   */
  boolean inMember() {
    return memberInput != null && memberInput.inMember();
  }

  Compression compression() {
    return compression;
  }

  /** Bytes of the file itself. */
  long fileSize() throws IOException {
    return raw.size();
  }

  /** The file from another offset on, for looking ahead. */
  InputBytes fork(long fileOffset) {
    return raw.fork(fileOffset);
  }

  /** The same, with a window of so many bytes if that is more than usual. */
  InputBytes fork(long fileOffset, int windowBytes) {
    return raw.fork(fileOffset, windowBytes);
  }

  /** What looks at the file's members, closed with this; null if it has none. */
  @Nullable MemberLook look() {
    return memberInput == null ? null : memberInput.look();
  }

  /** Goes on at another offset of the file itself, where a member starts if it has such. */
  void restart(long fileOffset) throws IOException {
    if (memberInput == null && fileOffset >= base && fileOffset <= base + end) {
      // As after most records that make no sense: nothing is read again.
      at = (int) (fileOffset - base);
      return;
    }
    if (memberInput == null) {
      raw.seek(fileOffset);
      base = fileOffset;
    } else {
      memberInput.restart(fileOffset);
      base = memberInput.output();
    }
    at = 0;
    end = 0;
    failure = null;
  }

  /** Damage is kept for later; -1 then, as at the end. */
  private int unpack(byte[] to, int offset, int length) throws IOException {
    try {
      int n = DecodedInput.read(in, to, offset, length);
      // At the end the member at hand is the one that is not there.
      if (n > 0 && compression != Compression.NONE) {
        checkExpansion(memberInput, raw, base + end + n, maxExpansion);
      }
      return n;
    } catch (IOException e) {
      failure = DecodedInput.damage(e);
      return -1;
    }
  }

  /**
   * Refuses a file that unpacks to too much, or of a file of members the one at hand: what all of
   * them unpack to depends on where reading began.
   *
   * @param members of the file, if it has such
   * @param raw the file, read as far as was unpacked
   * @param output bytes that the file has unpacked to
   */
  static void checkExpansion(
      @Nullable MemberInput members, InputBytes raw, long output, int maxExpansion)
      throws ExpansionException {
    long unpacked = members == null ? output : members.memberOutput();
    long packed = raw.position() - (members == null ? 0 : members.memberPosition());
    if (isTooMuch(packed, unpacked, maxExpansion)) {
      throw new ExpansionException(
          "%d bytes unpack to more than %d: over %d times as much, as text does not"
              .formatted(packed, unpacked, maxExpansion));
    }
  }

  /** Whether so many bytes may not unpack to so many. */
  static boolean isTooMuch(long packed, long unpacked, int maxExpansion) {
    return unpacked > FREE_BYTES && unpacked / maxExpansion > packed;
  }

  @Override
  public void close() throws IOException {
    if (in != raw) {
      in.close();
    }
  }
}
