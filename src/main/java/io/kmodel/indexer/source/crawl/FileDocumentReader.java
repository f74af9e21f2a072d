package io.kmodel.indexer.source.crawl;

import io.kmodel.indexer.source.ContentType;
import io.kmodel.indexer.source.DocumentReader;
import io.kmodel.indexer.source.FileBytes;
import io.kmodel.indexer.source.Format;
import io.kmodel.indexer.source.HeapGuard;
import io.kmodel.indexer.source.Location;
import io.kmodel.indexer.source.RawDocument;
import io.kmodel.indexer.source.RegularFile;
import io.kmodel.indexer.source.SkipListener;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.detect.FileFormat;
import io.kmodel.indexer.source.list.FileList;
import io.kmodel.indexer.source.list.PathBytes;
import io.kmodel.indexer.source.parquet.UnreadableParquetException;
import io.kmodel.indexer.source.record.ContentSniffer;
import io.kmodel.indexer.source.record.RecordFile;
import io.kmodel.indexer.source.record.RecordFile.Cells;
import io.kmodel.indexer.source.record.RecordStarts;
import io.kmodel.indexer.source.record.Records;
import io.kmodel.indexer.source.unpack.DocumentBuffer;
import io.kmodel.indexer.source.unpack.FileUnpacker;
import io.kmodel.indexer.source.unpack.InputBytes;
import io.kmodel.indexer.source.unpack.RecordInput;
import io.kmodel.indexer.source.unpack.SharedDecompression;
import io.kmodel.indexer.source.unpack.UnpackedPiece;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import org.jspecify.annotations.Nullable;

/**
 * Reads files one at a time: detects the compression and format of each file, and reads its
 * documents through buffers that are reused. Anything that cannot be read, is too large, does not
 * decompress or is binary is reported to the skip listener.
 *
 * <p>Memory: two documents at a time, compressed and decompressed, each within the document size
 * limit, and the windows of one file. Not thread-safe.
 */
public final class FileDocumentReader implements DocumentReader {

  private final FileList.Cursor files;
  private final SourceOptions options;
  private final SkipListener skips;
  private final HeapGuard heap;
  private final DocumentBuffer buffer;
  private final RecordReaders readers;
  private final byte[] rawWindow = new byte[InputBytes.WINDOW_BYTES];
  private final byte[] window = new byte[RecordInput.WINDOW_BYTES];

  /** The piece to read of every file; a split has either whole files or one piece of one file. */
  private final Piece piece;

  private @Nullable OpenFile open;

  /** Format of the last document's file. */
  private String formatLabel = "";

  private long passedBytes;
  private boolean missedBorder;

  /** Whether the rest of the open file has been reported or left to another reader. */
  private boolean gaveUp;

  public FileDocumentReader(
      FileList.Cursor files,
      Piece piece,
      SourceOptions options,
      SkipListener skips,
      HeapGuard heap) {
    this.files = files;
    this.piece = piece;
    this.options = options;
    this.skips = skips;
    this.heap = heap;
    this.buffer = new DocumentBuffer(options.maxDocumentBytes(), heap);
    this.readers = new RecordReaders(options, heap);
  }

  @Override
  public @Nullable RawDocument next() throws IOException, InterruptedException {
    while (true) {
      heap.release();
      buffer.clear();
      readers.clear();
      if (open == null) {
        if (!files.next()) {
          readers.reportObjects(skips);
          return null;
        }
        RawDocument small = start();
        if (small != null) {
          passedBytes += piece.bytes(files.size());
          return small;
        }
      }
      OpenFile current = open;
      RawDocument document = current == null ? null : read(current);
      if (current != null && document != null) {
        formatLabel = readers.label(current.format(), document.type());
        return document;
      }
      finish();
    }
  }

  @Override
  public String format() {
    return formatLabel;
  }

  @Override
  public long passedBytes() {
    if (open == null) {
      return passedBytes;
    }
    RecordInput input = open.input();
    return passedBytes + piece.passed(input.offset(), input.rawPosition(), files.size());
  }

  @Override
  public boolean missedBorder() {
    return missedBorder;
  }

  @Override
  public void close() throws IOException {
    heap.release();
    if (piece.unpacked() != null) {
      piece.unpacked().abandon(piece.firstByte());
    }
    if (open != null) {
      open.close();
    }
  }

