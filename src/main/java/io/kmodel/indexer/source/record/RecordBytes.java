package io.kmodel.indexer.source.record;

import io.kmodel.indexer.source.unpack.RecordInput;
import java.io.IOException;

/**
 * The bytes of the current record: all that follow. But if the record starts a member, as most
 * records do, its bytes end where a later member starts with a record. A record that declares too
 * large a length therefore does not take in another one, and a record that spans several members is
 * read whole.
 *
 * <p>Failure: that of the input. Memory: only the input's. Not thread-safe.
 */
public final class RecordBytes {
  private final RecordInput input;
  private final RecordStarts starts;

  /** Offset of the record in the decompressed data; -1 if it does not start a member. */
  private long memberStart = -1;

  private long start;

  RecordBytes(RecordInput input, RecordStarts starts) {
    this.input = input;
    this.starts = starts;
  }

  /** Starts a record at the current position. */
  void start() throws IOException {
    start = input.offset();
    memberStart = input.startsMember() ? start : -1;
  }

  /** Whether the record starts a member. */
  boolean startsMember() {
    return memberStart >= 0;
  }

  /** Whether part of the record was read or skipped. */
  boolean hasRead() {
    return input.offset() > start;
  }

  /** Makes a byte of the record available; returns false at its end. */
  public boolean fill() throws IOException {
    return input.fill(1) && !atNext();
  }

  /** Whether the record has ended because another one starts here, in a later member. */
  boolean atNext() throws IOException {
    return startsMember()
        && input.offset() > memberStart
        && input.startsMember()
        && starts.isNext(input);
  }

  /** Holds the available bytes, from {@link #at()} on; read-only. */
  public byte[] array() {
    return input.array();
  }

  public int at() {
    return input.at();
  }

  /** Number of bytes of the record available without another read. */
  public int available() {
    return startsMember() ? input.availableInMember() : input.available();
  }

  /** Skips available bytes. */
  public void advance(int bytes) {
    input.advance(bytes);
  }

  /** Reads at least one byte, if there is one; returns -1 at the end. */
  public int read(byte[] to, int offset, int length) throws IOException {
    if (!startsMember()) {
      return input.readSome(to, offset, length);
    }
    return fill() ? input.readSome(to, offset, Math.min(length, available())) : -1;
  }

  /** Skips up to {@code length} bytes, fewer only at the end. */
  public long skip(long length) throws IOException {
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

  /** The exception for a part of a record that ends early. */
  public DamagedRecordException endsWithin(String part) throws IOException {
    String what = atNext() ? "the next record starts" : "the file ends";
    return new DamagedRecordException(what + " " + part);
  }
}
