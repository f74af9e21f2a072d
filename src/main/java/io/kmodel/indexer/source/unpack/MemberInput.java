package io.kmodel.indexer.source.unpack;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Decompresses a file of members, one after the other: those of gzip, or the frames of zstd. A read
 * never crosses from one member to the next, and the offsets of members in the file are known.
 *
 * <p>Failure: an {@link IOException} with the reason, after all bytes before the damage, whether
 * reads are large or small; {@link #restart} continues elsewhere. Memory: 64 KiB, and the
 * decoder's, which subclasses document. Not thread-safe. Closing frees the decoder, not the input.
 */
public abstract class MemberInput extends BlockInput implements MemberPlaces {
  /**
   * Number of member starts that are remembered: more than a reader can be behind, unless most
   * members have less than 16 bytes.
   */
  private static final int REMEMBERED = 1 << 12;

  /** Offsets of recent members: in the output at even indexes, in the file at odd ones. */
  private final long[] starts = new long[2 * REMEMBERED];

  private int members;
  private boolean inMember;
  private long output;
  private long memberStart;
  private long memberPosition;
  private @Nullable MemberProbe probe;

  /** Continues at another member, at an offset of the file. */
  abstract void restart(long offset) throws IOException;

  /** Creates a probe for members of the file. */
  abstract MemberProbe newProbe();

  /** Frees the decoder. */
  abstract void closeDecoder() throws IOException;

  /** The probe for members of the file; closed with this input. */
  final MemberProbe probe() {
    MemberProbe made = probe;
    if (made == null) {
      made = newProbe();
      probe = made;
    }
    return made;
  }

  @Override
  public final void close() throws IOException {
    if (probe != null) {
      probe.close();
    }
    closeDecoder();
  }

  /** Notes that a member should start at an offset of the file. */
  final void expectMember(long position) {
    memberPosition = position;
  }

  /** Notes that a member starts where one was expected, with the next byte of output. */
  final void startMember() {
    inMember = true;
    memberStart = output;
    if (members > 0 && starts[2 * ((members - 1) & (REMEMBERED - 1))] == output) {
      // The previous member was empty.
      members--;
    }
    int slot = 2 * (members & (REMEMBERED - 1));
    starts[slot] = output;
    starts[slot + 1] = memberPosition;
    members++;
  }

  /** Notes that the member was read to its end and is intact, or does not matter any more. */
  final void endMember() {
    inMember = false;
  }

  /** Counts bytes that are returned. */
  final void count(int bytes) {
    output += bytes;
  }

  /** Bytes of output so far. */
  final long output() {
    return output;
  }

  /** How many of these belong to the current member. */
  final long memberOutput() {
    return output - memberStart;
  }

  /** Whether a member has started, and its checksum is still to come. */
  final boolean inMember() {
    return inMember;
  }

  /** Offset in the file of the member that is being read, or could not be read. */
  public final long memberPosition() {
    return memberPosition;
  }

  @Override
  public final long memberOf(long offset) {
    int slot = slot(offset);
    return slot < 0 ? -1 : starts[slot + 1];
  }

  @Override
  public final long memberStart(long offset) {
    int slot = slot(offset);
    return slot < 0 ? -1 : starts[slot];
  }

  /**
   * Where in the output the first member after an offset starts, of the members started so far.
   *
   * @return {@link Long#MAX_VALUE} if there is no such member, or none that is remembered
   */
  final long nextStart(long offset) {
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

  /**
   * Index of the last member that starts at or before an offset of the output; -1 if it is not
   * remembered.
   */
  private int slot(long offset) {
    for (int i = 0; i < Math.min(members, REMEMBERED); i++) {
      int slot = 2 * ((members - 1 - i) & (REMEMBERED - 1));
      if (starts[slot] <= offset) {
        return slot;
      }
    }
    return -1;
  }
}