  private String id() {
    return PathBytes.text(files.path(), files.pathLength());
  }

  private String place() {
    return place(id());
  }

  private String place(String id) {
    return PathBytes.place(files.root(), id);
  }

  /**
   * Opens a file. A failure is reported. If this is not the last piece of the file, the failure is
   * left to the reader of the rest of the file, so that it counts once.
   *
   * @return the file's document, if it could be read at once
   */
  private @Nullable RawDocument start() throws IOException, InterruptedException {
    FileBytes bytes = null;
    try {
      bytes = RegularFile.open(files.place());
      InputBytes raw = InputBytes.of(bytes, rawWindow, files.size());
      String id = id();
      FileFormat format = FileFormat.of(raw, id, options.format(), heap.decoders(), window);
      RawDocument small = small(raw, format, id);
      if (small != null) {
        return small;
      }
      OpenFile.requireParts(bytes, format);
      open = open(bytes, raw, format);
      bytes = null;
    } catch (ClosedByInterruptException e) {
      throw e;
    } catch (SharedDecompression.GivenUpException e) {
      missedBorder = true;
    } catch (InputBytes.ReadFailure | UnreadableParquetException e) {
      unopened(SkipReason.UNREADABLE, SkipReason.detail(e));
    } catch (IOException e) {
      SkipReason reason = bytes == null ? SkipReason.UNREADABLE : SkipReason.of(e);
      unopened(reason, SkipReason.detail(e));
    } finally {
      if (bytes != null) {
        bytes.close();
      }
    }
    return null;
  }

  private void unopened(SkipReason reason, String detail) {
    if (isLastPiece()) {
      skips.skipped(Location.of(place()), reason, detail);
    } else {
      missedBorder = true;
    }
  }

  private boolean isLastPiece() {
    return piece.isLast(files.size());
  }

  /**
   * Reads a file that is one document, as most are, and fits in the window. Reading it through
   * {@link Records} would give the same result, but copies it three times.
   *
   * @return null if more has to be read, or something has to be reported
   */
  private @Nullable RawDocument small(InputBytes raw, FileFormat format, String id)
      throws IOException, InterruptedException {
    int length = raw.available();
    if (!format.isOneDocument()
        || length == rawWindow.length
        || !raw.endsHere()
        || ContentSniffer.binary(rawWindow, 0, length) != null) {
      return null;
    }
    ContentType type = format.type(rawWindow, length, id);
    if (format.perhapsRecords(type, rawWindow, length, true, id) != null
        || !buffer.reserve(length)) {
      return null;
    }
    formatLabel = format.label(type);
    return RawDocument.of(
            new Location(place(id), -1, PathStem.id(id, options.docno())),
            type,
            rawWindow,
            length,
            files.unitNumber())
        .withUrl(id);
  }

  private OpenFile open(FileBytes bytes, InputBytes raw, FileFormat format) throws IOException {
    Cells cells = cells(raw, format);
    RecordInput input = input(raw, format, cells);
    try {
      RecordFile.Name name = new RecordFile.Name(place(), id());
      RecordFile.Extent extent = new RecordFile.Extent(files.unitNumber(), cells, piece.to());
      RecordFile file = new RecordFile(name, input, skips, buffer, extent);
      boolean starts = goToFirst(input, format, cells);
      Records records = starts ? readers.open(file, id(), raw, format, piece.from()) : () -> null;
      return new OpenFile(bytes, input, file, records, format);
    } catch (IOException | RuntimeException e) {
      input.close();
      throw e;
    }
  }

  /** How the file was cut, or for a file that was not, how it would have been. */
  private Cells cells(InputBytes raw, FileFormat format) throws IOException {
    if (piece.unpacked() != null) {
      if (!format.unpackedCanBeCut()) {
        throw new IOException("file has changed: it cannot be cut as it was");
      }
      return Cells.OF_UNPACKED;
    }
    if (piece.from() > 0 || piece.to() < Long.MAX_VALUE) {
      return Cells.OF_FILE;
    }
    boolean large = files.size() >= FileList.LARGE_BYTES;
    return large ? format.cells(raw, heap.decoders(), window) : Cells.NONE;
  }

