package io.kmodel.indexer.export.lucene.segment;

import java.io.Closeable;
import java.io.IOException;
import org.apache.lucene.codecs.StoredFieldsWriter;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * Writes the stored texts of documents from their UTF-8, as the files that Lucene's codec would
 * write from strings, and adds the texts of the field with doc values to a spool. Call order:
 *
 * <pre>{@code
 * (startDocument text* finishDocument)* finish close
 * }</pre>
 *
 * <p>Lucene's writer takes strings, which it encodes character by character; that took a fifth of
 * the time of a build of text. So it gets the texts as bytes, and {@link StringCompressionMode}
 * marks them as strings where they are compressed. Memory: Lucene's buffers. Not thread-safe.
 */
public final class StoredTextsWriter implements Closeable {
  private final StoredFieldsWriter to;
  private final @Nullable IdSpool ids;
  private final BytesRef text = new BytesRef();

  /**
   * Starts a segment's stored fields.
   *
   * @param ids receives the texts of the field with doc values; sealed by {@link #close}, which
   *     leaves it to the caller; null if there is no such field
   */
  StoredTextsWriter(
      Directory directory, SegmentInfo segment, ExportCodec codec, @Nullable IdSpool ids)
      throws IOException {
    this.to = codec.storedFields(segment).fieldsWriter(directory, segment, IOContext.DEFAULT);
    this.ids = ids;
  }

  /** Starts the next document. */
  public void startDocument() throws IOException {
    to.startDocument();
  }

  /** Stores a text of the document in valid UTF-8. */
  public void text(FieldInfo field, byte[] utf8, int offset, int length) throws IOException {
    text.bytes = utf8;
    text.offset = offset;
    text.length = length;
    to.writeField(field, text);
    if (ids != null && field.getDocValuesType() != DocValuesType.NONE) {
      ids.add(utf8, offset, length);
    }
  }

  /** Ends the document. */
  public void finishDocument() throws IOException {
    to.finishDocument();
  }

  /** Ends the segment, which has so many documents. */
  public void finish(int documents) throws IOException {
    to.finish(documents);
  }

  @Override
  public void close() throws IOException {
    try (to) {
      if (ids != null) {
        ids.seal();
      }
    }
  }
}
