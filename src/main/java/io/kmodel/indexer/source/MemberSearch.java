package io.kmodel.indexer.source;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Finds the members of a file that start with a record, from anywhere. What it finds depends on the
 * file's bytes from the given offset on, and on nothing else but the file's dictionary.
 *
 * <p>Time: that of the bytes passed over; what only looks like a frame of zstd takes that of a
 * block, some 50 microseconds, so that a file made of such may take seconds a mebibyte. Memory: a
 * window of 64 KiB, of zstd of 0.5 MiB, and the look's. Not thread-safe; closed with the input that
 * it is made of.
 */
final class MemberSearch {
  private final RecordStarts starts;
  private final MemberLook look;
  private final InputBytes ahead;

  private MemberSearch(RecordStarts starts, MemberLook look, InputBytes ahead) {
    this.starts = starts;
    this.look = look;
    this.ahead = ahead;
  }

  /** Of a file, which is not read on for it; null if it has no members. */
  static @Nullable MemberSearch of(RecordInput in, RecordStarts starts) {
    MemberLook look = in.look();
    return look == null ? null : new MemberSearch(starts, look, in.fork(0, 4 * look.packedBytes()));
  }

  /** The offset of the first member from here on that unpacks to a record's start; -1 if none. */
  long next(long from) throws IOException {
    return next(from, Long.MAX_VALUE);
  }

  /** The same of members that start before an offset. */
  long next(long from, long before) throws IOException {
    int headerBytes = look.headerBytes();
    ahead.seek(from);
    while (ahead.fill(headerBytes) && ahead.position() < before) {
      byte[] window = ahead.array();
      int at = ahead.at();
      int last = at + ahead.available() - headerBytes;
      while (at <= last && !look.isHeader(window, at)) {
        at++;
      }
      ahead.advance(at - ahead.at());
      if (at <= last) {
        if (ahead.position() < before && isRecord()) {
          return ahead.position();
        }
        ahead.advance(1);
      }
    }
    return -1;
  }

  /** Whether the member that seems to start here is one, and unpacks to a record's start. */
  private boolean isRecord() throws IOException {
    ahead.fill(look.packedBytes());
    int end = ahead.at() + Math.min(look.packedBytes(), ahead.available());
    int length =
        look.unpack(ahead.array(), ahead.at(), end, starts.lookBytes(), starts.mayBeSplit());
    return length > 0 && starts.matches(look.unpacked, 0, length);
  }
}
