package io.kmodel.indexer.source.lines;

import io.kmodel.indexer.source.Docno;
import io.kmodel.indexer.source.RawDocument;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.record.DamagedRecordException;
import io.kmodel.indexer.source.record.RecordFile;
import io.kmodel.indexer.source.unpack.DocumentBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Creates documents from text records, whose bytes the caller puts into the file's buffer; a {@link
 * TextRecord.Parser} interprets them. A malformed record is reported with its offset. Not
 * thread-safe.
 */
public final class TextRecords {
  private final RecordFile file;
  private final Docno docno;
  private final TextRecord.Parser parser;
  private long place;
  private String placeName = "";
  private long cellOffset;

  public TextRecords(RecordFile file, Docno docno, TextRecord.Parser parser) {
    this.file = file;
    this.docno = docno;
    this.parser = parser;
  }

  /** Starts a record at the input's next byte, with an empty buffer. */
  public void start() {
    place = file.input().place();
    placeName = docno.isPath() ? file.input().placeName() : "";
    cellOffset = file.cellOffset();
    file.buffer().start();
  }

  /** Reports that the record does not fit in the buffer. */
  public void tooLarge() {
    file.skip(file.place(place, ""), SkipReason.TOO_LARGE, file.buffer().problem());
  }

  /** Reports a problem with the record, or with data where a record should be. */
  public void damaged(String how) {
    file.skip(file.place(place, ""), SkipReason.DAMAGED_RECORD, how);
  }

  /** The document of the record in the buffer's first bytes; null if there is no document. */
  @Nullable
  public RawDocument document(int length) {
    DocumentBuffer buffer = file.buffer();
    try {
      TextRecord record = parser.parse(buffer.bytes, length);
      if (record == null) {
        return null;
      }
      int textLength = record.to - record.from;
      byte[] text = record.bytes;
      if (record.from > 0 && record.vector != null) {
        // The vector's terms lie in the buffer.
        text = Arrays.copyOfRange(record.bytes, record.from, record.to);
      } else if (record.from > 0) {
        text = buffer.bytes;
        System.arraycopy(record.bytes, record.from, text, 0, textLength);
      }
      return RawDocument.of(
              file.place(place, id(record)), record.type, text, textLength, file.unitAt(cellOffset))
          .withTitle(record.title, record.titleDecoded)
          .withCharset("utf-8")
          .withUrl(record.uri)
          .withHeadings(record.headings)
          .withVector(record.vector)
          .withMetadata(record.metadata);
    } catch (DamagedRecordException e) {
      damaged(String.valueOf(e.getMessage()));
      return null;
    }
  }

  private String id(TextRecord record) throws DamagedRecordException {
    if (docno.isPath()) {
      return file.recordId(placeName);
    }
    if (docno == Docno.URI && !record.uri.isEmpty()) {
      return record.uri;
    }
    if (record.id.isEmpty()) {
      throw new DamagedRecordException("record has no id");
    }
    return record.id;
  }
}
