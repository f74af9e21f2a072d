package io.kmodel.indexer.indexing.documents;

import io.kmodel.indexer.export.lucene.schema.DocumentRange;
import io.kmodel.indexer.export.lucene.segment.SegmentWriter;
import io.kmodel.indexer.export.lucene.view.ColumnRange;
import io.kmodel.indexer.index.columns.ColumnPartWriter;
import io.kmodel.indexer.index.columns.Columns;
import io.kmodel.indexer.index.model.ColumnValues;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.store.disk.Directories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The metadata of the documents of one run, which wait in a file until the run's segment is
 * written. Closing deletes all files. Not thread-safe.
 */
final class RunColumns implements AutoCloseable {
  private final Path directory;
  private final Path part;
  private final Schema schema;
  private final ColumnPartWriter writer;

  /**
   * Starts a run.
   *
   * @param directory for the files; it must not exist
   */
  RunColumns(Path directory, Schema schema) throws IOException {
    this.directory = directory;
    this.part = directory.resolve("part");
    this.schema = schema;
    Files.createDirectory(directory);
    this.writer = new ColumnPartWriter(part);
  }

  void add(ColumnValues values) throws IOException {
    writer.add(values);
  }

  /** Writes a segment. */
  @FunctionalInterface
  interface Writing {
    void run() throws IOException;
  }

  /** Hands the values over to a segment while that is written. */
  void write(SegmentWriter segment, Writing writing) throws IOException {
    writer.commit();
    try (Columns columns = Columns.join(directory, List.of(part), schema.columns())) {
      segment.setColumns(new ColumnRange(columns, new DocumentRange(0, columns.documents())));
      writing.run();
    }
  }

  @Override
  public void close() throws IOException {
    writer.close();
    Directories.deleteTree(directory);
  }
}
