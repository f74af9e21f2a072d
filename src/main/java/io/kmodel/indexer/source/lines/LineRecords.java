package io.kmodel.indexer.source.lines;

import io.kmodel.indexer.source.Docno;
import io.kmodel.indexer.source.RawDocument;
import io.kmodel.indexer.source.json.JsonDocument;
import io.kmodel.indexer.source.record.Lines;
import io.kmodel.indexer.source.record.RecordFile;
import io.kmodel.indexer.source.record.Records;
import io.kmodel.indexer.source.unpack.DocumentBuffer;
import io.kmodel.indexer.source.unpack.RecordInput;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Documents that are lines; {@link JsonDocument} or {@link TsvDocument} interprets a line, and may
 * take further ones to it that end within {@link RecordInput#WINDOW_BYTES}. A malformed line is
 * reported with its offset. Lines of white space alone are skipped, also after a byte order mark.
 * Memory: the largest line so far. Not thread-safe.
 */
public final class LineRecords implements Records {
  private final RecordFile file;
  private final TextRecords records;
  private final Lines lines;
  private final TextRecord.Parser parser;

  /** Whether the last record has a line that the next piece begins with. */
  private boolean crossesBorder;

  public LineRecords(RecordFile file, Docno docno, TextRecord.Parser parser) {
    this.file = file;
    this.parser = parser;
    this.records = new TextRecords(file, docno, parser);
    this.lines = new Lines(file.input());
  }

  @Override
  public @Nullable RawDocument next() throws IOException, InterruptedException {
    DocumentBuffer buffer = file.buffer();
    while (!file.isPastEnd(!crossesBorder)) {
      if (!file.input().fill(1)) {
        return null;
      }
      records.start();
      crossesBorder = false;
      if (lines.append(buffer) == Lines.Line.TOO_LARGE || !appendRest(buffer)) {
        records.tooLarge();
        continue;
      }
      int length = trimmed(buffer);
      RawDocument document = length > 0 ? records.document(length) : null;
      if (document != null) {
        return document;
      }
    }
    return null;
  }

  /**
   * Appends the further lines of a record that is open at the end of a line; returns false if they
   * do not fit in the buffer.
   */
  private boolean appendRest(DocumentBuffer buffer) throws IOException, InterruptedException {
    RecordInput in = file.input();
    while (parser.isOpen(buffer.bytes, buffer.length)) {
      int count = further(buffer, false);
      if (count == 0 && in.available() < RecordInput.WINDOW_BYTES) {
        boolean isAll = !in.fill(RecordInput.WINDOW_BYTES) && !in.endsAtDamage();
        count = further(buffer, isAll);
      }
      if (count == 0) {
        return true;
      }
      int lastLine = count - 1;
      while (lastLine > 0 && in.array()[in.at() + lastLine - 1] != '\n') {
        lastLine--;
      }
      crossesBorder = file.isInNextPiece(file.cellOffset() + lastLine);
      if (!buffer.append(in.array(), in.at(), count)) {
        in.advance(count);
        return false;
      }
      in.advance(count);
    }
    return true;
  }

  private int further(DocumentBuffer buffer, boolean isAll) {
    RecordInput in = file.input();
    int end = in.at() + in.available();
    return parser.further(buffer.bytes, buffer.length, in.array(), in.at(), end, isAll);
  }

  /** The line's length without its end; 0 if there is nothing but white space. */
  private static int trimmed(DocumentBuffer buffer) {
    int length = buffer.length;
    while (length > 0 && (buffer.bytes[length - 1] == '\n' || buffer.bytes[length - 1] == '\r')) {
      length--;
    }
    int blank = Lines.markBytes(buffer.bytes, 0, length);
    while (blank < length && Lines.isBlank(buffer.bytes[blank])) {
      blank++;
    }
    return blank == length ? 0 : length;
  }
}
