package io.kmodel.indexer.index.columns;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.index.model.Column;
import io.kmodel.indexer.index.model.IndexFiles;
import io.kmodel.indexer.store.InputFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The columns of some documents, open for reading. Memory: mapped files. Thread-safe. */
public final class Columns implements AutoCloseable {
  private final ImmutableList<Column> columns;
  private final ImmutableList<InputFile> files;
  private final int documents;

  /**
   * Columns in mapped files, which belong to the caller.
   *
   * @param files of the columns, in their order
   */
  public Columns(ImmutableList<Column> columns, ImmutableList<InputFile> files, int documents) {
    this.columns = columns;
    this.files = files;
    this.documents = documents;
  }

  /**
   * Joins files of {@link ColumnPartWriter}.
   *
   * @param directory where to write the files of the columns
   * @param parts in document order
   */
  public static Columns join(Path directory, Collection<Path> parts, ImmutableList<Column> columns)
      throws IOException {
    int documents;
    try (ColumnsWriter writer = new ColumnsWriter(directory, columns)) {
      for (Path part : parts) {
        writer.append(part);
      }
      documents = columns.isEmpty() ? 0 : writer.documents(0);
      writer.commitUnforced();
    }
    List<InputFile> open = new ArrayList<>();
    try {
      for (Column column : columns) {
        Path file = directory.resolve(IndexFiles.column(column));
        open.add(InputFile.map(file, IndexFiles.COLUMNS, IndexFiles.VERSION));
      }
      return new Columns(columns, ImmutableList.copyOf(open), documents);
    } catch (IOException | RuntimeException e) {
      closeAll(open);
      throw e;
    }
  }

  /** The columns that these are the values of. */
  public ImmutableList<Column> columns() {
    return columns;
  }

  public int documents() {
    return documents;
  }

  /** A reader of a column for one thread. */
  public ColumnReader reader(int column) throws IOException {
    return new ColumnReader(files.get(column), columns.get(column), documents);
  }

  /** Closes the files. */
  @Override
  public void close() throws IOException {
    closeAll(files);
  }

  private static void closeAll(List<InputFile> files) throws IOException {
    IOException failure = null;
    for (InputFile file : files) {
      try {
        file.close();
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
