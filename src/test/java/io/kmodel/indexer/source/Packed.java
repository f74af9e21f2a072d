package io.kmodel.indexer.source;

import io.kmodel.indexer.store.LittleEndian;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.CRC32;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

/** Packed files that are costly to make as their tools make them. */
public final class Packed {
  private Packed() {}

  /** A stream whose block says that it needs such a dictionary, a power of two, and does not. */
  public static byte[] xz(byte[] content, int dictionaryMebibytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = new XZOutputStream(packed, new LZMA2Options(0))) {
      out.write(content);
    }
    byte[] stream = packed.toByteArray();
    int header = 12;
    int checksum = header + 4 * stream[header];
    stream[header + 4] = (byte) (2 * (Integer.numberOfTrailingZeros(dictionaryMebibytes) + 8));
    CRC32 crc = new CRC32();
    crc.update(stream, header, checksum - header);
    LittleEndian.putInt(stream, checksum, (int) crc.getValue());
    return stream;
  }
}
