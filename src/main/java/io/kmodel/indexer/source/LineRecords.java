package io.kmodel.indexer.source;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Documents that are lines: {@link JsonDocument} or {@link TsvDocument} says what is in one. A line
 * that makes no sense is reported with its offset; those of white space alone are passed over, also
 * behind a byte order mark. Memory: the largest line so far. Not thread-safe.
 */
final class LineRecords implements Records {
  /** Reads one line. */
  @FunctionalInterface
  interface LineParser {
    /**
     * A document, valid until the next call.
     *
     * @param line its bytes, without the line end
     * @throws DamagedRecordException if it is none
     */
    LineDocument parse(byte[] line, int length) throws DamagedRecordException;
  }

  /** What a line says; id, URI and title are empty if it says none. */
  static final class LineDocument {
    final String id;
    final String uri;
    final String title;

    /** Holds the text in UTF-8: the line itself, or an array of its own. */
    final byte[] bytes;

    final int from;
    final int to;

    LineDocument(String id, String uri, String title, byte[] bytes, int from, int to) {
      this.id = id;
      this.uri = uri;
      this.title = title;
      this.bytes = bytes;
      this.from = from;
      this.to = to;
    }
  }

  private final RecordFile file;
  private final Docno docno;
  private final LineParser parser;
  private final Lines lines;
  private String placeName = "";

  LineRecords(RecordFile file, Docno docno, LineParser parser) {
    this.file = file;
    this.docno = docno;
    this.parser = parser;
    this.lines = new Lines(file.input());
  }

  @Override
  public @Nullable RawDocument next() throws IOException, InterruptedException {
    DocumentBuffer buffer = file.buffer();
    while (!file.isPastEnd()) {
      if (!file.input().fill(1)) {
        return null;
      }
      long offset = file.input().place();
      placeName = docno == Docno.PATH ? file.input().placeName() : "";
      long cellOffset = file.cellOffset();
      buffer.start();
      Lines.Line line = lines.append(buffer);
      if (line == Lines.Line.TOO_LARGE) {
        file.skip(file.place(offset, ""), SkipReason.TOO_LARGE, buffer.problem());
        continue;
      }
      int length = trimmed(buffer);
      if (length > 0) {
        RawDocument document = document(length, offset, cellOffset);
        if (document != null) {
          return document;
        }
      }
    }
    return null;
  }

  private @Nullable RawDocument document(int length, long offset, long cellOffset) {
    DocumentBuffer buffer = file.buffer();
    try {
      LineDocument line = parser.parse(buffer.bytes, length);
      int textLength = line.to - line.from;
      byte[] text = line.bytes;
      if (line.from > 0) {
        text = buffer.bytes;
        System.arraycopy(line.bytes, line.from, text, 0, textLength);
      }
      Place place = file.place(offset, id(line));
      return RawDocument.of(
              place, ContentType.PLAIN_TEXT, text, textLength, file.unitAt(cellOffset))
          .withTitle(line.title)
          .withCharset("utf-8")
          .withUrl(line.uri);
    } catch (DamagedRecordException e) {
      file.skip(file.place(offset, ""), SkipReason.DAMAGED_RECORD, String.valueOf(e.getMessage()));
      return null;
    }
  }

  private String id(LineDocument line) throws DamagedRecordException {
    if (docno == Docno.PATH) {
      return file.recordId(placeName);
    }
    if (docno == Docno.URI && !line.uri.isEmpty()) {
      return line.uri;
    }
    if (line.id.isEmpty()) {
      throw new DamagedRecordException("a record without an id");
    }
    return line.id;
  }

  /** The line's length without its end; 0 if nothing but white space is left. */
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
