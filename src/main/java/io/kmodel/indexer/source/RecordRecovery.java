package io.kmodel.indexer.source;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import org.jspecify.annotations.Nullable;

/**
 * What happens after damage in a file of records: it is reported, and reading goes on at the next
 * record that can be found. Reading always moves on, so it ends.
 *
 * <p>Time: linear in the file, whatever is in it. No place is searched for a record's start twice.
 * In a file that is not compressed only a header is read again, which holds no other one. What was
 * read of members that are damaged may be read again, since it may hide others: all in all {@value
 * #READINGS} times what has been passed, and {@value #FREE_BYTES} bytes, at most; beyond that,
 * reading goes on only where nothing was read. Memory: that of {@link MemberSearch} after the first
 * such damage. Not thread-safe.
 */
final class RecordRecovery {
  /** Damage by chance, a byte in each record, makes it two. */
  private static final int READINGS = 8;

  private static final long FREE_BYTES = 1 << 20;

  private final RecordFile file;
  private final RecordInput input;
  private final RecordStarts starts;
  private final RecordBytes bytes;

  /** Opened at the first damage of a file of members. */
  private @Nullable MemberSearch ahead;

  /** In a file of members: where reading began, was last taken up, and has been. */
  private final long begin;

  private long takenUp;
  private long farthest;

  /** Bytes that were read, those that were read again counted again, before that. */
  private long read;

  /** Of the record at hand, to report; -1 between records. */
  private long place = -1;

  private String placeName = "";

  /** Of the record at hand in the file, where it starts a member or the file is not compressed. */
  private long fileOffset = -1;

  /** Offset of a member whose record was reported: what else is wrong there is the same. */
  private long reportedMember = -1;

  RecordRecovery(RecordFile file, RecordStarts starts) {
    this.file = file;
    this.input = file.input();
    this.starts = starts;
    this.bytes = new RecordBytes(input, starts);
    this.begin = file.readFrom();
    this.takenUp = begin;
    this.farthest = begin;
  }

  /** The bytes of the record at hand. */
  RecordBytes bytes() {
    return bytes;
  }

  /** A record starts here. */
  void startRecord() throws IOException {
    place = input.place();
    placeName = input.placeName();
    fileOffset = input.fileOffset();
    bytes.start();
  }

  /** The record before is done with. */
  void endRecords() {
    place = -1;
    fileOffset = -1;
  }

  /** What that is called. */
  String placeName() {
    return placeName;
  }

  /** Where the record at hand starts. */
  long place() {
    return place;
  }

  /**
   * The record was read: where it has a member of its own, reads to the member's end, whose
   * checksum decides whether the record is whole.
   */
  void checkRecord() throws IOException {
    while (fileOffset >= 0 && (input.available() > 0 || input.inMember())) {
      if (!isLineEnd()) {
        return;
      }
      input.advance(1);
    }
  }

  /** Whether a line end is next; damage of a later member is left to whoever reads that. */
  private boolean isLineEnd() throws IOException {
    try {
      int b = input.peek();
      return b == '\r' || b == '\n';
    } catch (InputBytes.ReadFailure | ClosedByInterruptException e) {
      throw e;
    } catch (IOException e) {
      if (input.failedMember() == fileOffset) {
        throw e;
      }
      return false;
    }
  }

  /** Reports a record that makes no sense; whether there is another to go on with. */
  boolean afterRecord(DamagedRecordException e) throws IOException {
    file.skip(file.place(place, ""), SkipReason.DAMAGED_RECORD, SkipReason.detail(e));
    try {
      reportedMember = bytes.startsMember() ? fileOffset : -1;
      if (input.compression() == Compression.NONE) {
        input.restart(place + 1);
      }
      return bytes.atNext() || isRightBehind() || starts.nextLine(input);
    } catch (InputBytes.ReadFailure | ClosedByInterruptException failure) {
      throw failure;
    } catch (IOException failure) {
      endRecords();
      return afterFailure(failure);
    }
  }

  /**
   * Whether what was read of the record ended right before another; lines of ARC look like many.
   */
  private boolean isRightBehind() throws IOException {
    return input.compression() != Compression.NONE
        && starts.mayBeSplit()
        && bytes.hasRead()
        && starts.isNext(input);
  }

  /** Reports what could not be unpacked; whether there is a record to go on with. */
  boolean afterFailure(IOException e) throws IOException {
    long damage = input.failedMember();
    if (place >= 0 || damage < 0 || damage != reportedMember) {
      long where = place >= 0 ? place : input.failurePlace();
      file.skip(file.place(where, ""), SkipReason.of(e), SkipReason.detail(e));
    }
    return restartAtMember(damage + 1);
  }

  /** Goes on at a member, where the file has such. */
  private boolean restartAtMember(long from) throws IOException {
    if (ahead == null) {
      ahead = MemberSearch.of(input, starts);
    }
    long search = mayReadAgain() ? from : Math.max(from, farthest);
    long member = ahead == null ? -1 : ahead.next(search);
    if (member < 0) {
      return false;
    }
    takeUp(member);
    return true;
  }

  /** Whether what was read may be read again, for what it hides. */
  private boolean mayReadAgain() {
    long here = input.rawPosition();
    farthest = Math.max(farthest, here);
    return read + here - takenUp <= FREE_BYTES + READINGS * (farthest - begin);
  }

  /** Goes on at an offset of the file. */
  private void takeUp(long offset) throws IOException {
    read += input.rawPosition() - takenUp;
    input.restart(offset);
    takenUp = offset;
  }
}
