package io.kmodel.indexer.source;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.zip.ZipException;

/**
 * What happens after damage in a file of records: it is reported, and reading goes on at the next
 * record that can be found. Reading always moves on, so it ends. Not thread-safe.
 */
final class RecordRecovery {
  private final RecordFile file;
  private final RecordInput input;
  private final RecordStarts starts;

  /** Of the record at hand, to report; -1 between records. */
  private long place = -1;

  private String placeName = "";

  /** Of the record at hand in the file, where it starts a member or the file is not compressed. */
  private long fileOffset = -1;

  /** Offset of a gzip member whose record was reported: what else is wrong there is the same. */
  private long reportedMember = -1;

  RecordRecovery(RecordFile file, RecordStarts starts) {
    this.file = file;
    this.input = file.input();
    this.starts = starts;
  }

  /** A record starts here. */
  void startRecord() {
    place = input.place();
    placeName = input.placeName();
    fileOffset = input.fileOffset();
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
   * The record was read: where it has a gzip member of its own, reads to the member's end, whose
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
    } catch (ZipException e) {
      if (input.failurePlace() == fileOffset) {
        throw e;
      }
      return false;
    }
  }

  /** Reports a record that makes no sense; whether there is another to go on with. */
  boolean afterRecord(DamagedRecordException e) throws IOException {
    file.skip(file.place(place, ""), SkipReason.DAMAGED_RECORD, SkipReason.detail(e));
    try {
      boolean ownMember = fileOffset >= 0 && input.compression() == Compression.GZIP;
      reportedMember = ownMember ? fileOffset : -1;
      if (ownMember && input.peek() < 0) {
        // It said that it was longer than it is, and took in those after it.
        return restartAtMember(fileOffset + 1);
      }
      if (input.compression() == Compression.NONE) {
        input.restart(place + 1);
      }
      return starts.nextLine(input);
    } catch (InputBytes.ReadFailure | ClosedByInterruptException failure) {
      throw failure;
    } catch (IOException failure) {
      endRecords();
      return afterFailure(failure);
    }
  }

  /** Reports what could not be unpacked; whether there is a record to go on with. */
  boolean afterFailure(IOException e) throws IOException {
    long damage = input.failurePlace();
    if (place >= 0 || damage != reportedMember) {
      file.skip(
          file.place(place >= 0 ? place : damage, ""), SkipReason.of(e), SkipReason.detail(e));
    }
    return input.compression() == Compression.GZIP && restartAtMember(damage + 1);
  }

  private boolean restartAtMember(long from) throws IOException {
    long member = starts.nextMember(input.fork(from));
    if (member < 0) {
      return false;
    }
    input.restart(member);
    return true;
  }
}
