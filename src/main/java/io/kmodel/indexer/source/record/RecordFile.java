package io.kmodel.indexer.source.record;

import io.kmodel.indexer.source.Location;
import io.kmodel.indexer.source.SkipListener;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.unpack.DocumentBuffer;
import io.kmodel.indexer.source.unpack.RecordInput;
import java.util.Map;

/**
 * An open file of records, or a piece of it: the records that start between two offsets. Not
 * thread-safe.
 */
public final class RecordFile {
  /**
   * Size of a cell in a file that is cut. A record belongs to the cell in which it starts. Offsets
   * are those in the file, or in its decompressed data.
   */
  public static final long CELL_BYTES = 4L << 20;

  private final String file;
  private final String id;
  private final RecordInput input;
  private final SkipListener skips;
  private final DocumentBuffer buffer;
  private final Extent extent;

  /** Offset of the first record that belongs to the next piece and was not read; or -1. */
  private long stoppedAt = -1;

  private boolean stoppedInLine;
  private long lastOffset;

  /**
   * The part of a file to read.
   *
   * @param unit number of the unit that the file starts in
   * @param cells which cells are separate units
   * @param end records that start here or later belong to the next piece
   */
  public record Extent(long unit, Cells cells, long end) {}

  /** How a file is cut into cells, if it is cut. */
  public enum Cells {
    NONE,
    OF_FILE,
    OF_UNPACKED
  }

  /** The path of a file, and its id for users. */
  public record Name(String file, String id) {}

  public RecordFile(
      Name name, RecordInput input, SkipListener skips, DocumentBuffer buffer, Extent extent) {
    this.file = name.file();
    this.id = name.id();
    this.input = input;
    this.skips = skips;
    this.buffer = buffer;
    this.extent = extent;
  }

  public RecordInput input() {
    return input;
  }

  /** Where in the file reading started; at its start if the decompressed data is cut. */
  long readFrom() {
    return extent.cells() == Cells.OF_UNPACKED ? 0 : input.rawPosition();
  }

  /** For the current document. */
  public DocumentBuffer buffer() {
    return buffer;
  }

  /** Whether the record that starts here, if there is one, belongs to the next piece. */
  public boolean isPastEnd() {
    if (extent.end() == Long.MAX_VALUE) {
      return false;
    }
    long offset = cellOffset();
    if (offset < extent.end()) {
      return false;
    }
    stoppedAt = offset;
    return true;
  }

  /**
   * The same for a record that may not be the one that the next piece begins with.
   *
   * @param startsLine whether it is the first one at the start of a line
   */
  public boolean isPastEnd(boolean startsLine) {
    boolean past = isPastEnd();
    stoppedInLine = past && !startsLine;
    return past;
  }

  /**
   * Whether reading stopped at a record within a line, or after one that the next piece begins
   * within.
   */
  public boolean stoppedInLine() {
    return stoppedInLine;
  }

  /** Whether what starts at such an offset belongs to the next piece. */
  public boolean isInNextPiece(long offset) {
    return offset >= extent.end();
  }

  /** Where reading stopped before the end of the file; -1 if it did not. */
  public long stoppedAt() {
    return stoppedAt;
  }

  /** The next byte's offset, which determines its cell; -1 if unknown. */
  public long cellOffset() {
    return extent.cells() == Cells.OF_UNPACKED ? input.offset() : input.fileOffset();
  }

  /**
   * The unit of a record that starts at such an offset. For an unknown offset, -1, it is the unit
   * of the previous record.
   */
  public long unitAt(long cellOffset) {
    lastOffset = Math.max(lastOffset, cellOffset);
    return extent.unit() + (extent.cells() == Cells.NONE ? 0 : lastOffset / CELL_BYTES);
  }

  public Location place(long offset, String document) {
    return new Location(file, offset, document);
  }

  /** A row of Parquet, at the offset of its row group. */
  public Location place(long offset, String row, String document) {
    return new Location(file, offset, row, document);
  }

  /** The id of a record without a name, made from its {@link RecordInput#placeName}. */
  public String recordId(String placeName) {
    return id + "#" + placeName;
  }

  /** Counts columns of its documents that were not read. */
  public void unused(Map<String, Long> columns) {
    skips.unused(columns);
  }

  public void skip(Location place, SkipReason reason, String detail) {
    skips.skipped(place, reason, detail);
  }

  /** Skips several documents that have one place. */
  public void skip(Location place, SkipReason reason, String detail, long documents) {
    skips.skipped(place, reason, detail, documents);
  }
}
