package io.kmodel.indexer.source.warc;

import io.kmodel.indexer.source.unpack.DocumentBuffer;
import io.kmodel.indexer.source.unpack.GzipInput;
import io.kmodel.indexer.source.unpack.Libdeflate;
import java.util.zip.CRC32;

/**
 * Unpacks a page that is one member of gzip by libdeflate, at once. A page that is not as servers
 * write it, is damaged or large is left to {@link GzipInput}, which reports what is wrong with it.
 */
final class GzipPage {
  /** What a page may unpack to, as it says at its end. */
  private static final int MOST_BYTES = 1 << 20;

  private GzipPage() {}

  /**
   * Unpacks it.
   *
   * @param to empty; still so if this was not done
   * @return whether it was
   */
  static boolean unpack(DocumentBuffer from, DocumentBuffer to) throws InterruptedException {
    byte[] bytes = from.bytes;
    int trailer = from.length - GzipInput.TRAILER_BYTES;
    if (trailer < GzipInput.HEADER_BYTES
        || from.length > GzipInput.MOST_PACKED
        || !GzipInput.isGzip(bytes, 0, from.length)
        || bytes[2] != GzipInput.DEFLATE
        || bytes[3] != 0) {
      return false;
    }
    int length = GzipInput.lengthAt(bytes, trailer);
    if (length < 0 || length > MOST_BYTES || !to.grow(length)) {
      return false;
    }
    try (Libdeflate library = Libdeflate.open()) {
      if (library == null
          || library.unpack(bytes, GzipInput.HEADER_BYTES, trailer, to.bytes)
              != Libdeflate.Outcome.DONE
          || GzipInput.HEADER_BYTES + library.dataBytes() != trailer
          || library.outputBytes() != length) {
        return false;
      }
    }
    CRC32 checksum = new CRC32();
    checksum.update(to.bytes, 0, length);
    if ((int) checksum.getValue() != GzipInput.checksumAt(bytes, trailer)) {
      return false;
    }
    to.length = length;
    return true;
  }
}
