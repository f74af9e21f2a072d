package io.kmodel.indexer.index.documents;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.IndexFiles;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.store.OutputFile;
import io.kmodel.indexer.store.VariableLength;
import io.kmodel.indexer.store.library.ZstdLibrary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Writes one split's stored documents in blocks. A block ends after {@value #BLOCK_BYTES} bytes of
 * text or at the end of a unit, so a unit's blocks do not depend on the rest of the file. The
 * index's {@code documents.data} holds the same blocks in sequence.
 *
 * <pre>
 * body  := block*
 * block := documents:vint textBytes:vint packedBytes:vint packed     one zstd frame with its size
 * text  := (length:vint utf8)*                                      per document and stored field
 * </pre>
 *
 * Example: the text of a document with id "a" and title "" is {@code 01 61 00}.
 *
 * <p>Memory: twice the largest block, and 1 MiB for the compressor. A block's text must be below 2
 * GiB. Not thread-safe. Closing without {@link #commit} deletes the file.
 */
public final class StoredDocumentsWriter implements AutoCloseable {
  static final String FORMAT = "documents.part";
  static final int BLOCK_BYTES = 32 << 10;

  /**
   * Compresses about 500 MB/s to a sixth. Level 1 is a quarter faster but 4 % larger; level 5 takes
   * twice as long for 4 % less.
   */
  private static final int LEVEL = 3;

  /** Buffers up to this size are reused for the next block. */
  private static final int KEPT_BYTES = 1 << 20;

  private static final int MAX_ARRAY_BYTES = Integer.MAX_VALUE - 8;

  private final OutputFile out;
  private final int valuesPerDocument;
  private final ZstdCompressCtx compressor;
  private byte[] text = new byte[2 * BLOCK_BYTES];
  private int textBytes;
  private byte[] packed = {};

  /** Values of the current document added so far. */
  private int values;

  private int documents;
  private long unit;

  public StoredDocumentsWriter(Path file, Schema schema) throws IOException {
    this.valuesPerDocument = (int) schema.fields().stream().filter(Field::stored).count();
    if (valuesPerDocument == 0) {
      throw new IllegalArgumentException("no field of the schema is stored: " + schema);
    }
    ZstdLibrary.load();
    this.out = OutputFile.create(file, FORMAT, IndexFiles.VERSION);
    this.compressor = new ZstdCompressCtx().setLevel(LEVEL);
  }

  /**
   * Starts the next document.
   *
   * @param currentUnit the unit of the source that contains it
   */
  public void startDocument(long currentUnit) throws IOException {
    if (documents > 0 && currentUnit != unit) {
      writeBlock();
    }
    unit = currentUnit;
    values = 0;
  }

  /** Adds the UTF-8 text of the document's next stored field, in order of ordinals. */
  public void value(byte[] utf8, int offset, int length) {
    values++;
    long needed = (long) textBytes + VariableLength.MAX_INT_BYTES + length;
    if (needed > MAX_ARRAY_BYTES) {
      throw new IllegalArgumentException(
          "stored fields of one document take more than %d bytes".formatted(MAX_ARRAY_BYTES));
    }
    if (needed > text.length) {
      text = Arrays.copyOf(text, (int) Math.min(MAX_ARRAY_BYTES, needed + needed / 8));
    }
    textBytes = VariableLength.putInt(text, textBytes, length);
    System.arraycopy(utf8, offset, text, textBytes, length);
    textBytes += length;
  }

  /** Ends the current document. */
  public void finishDocument() throws IOException {
    if (values != valuesPerDocument) {
      throw new IllegalArgumentException(
          "%d values for %d stored fields".formatted(values, valuesPerDocument));
    }
    documents++;
    if (textBytes >= BLOCK_BYTES) {
      writeBlock();
    }
  }

  private void writeBlock() throws IOException {
    int most = Math.toIntExact(Zstd.compressBound(textBytes));
    if (most > packed.length) {
      packed = new byte[most];
    }
    int packedBytes = compressor.compressByteArray(packed, 0, packed.length, text, 0, textBytes);
    out.writeVInt(documents);
    out.writeVInt(textBytes);
    out.writeVInt(packedBytes);
    out.writeBytes(packed, 0, packedBytes);
    documents = 0;
    textBytes = 0;
    if (text.length > KEPT_BYTES) {
      text = new byte[2 * BLOCK_BYTES];
      packed = new byte[0];
    }
  }

  /** Completes the file without forcing it to disk. */
  public void commit() throws IOException {
    if (documents > 0) {
      writeBlock();
    }
    out.commitUnforced();
  }

  @Override
  public void close() throws IOException {
    compressor.close();
    out.close();
  }
}
