package io.kmodel.indexer.source;

/**
 * A file of records that is being read, or a piece of it: the records that start from one offset of
 * the file to another. Not thread-safe.
 */
final class RecordFile {
  /**
   * Of a file that is cut; a record is in the cell that it starts in. Offsets are those in the
   * file, or in what that unpacks to.
   */
  static final long CELL_BYTES = 4L << 20;

  private final String file;
  private final String id;
  private final RecordInput input;
  private final SkipListener skips;
  private final DocumentBuffer buffer;
  private final Extent extent;

  /** Offset of the first record that was not read since it belongs to the next piece; or -1. */
  private long stoppedAt = -1;

  private boolean stoppedInLine;
  private long lastOffset;

  /**
   * Which part of a file is read.
   *
   * @param unit number of the unit that the file starts in
   * @param cells which cells are units of their own
   * @param end records that start here or later belong to the next piece
   */
  record Extent(long unit, Cells cells, long end) {}

  /** How a file is cut into cells, if it is. */
  enum Cells {
    NONE,
    OF_FILE,
    OF_UNPACKED
  }

  /** What a file is, and how users call it. */
  record Name(String file, String id) {}

  RecordFile(
      Name name, RecordInput input, SkipListener skips, DocumentBuffer buffer, Extent extent) {
    this.file = name.file();
    this.id = name.id();
    this.input = input;
    this.skips = skips;
    this.buffer = buffer;
    this.extent = extent;
  }

  RecordInput input() {
    return input;
  }

  /** Where in the file reading began: at its start, where what it unpacks to is cut. */
  long readFrom() {
    return extent.cells() == Cells.OF_UNPACKED ? 0 : input.rawPosition();
  }

  /** For the document at hand. */
  DocumentBuffer buffer() {
    return buffer;
  }

  /** Whether the record that starts here, if any does, belongs to the next piece. */
  boolean isPastEnd() {
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

  /** The same of a record that may start within a line, where no piece begins. */
  boolean isPastEnd(boolean startsLine) {
    boolean past = isPastEnd();
    stoppedInLine = past && !startsLine;
    return past;
  }

  /** Whether reading stopped at such a record, which the next piece does not begin with. */
  boolean stoppedInLine() {
    return stoppedInLine;
  }

  /** Where reading stopped before the end of the file; -1 if it did not. */
  long stoppedAt() {
    return stoppedAt;
  }

  /** The next byte's offset, that says which cell it is in; -1 if that is not known. */
  long cellOffset() {
    return extent.cells() == Cells.OF_UNPACKED ? input.offset() : input.fileOffset();
  }

  /**
   * The unit of a record that starts at such an offset; -1 stands for an unknown one, and means the
   * unit of the record before.
   */
  long unitAt(long cellOffset) {
    lastOffset = Math.max(lastOffset, cellOffset);
    return extent.unit() + (extent.cells() == Cells.NONE ? 0 : lastOffset / CELL_BYTES);
  }

  Place place(long offset, String document) {
    return new Place(file, offset, document);
  }

  /** What a record is called that has no name: by its {@link RecordInput#placeName}. */
  String recordId(String placeName) {
    return id + "#" + placeName;
  }

  void skip(Place place, SkipReason reason, String detail) {
    skips.skipped(place, reason, detail);
  }
}
