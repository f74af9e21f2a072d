package io.kmodel.indexer.source.unpack;

import static io.kmodel.indexer.source.unpack.GzipInput.COMMENT;
import static io.kmodel.indexer.source.unpack.GzipInput.DEFLATE;
import static io.kmodel.indexer.source.unpack.GzipInput.EXTRA;
import static io.kmodel.indexer.source.unpack.GzipInput.HEADER_BYTES;
import static io.kmodel.indexer.source.unpack.GzipInput.HEADER_CHECKSUM;
import static io.kmodel.indexer.source.unpack.GzipInput.NAME;
import static io.kmodel.indexer.source.unpack.GzipInput.RESERVED;
import static io.kmodel.indexer.source.unpack.GzipInput.TRAILER_BYTES;

import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Probes members of gzip. Memory: also an inflater's 40 KiB. */
public final class GzipProbe extends MemberProbe {
  /**
   * More than a member's header, with names and the like, and the compressed start of a record
   * take.
   */
  private static final int PACKED_BYTES = 1 << 13;

  /** Bytes at the start of a member that are checked. */
  private static final int MAGIC_BYTES = 4;

  private final Inflater inflater = new Inflater(true);

  @Override
  public int headerBytes() {
    return MAGIC_BYTES;
  }

  @Override
  public int packedBytes() {
    return PACKED_BYTES;
  }

  @Override
  public boolean isHeader(byte[] bytes, int at) {
    return GzipInput.isGzip(bytes, at, bytes.length - at)
        && bytes[at + 2] == DEFLATE
        && (bytes[at + 3] & RESERVED) == 0;
  }

  @Override
  int unpackMember(byte[] packed, int from, int to, int wanted) {
    int data = data(packed, from, to);
    if (data >= to) {
      return -1;
    }
    inflater.reset();
    inflater.setInput(packed, data, to - data);
    int before = length;
    try {
      for (int n = 1; n > 0 && length < wanted; length += n) {
        n = inflater.inflate(unpacked, length, wanted - length);
      }
    } catch (DataFormatException e) {
      // The output before the damage counts, as the inflater counted it.
      length = before + (int) inflater.getBytesWritten();
      return -1;
    }
    int next = to - inflater.getRemaining() + TRAILER_BYTES;
    boolean goesOn = length > 0 && length < wanted && inflater.finished();
    return goesOn && next + MAGIC_BYTES <= to && isHeader(packed, next) ? next : -1;
  }

  /** Where the header ends; {@code to} or more if it does not end before that. */
  private static int data(byte[] bytes, int from, int to) {
    int at = from + HEADER_BYTES;
    if (at >= to) {
      return to;
    }
    int flags = bytes[from + 3];
    if ((flags & EXTRA) != 0) {
      if (at + 2 > to) {
        return to;
      }
      at += 2 + ((bytes[at] & 0xFF) | (bytes[at + 1] & 0xFF) << 8);
    }
    if ((flags & NAME) != 0) {
      at = textEnd(bytes, at, to);
    }
    if ((flags & COMMENT) != 0) {
      at = textEnd(bytes, at, to);
    }
    return (flags & HEADER_CHECKSUM) == 0 ? at : at + 2;
  }

  /** The offset after the zero that ends a text. */
  private static int textEnd(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to && bytes[at] != 0) {
      at++;
    }
    return at + 1;
  }

  @Override
  public void close() {
    inflater.end();
  }
}
