package io.kmodel.indexer.source.lines;

import io.kmodel.indexer.source.Docno;
import io.kmodel.indexer.source.RawDocument;
import io.kmodel.indexer.source.json.JsonDocument;
import io.kmodel.indexer.source.record.Lines;
import io.kmodel.indexer.source.record.RecordFile;
import io.kmodel.indexer.source.record.Records;
import io.kmodel.indexer.source.unpack.DocumentBuffer;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Documents that are lines; {@link JsonDocument} or {@link TsvDocument} interprets a line. A
 * malformed line is reported with its offset. Lines of white space alone are skipped, also after a
 * byte order mark. Memory: the largest line so far. Not thread-safe.
 */
public final class LineRecords implements Records {
  private final RecordFile file;
  private final TextRecords records;
  private final Lines lines;

  public LineRecords(RecordFile file, Docno docno, TextRecord.Parser parser) {
    this.file = file;
    this.records = new TextRecords(file, docno, parser);
    this.lines = new Lines(file.input());
  }

  @Override
  public @Nullable RawDocument next() throws IOException, InterruptedException {
    DocumentBuffer buffer = file.buffer();
    while (!file.isPastEnd()) {
      if (!file.input().fill(1)) {
        return null;
      }
      records.start();
      if (lines.append(buffer) == Lines.Line.TOO_LARGE) {
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
