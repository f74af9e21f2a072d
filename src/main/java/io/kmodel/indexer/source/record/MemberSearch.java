package io.kmodel.indexer.source.record;

import io.kmodel.indexer.source.unpack.InputBytes;
import io.kmodel.indexer.source.unpack.MemberProbe;
import io.kmodel.indexer.source.unpack.RecordInput;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Finds the members of a file that start with a record, from any offset. The result depends only on
 * the file's bytes from that offset on, and on its dictionary.
 *
 * <p>Time: that of the bytes skipped. A false start of a zstd frame takes the time of a block, some
 * 50 microseconds, so a file made of these may take seconds per mebibyte. Memory: a window of 64
 * KiB, for zstd of 0.5 MiB, and the probe's. Not thread-safe; closed with the input that it was
 * created from.
 */
public final class MemberSearch {
  private final RecordStarts starts;
  private final MemberProbe probe;
  private final InputBytes ahead;

  private MemberSearch(RecordStarts starts, MemberProbe probe, InputBytes ahead) {
    this.starts = starts;
    this.probe = probe;
    this.ahead = ahead;
  }

  /** A search in a file whose position does not change; null if it has no members. */
  public static @Nullable MemberSearch of(RecordInput in, RecordStarts starts) {
    MemberProbe probe = in.probe();
    return probe == null
        ? null
        : new MemberSearch(starts, probe, in.fork(0, 4 * probe.packedBytes()));
  }

  /**
   * The offset of the first member from here on that unpacks to a record's start; -1 if not found.
   */
  long next(long from) throws IOException {
    return next(from, Long.MAX_VALUE);
  }

  /** The same for members that start before an offset. */
  public long next(long from, long before) throws IOException {
    int headerBytes = probe.headerBytes();
    ahead.seek(from);
    while (ahead.fill(headerBytes) && ahead.position() < before) {
      byte[] window = ahead.array();
      int at = ahead.at();
      int last = at + ahead.available() - headerBytes;
      while (at <= last && !probe.isHeader(window, at)) {
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

  /** Whether there is a member here that unpacks to a record's start. */
  private boolean isRecord() throws IOException {
    ahead.fill(probe.packedBytes());
    int end = ahead.at() + Math.min(probe.packedBytes(), ahead.available());
    int length =
        probe.unpack(ahead.array(), ahead.at(), end, starts.probeBytes(), starts.mayBeSplit());
    return length > 0 && starts.matches(probe.unpacked, 0, length);
  }
}
