package io.kmodel.indexer.index.documents;

import io.kmodel.indexer.index.model.IndexFiles;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.store.ByteReader;
import io.kmodel.indexer.store.InputFile;
import io.kmodel.indexer.store.OutputFile;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Joins the files of {@link StoredDocumentsWriter} into {@code documents.data}, and writes {@code
 * documents.index}, which locates a document's block.
 *
 * <pre>
 * documents.data  body := block*                        as in the input files
 * documents.index body := (firstDoc:u32 offset:u64)*    one per block and one for the end;
 *                                                       offsets count from the body's start
 * </pre>
 *
 * Example: for two blocks, of 70 documents in 9,000 bytes and of 5 in 600, the index is {@code
 * (0,0) (70,9000) (75,9600)}.
 *
 * <p>Memory: three buffers of 64 KiB. Not thread-safe.
 */
public final class DocumentsWriter implements AutoCloseable {
  /** Bytes of an index entry. */
  static final int ENTRY_BYTES = 12;

  private static final int BUFFER_BYTES = 1 << 16;

  private final OutputFile data;
  private final long dataStart;
  private final OutputFile index;
  private final byte[] chunk = new byte[BUFFER_BYTES];
  private int documents;

  public DocumentsWriter(Path directory) throws IOException {
    this.data =
        OutputFile.create(
            directory.resolve(IndexFiles.DOCUMENTS), IndexFiles.DOCUMENTS, IndexFiles.VERSION);
    this.dataStart = data.position();
    this.index =
        OutputFile.create(
            directory.resolve(IndexFiles.DOCUMENT_INDEX),
            IndexFiles.DOCUMENT_INDEX,
            IndexFiles.VERSION);
  }

  public void append(Path part) throws IOException {
    try (InputFile file = InputFile.open(part, StoredDocumentsWriter.FORMAT, IndexFiles.VERSION)) {
      file.verify();
      append(file);
    }
  }

  /** Appends the documents of a part or of another index. */
  public void append(InputFile file) throws IOException {
    ByteReader in = file.reader(BUFFER_BYTES);
    while (in.remaining() > 0) {
      writeEntry();
      appendBlock(in);
    }
  }

  private void appendBlock(ByteReader in) throws IOException {
    int count = in.readVInt();
    int textBytes = in.readVInt();
    int packedBytes = in.readVInt();
    if (count < 1 || packedBytes < 0) {
      throw in.corrupt(
          "block of %d documents in %d bytes before offset %d"
              .formatted(count, packedBytes, in.position()));
    }
    documents = Math.addExact(documents, count);
    data.writeVInt(count);
    data.writeVInt(textBytes);
    data.writeVInt(packedBytes);
    copy(in, packedBytes);
  }

  /**
   * Appends the documents of another index that stay. Its blocks are copied as they are; from a
   * block that loses documents, a smaller one is made.
   *
   * @param file the other index's data, which the reader reads
   * @param schema of both indexes
   */
  public void append(
      InputFile file, StoredDocumentsReader reader, Schema schema, KeptDocuments kept)
      throws IOException {
    try (DocumentBlock made = new DocumentBlock()) {
      ByteReader in = file.reader(BUFFER_BYTES);
      for (long block = 0; block < reader.blocks(); block++) {
        int first = reader.firstDoc(block);
        int end = reader.firstDoc(block + 1);
        int staying = kept.number(end) - kept.number(first);
        if (staying == end - first) {
          writeEntry();
          in.seek(file.bodyStart() + reader.offset(block));
          appendBlock(in);
        } else if (staying > 0) {
          fill(made, reader, schema, kept, first, end);
          writeEntry();
          documents = Math.addExact(documents, staying);
          made.writeTo(data);
        }
      }
    }
  }

  private static void fill(
      DocumentBlock block,
      StoredDocumentsReader reader,
      Schema schema,
      KeptDocuments kept,
      int first,
      int end)
      throws IOException {
    for (int doc = first; doc < end; doc++) {
      if (kept.isKept(doc)) {
        for (int field = 0; field < schema.size(); field++) {
          if (schema.field(field).stored()) {
            reader.utf8(doc, field, block::value);
          }
        }
        block.finishDocument();
      }
    }
  }

  private void copy(ByteReader in, int bytes) throws IOException {
    int left = bytes;
    while (left > 0) {
      int n = Math.min(left, chunk.length);
      in.readBytes(chunk, 0, n);
      data.writeBytes(chunk, 0, n);
      left -= n;
    }
  }

  private void writeEntry() throws IOException {
    index.writeInt(documents);
    index.writeLong(data.position() - dataStart);
  }

  /** Documents appended so far. */
  public int documents() {
    return documents;
  }

  public void commit() throws IOException {
    writeEntry();
    data.commit();
    index.commit();
  }

  /** Commits without forcing the files to disk. */
  void commitUnforced() throws IOException {
    writeEntry();
    data.commitUnforced();
    index.commitUnforced();
  }

  @Override
  public void close() throws IOException {
    try (data;
        index) {
      // Closing deletes what was not committed.
    }
  }
}
