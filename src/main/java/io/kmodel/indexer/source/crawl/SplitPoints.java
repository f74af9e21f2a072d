package io.kmodel.indexer.source.crawl;

import io.kmodel.indexer.source.DecoderGuard;
import io.kmodel.indexer.source.FileBytes;
import io.kmodel.indexer.source.Format;
import io.kmodel.indexer.source.detect.FileFormat;
import io.kmodel.indexer.source.parquet.ParquetFooter;
import io.kmodel.indexer.source.record.MemberSearch;
import io.kmodel.indexer.source.record.RecordFile.Cells;
import io.kmodel.indexer.source.unpack.Compression;
import io.kmodel.indexer.source.unpack.DecodedInput;
import io.kmodel.indexer.source.unpack.DecoderMemory;
import io.kmodel.indexer.source.unpack.GzipInput;
import io.kmodel.indexer.source.unpack.InputBytes;
import io.kmodel.indexer.source.unpack.RecordInput;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Decides where a large file may be cut. Its first bytes tell whether records can be found from any
 * offset, and each possible split point is probed. Memory: a few windows of 64 KiB; for zstd, one
 * of 0.5 MiB and the file's dictionary. If the dictionary is larger than some 5 MiB, for which
 * {@link DecoderGuard#USUAL} has no room, the file is not cut. For Parquet, the footer in the 66
 * MiB that {@link DecoderGuard#ALONE} grants; a file with a larger one, some 7 MiB in the file, is
 * not cut either. Not thread-safe. Does not own the file.
 */
final class SplitPoints implements AutoCloseable {
  /**
   * A split point is kept only if a member starts within this many bytes after it; most archives
   * have many there. Without a bound, a file of a single member would be read to its end in search
   * of the first record of every piece.
   */
  static final int PROBE_BYTES = 1 << 20;

  private static final long SAMPLE_BYTES = 4L << 20;

  private final InputBytes raw;
  private final FileFormat format;
  private final Cells cells;

  /** Of a Parquet file; null for others. */
  private final @Nullable ParquetFooter rowGroups;

  /** Finds members that start with records; opened on demand. */
  private @Nullable RecordInput input;

  private @Nullable MemberSearch members;

  /**
   * Probes a file.
   *
   * @param bytes of the file
   * @param name of the file, used in case of doubt
   */
  SplitPoints(FileBytes bytes, String name, Format wanted) throws IOException {
    this.raw = InputBytes.of(bytes);
    byte[] window = new byte[RecordInput.WINDOW_BYTES];
    this.format = FileFormat.of(raw, name, wanted, DecoderGuard.USUAL, window);
    this.cells = format.cells(raw, DecoderGuard.USUAL, window);
    this.rowGroups = cells == Cells.OF_FILE && format.records() == Format.PARQUET ? footer() : null;
  }

  private ParquetFooter footer() throws IOException {
    // This guard keeps no account, so the memory may be closed before the footer.
    try (DecoderMemory memory = new DecoderMemory(DecoderGuard.ALONE, DecoderGuard.Memory.HEAP)) {
      return ParquetFooter.read(raw, memory);
    }
  }

  /** How the file may be cut. */
  Cells cells() {
    return cells;
  }

  FileFormat format() {
    return format;
  }

  /**
   * How many bytes a byte of the file unpacks to, measured on its first {@value #SAMPLE_BYTES}
   * decompressed bytes. A resumed build must get the same value, so nothing is decompressed ahead
   * of the sample.
   */
  double expansion() throws IOException {
    InputBytes packed = raw.fork(0);
    byte[] buffer = new byte[RecordInput.WINDOW_BYTES];
    long unpacked = 0;
    Compression compression = format.compression();
    try (InputStream in =
        compression == Compression.GZIP
            ? new GzipInput(packed, "file", GzipInput.NEVER_AT_ONCE)
            : compression.open(packed, DecoderGuard.USUAL)) {
      while (unpacked < SAMPLE_BYTES) {
        int n = DecodedInput.read(in, buffer, 0, buffer.length);
        if (n < 0) {
          break;
        }
        unpacked += n;
      }
    }
    return (double) unpacked / Math.max(1, packed.position());
  }

  /**
   * Whether a piece that starts at this offset of the file has its first record nearby.
   *
   * @param from where the piece before it starts
   */
  boolean mayBe(long from, long offset) throws IOException {
    if (rowGroups != null) {
      return rowGroups.isBorder(from, offset);
    }
    if (!format.compression().hasMembers()) {
      return true;
    }
    if (members == null) {
      members = openMembers();
    }
    return members != null && members.next(offset, offset + PROBE_BYTES) >= 0;
  }

  private @Nullable MemberSearch openMembers() throws IOException {
    byte[] window = new byte[RecordInput.WINDOW_BYTES];
    RecordInput opened =
        new RecordInput(raw.fork(0), format.compression(), 1, DecoderGuard.USUAL, window);
    input = opened;
    return MemberSearch.of(opened, format.recordStarts());
  }

  @Override
  public void close() throws IOException {
    if (input != null) {
      input.close();
    }
  }
}
