package io.kmodel.indexer.source.record;

import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.unpack.Compression;
import io.kmodel.indexer.source.unpack.InputBytes;
import io.kmodel.indexer.source.unpack.RecordInput;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import org.jspecify.annotations.Nullable;

/**
 * Handles damage in a file of records: reports it, and continues at the next record that can be
 * found. Reading always advances, so it terminates.
 *
 * <p>Time: linear in the size of the file. No offset is searched twice for the start of a record.
 * In an uncompressed file, only a header is read again, which contains no other one. Data of
 * damaged members may be read again, because it may hide other records: in total, at most {@value
 * #READINGS} times the bytes passed, and {@value #FREE_BYTES} bytes. Beyond that, reading continues
 * only where nothing was read before. Memory: that of {@link MemberSearch} after the first such
 * damage. Not thread-safe.
 */
public final class RecordRecovery {
  /** Random damage, a byte in each record, takes two readings. */
  private static final int READINGS = 8;

  private static final long FREE_BYTES = 1 << 20;

  private final RecordFile file;
  private final RecordInput input;
  private final RecordStarts starts;
  private final RecordBytes bytes;

  /** Opened at the first damage in a file of members. */
  private @Nullable MemberSearch ahead;

  /**
   * In a file of members: where reading began, where it last restarted, and the farthest position.
   */
  private final long begin;

  private long takenUp;
  private long farthest;

  /** Bytes read before the last restart, including repeated ones. */
  private long read;

  /** Offset of the current record, to report; -1 between records. */
  private long place = -1;

  private String placeName = "";

  /**
   * Offset of the current record in the file, if it starts a member or the file is not compressed.
   */
  private long fileOffset = -1;

  /** Offset of a member whose record was reported; other damage in it has the same cause. */
  private long reportedMember = -1;

  public RecordRecovery(RecordFile file, RecordStarts starts) {
    this.file = file;
    this.input = file.input();
    this.starts = starts;
    this.bytes = new RecordBytes(input, starts);
    this.begin = file.readFrom();
    this.takenUp = begin;
    this.farthest = begin;
  }

  /** The bytes of the current record. */
  public RecordBytes bytes() {
    return bytes;
  }

  /** Starts a record at the current position. */
  public void startRecord() throws IOException {
    place = input.place();
    placeName = input.placeName();
    fileOffset = input.fileOffset();
    bytes.start();
  }

  /** Ends the previous record. */
  public void endRecords() {
    place = -1;
    fileOffset = -1;
  }

  /** The name of the current record's location. */
  public String placeName() {
    return placeName;
  }

  /** Where the current record starts. */
  public long place() {
    return place;
  }

  /**
   * Completes a record. If the record has a member to itself, this reads to the member's end,
   * because the checksum there decides whether the record is intact.
   */
  public void checkRecord() throws IOException {
    while (fileOffset >= 0 && (input.available() > 0 || input.inMember())) {
      if (!isLineEnd()) {
        return;
      }
      input.advance(1);
    }
  }

  /** Whether a line end is next. Damage in a later member is left to the reader of that member. */
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

  /** Reports a malformed record; returns whether there is another one to continue with. */
  public boolean afterRecord(DamagedRecordException e) throws IOException {
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
   * Whether the bytes read of the record end right before another one. Not for ARC, where many
   * lines look like headers.
   */
  private boolean isRightBehind() throws IOException {
    return input.compression() != Compression.NONE
        && starts.mayBeSplit()
        && bytes.hasRead()
        && starts.isNext(input);
  }

  /**
   * Reports data that could not be decompressed; returns whether there is a record to continue
   * with.
   */
  public boolean afterFailure(IOException e) throws IOException {
    long damage = input.failedMember();
    if (place >= 0 || damage < 0 || damage != reportedMember) {
      long where = place >= 0 ? place : input.failurePlace();
      file.skip(file.place(where, ""), SkipReason.of(e), SkipReason.detail(e));
    }
    return restartAtMember(damage + 1);
  }

  /** Continues at a member, if the file has any. */
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

  /** Whether data may be read again, for the records that it hides. */
  private boolean mayReadAgain() {
    long here = input.rawPosition();
    farthest = Math.max(farthest, here);
    return read + here - takenUp <= FREE_BYTES + READINGS * (farthest - begin);
  }

  /** Continues at an offset of the file. */
  private void takeUp(long offset) throws IOException {
    read += input.rawPosition() - takenUp;
    input.restart(offset);
    takenUp = offset;
  }
}
