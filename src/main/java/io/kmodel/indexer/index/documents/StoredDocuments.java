package io.kmodel.indexer.index.documents;

import io.kmodel.indexer.index.model.IndexFiles;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.store.InputFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;

/**
 * Stored documents without an index: joined files of {@link StoredDocumentsWriter}, open for
 * reading. Memory: mapped files. Thread-safe; each thread needs its own reader.
 */
public final class StoredDocuments implements AutoCloseable {
  private final InputFile data;
  private final InputFile index;
  private final Schema schema;
  private final int count;

  private StoredDocuments(InputFile data, InputFile index, Schema schema, int count) {
    this.data = data;
    this.index = index;
    this.schema = schema;
    this.count = count;
  }

  /**
   * Joins files.
   *
   * @param directory where to write the two files that hold an index's documents
   * @param parts the files, in document order
   */
  public static StoredDocuments join(Path directory, Collection<Path> parts, Schema schema)
      throws IOException {
    int count;
    try (DocumentsWriter writer = new DocumentsWriter(directory)) {
      for (Path part : parts) {
        writer.append(part);
      }
      count = writer.documents();
      writer.commitUnforced();
    }
    InputFile data = open(directory, IndexFiles.DOCUMENTS);
    try {
      return new StoredDocuments(data, open(directory, IndexFiles.DOCUMENT_INDEX), schema, count);
    } catch (IOException | RuntimeException e) {
      data.close();
      throw e;
    }
  }

  private static InputFile open(Path directory, String name) throws IOException {
    return InputFile.map(directory.resolve(name), name, IndexFiles.VERSION);
  }

  /** A reader for one thread. */
  public StoredTexts texts() throws IOException {
    return new StoredDocumentsReader(data, index, schema, count);
  }

  @Override
  public void close() throws IOException {
    try (data) {
      index.close();
    }
  }
}
