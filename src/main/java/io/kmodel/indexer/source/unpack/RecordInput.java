package io.kmodel.indexer.source.unpack;

import io.kmodel.indexer.source.DecoderGuard;
import io.kmodel.indexer.source.ExpansionException;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * A file's decompressed bytes, read forwards through a window that parsers access directly, with
 * offsets to report. A file that unpacks to far more than text would is treated as a decompression
 * bomb.
 *
 * <p>Failure: an {@link IOException} after the last byte that could be decompressed, {@link
 * InputBytes.ReadFailure} if the file system failed. Memory: at first two windows of 64 KiB, and
 * the decompressor's (see {@link Compression}). Not thread-safe.
 */
public final class RecordInput implements AutoCloseable {
  /** The most that {@link #fill} can provide. */
  public static final int WINDOW_BYTES = 1 << 16;

  /** Any file may unpack to this much, or any member of a file with members. */
  private static final long FREE_BYTES = 64L << 20;

  private final InputBytes raw;
  private final Compression compression;
  private final int maxExpansion;
  private final InputStream in;

  /** Set if reading can restart at any member. */
  private final @Nullable MemberInput memberInput;

  /** Of gzip and zstd. */
  private final @Nullable MemberPlaces members;

  private final byte[] window;

  /** Offset of the window's first byte in the decompressed data. */
  private long base;

  private int at;
  private int end;

  /** Thrown once the window is used up. */
  private @Nullable IOException failure;

