package io.kmodel.indexer.source.crawl;

import io.kmodel.indexer.source.FileBytes;
import io.kmodel.indexer.source.Format;
import io.kmodel.indexer.source.detect.FileFormat;
import io.kmodel.indexer.source.parquet.UnreadableParquetException;
import io.kmodel.indexer.source.record.RecordFile;
import io.kmodel.indexer.source.record.Records;
import io.kmodel.indexer.source.unpack.RecordInput;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;

/**
 * An open file, or a piece of it, with the reader of its records. Closing it closes the input and
 * the file.
 */
record OpenFile(
    FileBytes bytes, RecordInput input, RecordFile file, Records records, FileFormat format)
    implements AutoCloseable {

  /**
   * Rejects a Parquet file of a server that sends only whole files: each column of each row group
   * would receive the file again.
   *
   * @throws UnreadableParquetException if this is such a file
   */
  static void requireParts(FileBytes bytes, FileFormat format) throws UnreadableParquetException {
    if (format.records() == Format.PARQUET && !bytes.startsAnywhere()) {
      throw new UnreadableParquetException(
          "a Parquet file of a server that sends no parts of files: download it and name its path");
    }
  }

  /**
   * Whether the next piece starts with the record at which this one, read to its end, has stopped.
   * False if that cannot be read: the reader of both pieces as one meets the failure again, and
   * reports it.
   *
   * @param piece the piece that was read, which is not the file's last
   */
  boolean endedAtBorder(Piece piece) throws IOException {
    if (format.records() == Format.PARQUET) {
      // Every reader knows the row groups from the footer.
      return true;
    }
    if (piece.unpacked() != null && format.records().startsAtLines()) {
      // A line is a record or not regardless of the data before it, so both readers agree, except
      // on lines within quotes.
      return !file.stoppedInLine();
    }
    long stopped = file.stoppedAt();
    try {
      return piece.unpacked() == null
          ? format.recordStarts().atOrAfter(input, piece.to())
              == (stopped < 0 ? input.fileSize() : stopped)
          : firstOfNextPiece() == stopped;
    } catch (ClosedByInterruptException e) {
      throw e;
    } catch (IOException e) {
      return false;
    }
  }

  /** Where in the decompressed data the next piece finds its first record; -1 if it finds none. */
  private long firstOfNextPiece() throws IOException {
    RecordInput next = input.ofNextPiece();
    if (next == null) {
      throw new IOException("no data is kept for the next piece");
    }
    return format.recordStarts().nextLine(next) ? next.offset() : -1;
  }

  @Override
  public void close() throws IOException {
    try (bytes;
        records) {
      input.close();
    }
  }
}
