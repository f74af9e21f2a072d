package io.kmodel.indexer.index.documents;

import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.IndexFiles;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.store.OutputFile;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Writes one split's stored documents in blocks. A block ends after {@value DocumentBlock#BYTES}
 * bytes of text or at the end of a unit, so a unit's blocks do not depend on the rest of the file.
 * The index's {@code documents.data} holds the same blocks in sequence.
 *
 * <pre>
 * body  := block*
 * block := documents:vint textBytes:vint packedBytes:vint packed     one zstd frame with its size
 * text  := (length:vint utf8)*                                      per document and stored field
 * </pre>
 *
 * Example: the text of a document with id "a" and title "" is {@code 01 61 00}.
 *
 * <p>Memory: see {@link DocumentBlock}. A block's text must be below 2 GiB. Not thread-safe.
 * Closing without {@link #commit} deletes the file.
 */
public final class StoredDocumentsWriter implements AutoCloseable {
  static final String FORMAT = "documents.part";

  private final OutputFile out;
  private final int valuesPerDocument;
  private final DocumentBlock block;

  /** Values of the current document added so far. */
  private int values;

  private long unit;

  public StoredDocumentsWriter(Path file, Schema schema) throws IOException {
    this.valuesPerDocument = (int) schema.fields().stream().filter(Field::stored).count();
    if (valuesPerDocument == 0) {
      throw new IllegalArgumentException("no field of the schema is stored: " + schema);
    }
    this.block = new DocumentBlock();
    try {
      this.out = OutputFile.create(file, FORMAT, IndexFiles.VERSION);
    } catch (IOException | RuntimeException e) {
      block.close();
      throw e;
    }
  }

  /**
   * Starts the next document.
   *
   * @param currentUnit the unit of the source that contains it
   */
  public void startDocument(long currentUnit) throws IOException {
    if (block.documents() > 0 && currentUnit != unit) {
      block.writeTo(out);
    }
    unit = currentUnit;
    values = 0;
  }

  /**
   * Adds the UTF-8 text of the document's next stored field, in order of ordinals. The array must
   * not change until the document is finished.
   */
  public void value(byte[] utf8, int offset, int length) {
    values++;
    block.value(utf8, offset, length);
  }

  /** Ends the current document. */
  public void finishDocument() throws IOException {
    if (values != valuesPerDocument) {
      throw new IllegalArgumentException(
          "%d values for %d stored fields".formatted(values, valuesPerDocument));
    }
    block.finishDocument();
    if (block.isFull()) {
      block.writeTo(out);
    }
  }

  /** Completes the file without forcing it to disk. */
  public void commit() throws IOException {
    if (block.documents() > 0) {
      block.writeTo(out);
    }
    out.commitUnforced();
  }

  @Override
  public void close() throws IOException {
    block.close();
    out.close();
  }
}
