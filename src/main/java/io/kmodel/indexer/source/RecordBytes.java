package io.kmodel.indexer.source;

import java.io.IOException;

/**
 * The bytes of the record at hand: all that follow, but where the record starts a member, as most
 * do, none of a later member that starts with a record. So one that says that it is longer than it
 * is takes in no other, and one that goes on in members cut anywhere is read whole.
 *
 * <p>Failure: that of the input. Memory: none of its own. Not thread-safe.
 */
final class RecordBytes {
  private final RecordInput input;
  private final RecordStarts starts;

  /** Offset of the record in what the file unpacks to; -1 if it starts no member. */
  private long memberStart = -1;

  private long start;

  RecordBytes(RecordInput input, RecordStarts starts) {
    this.input = input;
    this.starts = starts;
  }

  /** A record starts here. */
  void start() throws IOException {
    start = input.offset();
    memberStart = input.startsMember() ? start : -1;
  }

  /** Whether the record starts a member. */
  boolean startsMember() {
    return memberStart >= 0;
  }

  /** Whether some of the record was passed over. */
  boolean hasRead() {
    return input.offset() > start;
  }

  /** Sees to it that there is a byte of the record; false at its end. */
  boolean fill() throws IOException {
    return input.fill(1) && !atNext();
  }

  /** Whether the record has ended since another one starts here, in a later member. */
  boolean atNext() throws IOException {
    return startsMember()
        && input.offset() > memberStart
        && input.startsMember()
        && starts.isNext(input);
  }

  /** Holds the bytes that are there, from {@link #at()} on; read-only. */
  byte[] array() {
    return input.array();
  }

  int at() {
    return input.at();
  }

  /** How many bytes of the record are there without reading on. */
  int available() {
    return startsMember() ? input.availableInMember() : input.available();
  }

  /** Passes over bytes that are there. */
  void advance(int bytes) {
    input.advance(bytes);
  }

  /** Reads at least a byte, if there is one; -1 at the end. */
  int read(byte[] to, int offset, int length) throws IOException {
    if (!startsMember()) {
      return input.readSome(to, offset, length);
    }
    return fill() ? input.readSome(to, offset, Math.min(length, available())) : -1;
  }

  /** Passes over up to {@code length} bytes, fewer only at the end. */
  long skip(long length) throws IOException {
    if (!startsMember()) {
      return input.skip(length);
    }
    long done = 0;
    while (done < length && fill()) {
      int n = (int) Math.min(length - done, available());
      advance(n);
      done += n;
    }
    return done;
  }

  /** What ends early. */
  DamagedRecordException endsWithin(String part) throws IOException {
    String what = atNext() ? "the next record starts" : "the file ends";
    return new DamagedRecordException(what + " " + part);
  }
}
