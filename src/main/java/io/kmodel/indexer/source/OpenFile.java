package io.kmodel.indexer.source;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;

/**
 * A file that is being read, or a piece of it, with what reads its records. Closing it closes the
 * input and the channel.
 */
record OpenFile(
    FileChannel channel, RecordInput input, RecordFile file, Records records, FileFormat format)
    implements AutoCloseable {

  /**
   * Whether the next piece, if all of this was read, starts with the record at which this one has
   * ended; no, where that cannot be read: what reads both as one will meet the failure again, and
   * report it.
   *
   * @param piece that was read, which is not the file's last
   */
  boolean endedAtBorder(Piece piece) throws IOException {
    if (piece.unpacked() != null && format.records().startsAtLines()) {
      // Lines are records or not whatever is before them, so both agree.
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

  /** Where in what is unpacked the next piece finds its first record; -1 if it finds none. */
  private long firstOfNextPiece() throws IOException {
    RecordInput next = input.ofNextPiece();
    if (next == null) {
      throw new IOException("nothing is kept for the next piece");
    }
    return format.recordStarts().nextLine(next) ? next.offset() : -1;
  }

  @Override
  public void close() throws IOException {
    try (channel) {
      input.close();
    }
  }
}