  /**
   * Starts at the position of {@code raw}.
   *
   * @param maxExpansion how many times its size a file may unpack to
   * @param decoders grants memory to decode
   * @param window of {@value #WINDOW_BYTES} bytes, overwritten
   */
  public RecordInput(
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
   * Reads data that is decompressed for several readers, from the position of {@code unpacked}. It
   * cannot be restarted.
   *
   * @param raw the same file
   */
  public RecordInput(
      InputBytes raw, Compression compression, UnpackedPiece unpacked, byte[] window) {
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
   * The input of the next piece of shared decompressed data, from its first byte on. It replaces
   * this input, which must not be read any more but has to be closed. Null if this is not such a
   * piece.
   */
  @Nullable
  public RecordInput ofNextPiece() {
    if (!(in instanceof UnpackedPiece unpacked)) {
      return null;
    }
    unpacked.goBack();
    return new RecordInput(raw, compression, unpacked, window);
  }

  /** An uncompressed file, from the position of {@code raw}. */
  public static RecordInput plain(InputBytes raw) throws IOException {
    return new RecordInput(raw, Compression.NONE, 1, DecoderGuard.NOTHING, new byte[WINDOW_BYTES]);
  }

  /** Bytes of the file, as stored, that were read so far. */
  public long rawPosition() {
    return in instanceof UnpackedPiece unpacked ? unpacked.filePosition() : raw.position();
  }

  /**
   * The most bytes that may follow: those left in the file if it is not compressed, otherwise
   * {@link Long#MAX_VALUE}.
   */
  public long left() throws IOException {
    long left = compression == Compression.NONE ? raw.size() - offset() : -1;
    // Data after the end of a file means that its file system reports no sizes.
    return left < 0 ? Long.MAX_VALUE : left;
  }

  /** Offset of the next byte in the decompressed data. */
  public long offset() {
    return base + at;
  }

  /**
   * Offset of the next byte in the file itself, if it is not compressed or a member starts with
   * that byte; otherwise -1.
   */
  public long fileOffset() {
    if (compression == Compression.NONE) {
      return offset();
    }
    return members == null ? -1 : members.memberAt(offset());
  }

  /** Whether there is a next byte, and a member starts with it. */
  public boolean startsMember() throws IOException {
    return memberInput != null && fill(1) && fileOffset() >= 0;
  }

  /** The offset to report for data that could not be decompressed. */
  public long failurePlace() {
    return members == null ? offset() : members.failurePlace(offset());
  }

  /** Where in the file the member starts that could not be decompressed; -1 without members. */
  public long failedMember() {
    return memberInput == null ? -1 : memberInput.memberPosition();
  }

  /**
   * The offset to report for a record that starts here. In members after the first, it is the
   * member's offset, which is the same whichever piece of the file is read.
   */
  public long place() {
    long member = members == null ? -1 : members.memberOf(offset());
    return members != null && member > members.firstMember() ? member : offset();
  }

  /** The name of the location of a record that starts here, unique in the file. */
  public String placeName() {
    long member = members == null ? -1 : members.memberOf(offset());
    if (members == null || member < 0 || fileOffset() >= 0) {
      return Long.toString(place());
    }
    return member + "+" + members.offsetInMember(offset());
  }

  /**
   * Makes {@code wanted} bytes available, at most {@value #WINDOW_BYTES}; returns false if there
   * are fewer before the end. A failure is thrown only once all bytes before it are used up.
   */
  public boolean fill(int wanted) throws IOException {
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

  /** Holds the available bytes, from {@link #at()} on; read-only. */
  public byte[] array() {
    return window;
  }

  public int at() {
    return at;
  }

  /** Number of bytes available without another read. */
  public int available() {
    return end - at;
  }

  /** How many of these come before the next member. */
  public int availableInMember() {
    int available = available();
    return memberInput == null
        ? available
        : (int) Math.min(available, memberInput.nextStart(offset()) - offset());
  }

  /** Whether the available bytes end where no more can be decompressed. */
  public boolean endsAtDamage() {
    return failure != null;
  }

  /** Skips available bytes. */
  public void advance(int bytes) {
    at += bytes;
  }

  /** The next byte, which is not consumed; -1 at the end. */
  public int peek() throws IOException {
    return fill(1) ? window[at] & 0xFF : -1;
  }

  /** Reads at least one byte, if there is one; returns -1 at the end. */
  public int readSome(byte[] to, int offset, int length) throws IOException {
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

  /** Skips up to {@code length} bytes, fewer only at the end. */
  public long skip(long length) throws IOException {
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
   * Whether the next byte is in a member that was not read to its end, so that the bytes read may
   * still turn out to be damaged.
   */
  public boolean inMember() {
    return memberInput != null && memberInput.inMember();
  }

  public Compression compression() {
    return compression;
  }

  /** Size of the file itself. */
  public long fileSize() throws IOException {
    return raw.size();
  }

  /** The file from another offset on, for reading ahead. */
  public InputBytes fork(long fileOffset) {
    return raw.fork(fileOffset);
  }

  /** The same, with a window of so many bytes if that is more than usual. */
  public InputBytes fork(long fileOffset, int windowBytes) {
    return raw.fork(fileOffset, windowBytes);
  }

  /** The probe for the file's members, closed with this input; null if it has no members. */
  @Nullable
  public MemberProbe probe() {
    return memberInput == null ? null : memberInput.probe();
  }

  /**
   * Continues at another offset of the file itself, where a member starts if the file has members.
   */
  public void restart(long fileOffset) throws IOException {
    if (memberInput == null && fileOffset >= base && fileOffset <= base + end) {
      // As after most malformed records: nothing is read again.
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

  /** Keeps damage for later, and returns -1 then, as at the end. */
  private int unpack(byte[] to, int offset, int length) throws IOException {
    try {
      int n = DecodedInput.read(in, to, offset, length);
      // At the end, the current member is one that does not exist.
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
   * Rejects a file that unpacks to too much. In a file of members, only the current member counts,
   * because the total depends on where reading started.
   *
   * @param members of the file, if it has any
   * @param raw the file, read as far as it was decompressed
   * @param output bytes that the file has unpacked to
   */
  static void checkExpansion(
      @Nullable MemberInput members, InputBytes raw, long output, int maxExpansion)
      throws ExpansionException {
    long unpacked = members == null ? output : members.memberOutput();
    long packed = raw.position() - (members == null ? 0 : members.memberPosition());
    if (isTooMuch(packed, unpacked, maxExpansion)) {
      throw new ExpansionException(
          "%d bytes unpack to more than %d, over %d times as much; see --max-expansion"
              .formatted(packed, unpacked, maxExpansion));
    }
  }

  /** Whether {@code packed} bytes must not unpack to {@code unpacked} ones. */
  public static boolean isTooMuch(long packed, long unpacked, int maxExpansion) {
    return unpacked > FREE_BYTES && unpacked / maxExpansion > packed;
  }

  @Override
  public void close() throws IOException {
    if (in != raw) {
      in.close();
    }
  }
}
