package io.kmodel.indexer.index.columns;

import io.kmodel.indexer.index.model.Column;
import io.kmodel.indexer.index.model.ColumnType;
import io.kmodel.indexer.index.model.ColumnValues;
import io.kmodel.indexer.index.model.IndexFiles;
import io.kmodel.indexer.store.OutputFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Writes the values of one split's documents, document by document, for {@link ColumnsWriter}.
 *
 * <pre>
 * body     := document*
 * document := presence:u8{(columns + 7) / 8} value*         bit i tells whether column i has a value
 * value    := number:u64 | length:vint utf8                 of a column of strings
 * </pre>
 *
 * Example: a document with the string "a" in the first of two columns, and nothing in the second,
 * is {@code 01 01 61}.
 *
 * <p>Memory: a buffer of 64 KiB. Not thread-safe. Closing without {@link #commit} deletes the file.
 */
public final class ColumnPartWriter implements AutoCloseable {
  static final String FORMAT = "columns.part";

  private final OutputFile out;

  public ColumnPartWriter(Path file) throws IOException {
    this.out = OutputFile.create(file, FORMAT, IndexFiles.VERSION);
  }

  /** Adds the next document. All must have the same columns. */
  public void add(ColumnValues values) throws IOException {
    int columns = values.columns().size();
    for (int from = 0; from < columns; from += Byte.SIZE) {
      int presence = 0;
      for (int i = from; i < Math.min(columns, from + Byte.SIZE); i++) {
        presence |= values.has(i) ? 1 << (i - from) : 0;
      }
      out.writeByte(presence);
    }
    for (int i = 0; i < columns; i++) {
      if (values.has(i)) {
        write(values.columns().get(i), values, i);
      }
    }
  }

  private void write(Column column, ColumnValues values, int i) throws IOException {
    if (column.type() != ColumnType.STRING) {
      out.writeLong(values.number(i));
      return;
    }
    byte[] utf8 = values.string(i).getBytes(StandardCharsets.UTF_8);
    if (utf8.length > Column.MAX_STRING_BYTES) {
      throw new IllegalArgumentException(
          "column '%s' has a string of %d bytes, the limit is %d"
              .formatted(column.name(), utf8.length, Column.MAX_STRING_BYTES));
    }
    out.writeVInt(utf8.length);
    out.writeBytes(utf8, 0, utf8.length);
  }

  /** Completes the file without forcing it to disk. */
  public void commit() throws IOException {
    out.commitUnforced();
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
