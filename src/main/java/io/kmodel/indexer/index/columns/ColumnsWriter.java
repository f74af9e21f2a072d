package io.kmodel.indexer.index.columns;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.index.model.Column;
import io.kmodel.indexer.index.model.ColumnStatistics;
import io.kmodel.indexer.index.model.ColumnType;
import io.kmodel.indexer.index.model.IndexFiles;
import io.kmodel.indexer.store.ByteReader;
import io.kmodel.indexer.store.InputFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes the files of all columns of an index. The bytes depend on the values alone. Memory: that
 * of a {@link ColumnWriter} for each column. Not thread-safe. Closing without a commit deletes the
 * files.
 */
public final class ColumnsWriter implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 16;

  private final ImmutableList<Column> columns;
  private final List<ColumnWriter> writers = new ArrayList<>();

  public ColumnsWriter(Path directory, ImmutableList<Column> columns) throws IOException {
    this.columns = columns;
    try {
      for (Column column : columns) {
        writers.add(new ColumnWriter(directory, column));
      }
    } catch (IOException | RuntimeException e) {
      try (this) {
        throw e;
      }
    }
  }

  /** Appends the documents of a file of {@link ColumnPartWriter} with the same columns. */
  public void append(Path part) throws IOException {
    try (InputFile file = InputFile.open(part, ColumnPartWriter.FORMAT, IndexFiles.VERSION)) {
      file.verify();
      ByteReader in = file.reader(BUFFER_BYTES);
      byte[] presence = new byte[Math.ceilDiv(columns.size(), Byte.SIZE)];
      byte[] utf8 = new byte[Column.MAX_STRING_BYTES];
      while (in.remaining() > 0) {
        in.readBytes(presence, 0, presence.length);
        for (int i = 0; i < columns.size(); i++) {
          if ((presence[i / Byte.SIZE] >> i % Byte.SIZE & 1) == 0) {
            writers.get(i).addNone();
          } else {
            append(i, in, utf8);
          }
        }
      }
    }
  }

  private void append(int column, ByteReader in, byte[] utf8) throws IOException {
    if (columns.get(column).type() != ColumnType.STRING) {
      writers.get(column).add(in.readLong());
      return;
    }
    int length = in.readVInt();
    if (length < 0 || length > utf8.length) {
      throw in.corrupt("string of %d bytes before offset %d".formatted(length, in.position()));
    }
    in.readBytes(utf8, 0, length);
    writers.get(column).add(utf8, 0, length);
  }

  /**
   * Appends a document's value, or none, to one column. All columns must get the same documents.
   *
   * @param from has values of the same type
   */
  public void append(int column, ColumnReader from, int doc) throws IOException {
    ColumnWriter to = writers.get(column);
    if (!from.has(doc)) {
      to.addNone();
    } else if (columns.get(column).type() == ColumnType.STRING) {
      byte[] utf8 = from.string(doc);
      to.add(utf8, 0, utf8.length);
    } else {
      to.add(from.number(doc));
    }
  }

  /** Documents that a column has. */
  public int documents(int column) {
    return writers.get(column).documents();
  }

  /** Completes the files; returns a column's statistics for each. */
  public ImmutableList<ColumnStatistics> commit() throws IOException {
    return commit(true);
  }

  /** The same without forcing the files to disk. */
  ImmutableList<ColumnStatistics> commitUnforced() throws IOException {
    return commit(false);
  }

  private ImmutableList<ColumnStatistics> commit(boolean isForced) throws IOException {
    ImmutableList.Builder<ColumnStatistics> statistics = ImmutableList.builder();
    for (ColumnWriter writer : writers) {
      statistics.add(writer.commit(isForced));
    }
    return statistics.build();
  }

  @Override
  public void close() throws IOException {
    IOException failure = null;
    for (ColumnWriter writer : writers) {
      try {
        writer.close();
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