  /** Opens the input at the start of the file, or of the piece if decompressed data is shared. */
  private RecordInput input(InputBytes raw, FileFormat format, Cells cells) throws IOException {
    UnpackedPiece unpacked = cells == Cells.OF_UNPACKED ? unpacked(format) : null;
    if (unpacked != null) {
      return new RecordInput(raw, format.compression(), unpacked, window);
    }
    raw.seek(0);
    return new RecordInput(
        raw, format.compression(), options.maxExpansion(), heap.decoders(), window);
  }

  /**
   * The decompressed data, shared by several threads or for this thread alone. All lists are read
   * this way, cut or not, so that damage has the same effect on all of them.
   *
   * @return null for an archive with a single reader, which can continue after damage
   */
  private @Nullable UnpackedPiece unpacked(FileFormat format) throws IOException {
    SharedDecompression shared = piece.unpacked();
    UnpackedPiece claimed = shared == null ? null : shared.open(piece.firstByte(), heap);
    if (claimed != null || format.records().archive()) {
      return claimed;
    }
    FileUnpacker.Source source =
        new FileUnpacker.Source(
            files.place(),
            files.size(),
            format.compression(),
            heap.decoders(),
            options.maxExpansion(),
            false);
    return SharedDecompression.alone(source, piece.firstByte());
  }

  /**
   * Skips what the reader of the previous piece reads.
   *
   * @return false if that continues to the end of the file or to damage, which the other reader
   *     reports
   */
  private boolean goToFirst(RecordInput in, FileFormat format, Cells cells) throws IOException {
    if (piece.from() == 0 || format.records() == Format.PARQUET) {
      return true;
    }
    RecordStarts starts = format.recordStarts();
    if (cells != Cells.OF_UNPACKED) {
      in.restart(starts.atOrAfter(in, piece.from()));
      return true;
    }
    in.skip(piece.firstByte() - in.offset());
    if (format.records().archive()) {
      return starts.nextLine(in);
    }
    try {
      // Readers of lines stop where the next piece begins; readers of documents search for the next
      // start.
      return format.records().lines() ? RecordStarts.passLine(in) : starts.nextLine(in);
    } catch (ClosedByInterruptException | InputBytes.ReadFailure e) {
      throw e;
    } catch (IOException e) {
      // The damage is in the file, so the other reader meets it, too.
      gaveUp = true;
      return false;
    }
  }

  private @Nullable RawDocument read(OpenFile current) throws IOException, InterruptedException {
    String unreadable;
    SkipReason reason;
    try {
      return current.records().next();
    } catch (ClosedByInterruptException e) {
      throw e;
    } catch (SharedDecompression.GivenUpException e) {
      return leaveRest();
    } catch (InputBytes.ReadFailure e) {
      if (piece.unpacked() != null && !isLastPiece()) {
        // Later pieces may fail or not; the reader of the whole rest reports that.
        return leaveRest();
      }
      reason = SkipReason.UNREADABLE;
      unreadable = SkipReason.detail(e);
    } catch (IOException e) {
      reason = SkipReason.of(e);
      unreadable = SkipReason.detail(e);
    }
    boolean many = current.format().records().holdsRecords();
    String rest = many ? "; the rest of the file was not read" : "";
    Location where =
        new Location(place(), many ? current.input().failurePlace() : -1, many ? "" : id());
    skips.skipped(where, reason, unreadable + rest);
    gaveUp = true;
    return null;
  }

  /** Leaves the rest to a reader of this piece and all pieces after it. */
  private @Nullable RawDocument leaveRest() {
    missedBorder = true;
    gaveUp = true;
    return null;
  }

  /** Finishes the open file. */
  private void finish() throws IOException {
    passedBytes += piece.bytes(files.size());
    OpenFile done = open;
    open = null;
    if (done != null) {
      try {
        if (!isLastPiece()) {
          missedBorder = missedBorder || !done.endedAtBorder(piece);
        } else if (done.format().records().holdsRecords() && !gaveUp) {
          requireListedSize(done.bytes());
        }
      } finally {
        done.close();
      }
    }
    gaveUp = false;
  }

  /**
   * Reports a file that was truncated after it was listed, because its last records would be
   * missing silently.
   */
  private void requireListedSize(FileBytes bytes) throws IOException {
    long size = bytes.size();
    if (size < files.size()) {
      String detail = "file has changed: it has %d of %d bytes".formatted(size, files.size());
      skips.skipped(Location.of(place()), SkipReason.UNREADABLE, detail);
    }
  }
}
