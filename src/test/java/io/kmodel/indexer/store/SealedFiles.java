package io.kmodel.indexer.store;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** Checked files around any body: what readers see when checksums do not help them. */
public final class SealedFiles {
  private static final int CELL_BYTES = 16_384;

  private SealedFiles() {}

  /** Writes a file with this body, and returns the checksum in its footer. */
  public static long write(Path path, String format, int version, byte[] body) throws IOException {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    file.write(littleEndian(4, OutputFile.HEADER_MAGIC));
    file.write(format.length());
    file.write(format.getBytes(StandardCharsets.US_ASCII));
    file.write(littleEndian(4, version));
    file.write(body);
    byte[] cells = file.toByteArray();
    for (int from = 0; from < cells.length; from += CELL_BYTES) {
      CRC32C cell = new CRC32C();
      cell.update(cells, from, Math.min(CELL_BYTES, cells.length - from));
      file.write(littleEndian(4, cell.getValue()));
    }
    file.write(littleEndian(4, OutputFile.FOOTER_MAGIC));
    file.write(file.toByteArray(), cells.length, 4);
    CRC32C checksum = new CRC32C();
    checksum.update(file.toByteArray());
    file.write(littleEndian(8, checksum.getValue()));
    Files.write(path, file.toByteArray());
    return checksum.getValue();
  }

  /** The body of a checked file. */
  public static byte[] body(Path path, String format) throws IOException {
    byte[] file = Files.readAllBytes(path);
    return Arrays.copyOfRange(file, OutputFile.headerBytes(format), bodyEnd(file.length));
  }

  /** Where the body of a checked file of so many bytes ends, and the checksums of cells start. */
  public static int bodyEnd(int fileBytes) {
    int bytes = fileBytes - OutputFile.FOOTER_BYTES;
    int end = bytes;
    while (end + 4 * ((end + CELL_BYTES - 1) / CELL_BYTES) > bytes) {
      end--;
    }
    return end;
  }

  private static byte[] littleEndian(int bytes, long value) {
    ByteBuffer buffer = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(value);
    return Arrays.copyOf(buffer.array(), bytes);
  }
}
