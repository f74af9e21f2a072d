package io.kmodel.indexer.source.json;

import io.kmodel.indexer.source.Docno;
import io.kmodel.indexer.source.RawDocument;
import io.kmodel.indexer.source.lines.TextRecord;
import io.kmodel.indexer.source.lines.TextRecords;
import io.kmodel.indexer.source.record.EightBytes;
import io.kmodel.indexer.source.record.Lines;
import io.kmodel.indexer.source.record.RecordFile;
import io.kmodel.indexer.source.record.Records;
import io.kmodel.indexer.source.unpack.DocumentBuffer;
import io.kmodel.indexer.source.unpack.RecordInput;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Documents that are JSON objects, over any number of lines: a file has one, several, or arrays of
 * them. {@link JsonDocument} interprets an object. A malformed object is reported with its offset,
 * as are bytes between objects that do not belong to an array, and an array without an end.
 *
 * <p>An object ends where its braces do. If a string contains a line end, for example because a
 * quote is missing, the data up to the next line that starts with a brace is lost. If a brace is
 * missing or superfluous, the rest of the file is lost, and the report says so. Memory: the largest
 * object so far. Not thread-safe.
 */
public final class JsonRecords implements Records {
  private final RecordFile file;
  private final RecordInput input;
  private final TextRecords records;

  /** Number of open arrays, between objects. */
  private long arrays;

  /**
   * State of the current object: open braces, whether in a string, and whether after a backslash.
   */
  private long braces;

  private boolean inString;
  private boolean escaped;

  /** Whether the current object has a string that is not closed on its line. */
  private boolean broken;

  public JsonRecords(RecordFile file, Docno docno, TextRecord.Parser objects) {
    this.file = file;
    this.input = file.input();
    this.records = new TextRecords(file, docno, objects);
  }

  @Override
  public @Nullable RawDocument next() throws IOException, InterruptedException {
    while (findObject()) {
      RawDocument document = object();
      if (document != null) {
        return document;
      }
    }
    return null;
  }

  /** Skips the data between objects; returns false at the end. */
  private boolean findObject() throws IOException {
    if (broken && findLine()) {
      return true;
    }
    boolean other = false;
    while (input.fill(1)) {
      int b = input.array()[input.at()];
      if (b == '{') {
        return true;
      }
      int known = separatorBytes(b);
      if (known == 0 && !other) {
        records.start();
        records.damaged("bytes outside of an object");
      }
      other = known == 0;
      input.advance(Math.max(1, known));
    }
    if (arrays > 0) {
      arrays = 0;
      records.start();
      records.damaged("the file ends within an array");
    }
    return false;
  }

  /** From the start of a line, skips lines that do not start with an object. */
  private boolean findLine() throws IOException {
    boolean start = true;
    while (input.fill(1)) {
      byte b = input.array()[input.at()];
      if (start && b == '{') {
        return true;
      }
      start = b == '\n' || (start && (Lines.isBlank(b) || b == ',' || b == '['));
      input.advance(1);
    }
    return false;
  }

  /** Bytes of a separator that may stand between objects; 0 if there is none. */
  private int separatorBytes(int b) throws IOException {
    switch (b) {
      case '[' -> arrays++;
      case ']' -> {
        if (arrays == 0) {
          return 0;
        }
        arrays--;
      }
      case ',' -> {
        return arrays > 0 ? 1 : 0;
      }
      default -> {
        input.fill(Lines.MARK_BYTES);
        int at = input.at();
        return Lines.isBlank(b) ? 1 : Lines.markBytes(input.array(), at, at + input.available());
      }
    }
    return 1;
  }

  /** The document of the object at the current position; null if it was reported. */
  private @Nullable RawDocument object() throws IOException, InterruptedException {
    DocumentBuffer buffer = file.buffer();
    records.start();
    braces = 0;
    inString = false;
    escaped = false;
    broken = false;
    boolean fits = true;
    do {
      if (!input.fill(1)) {
        arrays = 0;
        records.damaged("the file ends within an object; everything after its start was skipped");
        return null;
      }
      int from = input.at();
      int count = objectEnd(input.array(), from, from + input.available()) - from;
      fits = fits && buffer.append(input.array(), from, count);
      input.advance(count);
    } while (braces > 0 && !broken);
    if (broken) {
      records.damaged("a string is not closed on its line");
      return null;
    }
    if (!fits) {
      records.tooLarge();
      return null;
    }
    return records.document(buffer.length);
  }

  /** The offset of a byte of a string from which on at most seven precede the next stop. */
  private static int plainEnd(byte[] window, int from, int end) {
    int at = from;
    while (at < end - Long.BYTES && EightBytes.stopsOfString(EightBytes.at(window, at)) == 0) {
      at += Long.BYTES;
    }
    return at;
  }

  /** The offset after the object's last byte, or the end of the available bytes. */
  private int objectEnd(byte[] window, int from, int end) {
    for (int at = from; at < end; at++) {
      at = inString && !escaped ? plainEnd(window, at, end) : at;
      byte b = window[at];
      if (inString) {
        if (b == '\n') {
          broken = true;
          return at + 1;
        }
        inString = escaped || b != '"';
        escaped = !escaped && b == '\\';
      } else if (b == '"') {
        inString = true;
      } else if (b == '{') {
        braces++;
      } else if (b == '}' && --braces == 0) {
        return at + 1;
      }
    }
    return end;
  }
}
