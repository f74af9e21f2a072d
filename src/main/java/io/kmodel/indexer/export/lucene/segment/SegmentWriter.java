package io.kmodel.indexer.export.lucene.segment;

import io.kmodel.indexer.export.lucene.postings.PackedLists;
import io.kmodel.indexer.export.lucene.postings.PartlyPackedTerms;
import io.kmodel.indexer.export.lucene.postings.PostingsChunks;
import io.kmodel.indexer.export.lucene.postings.PostingsRanges;
import io.kmodel.indexer.export.lucene.schema.DocumentLengths;
import io.kmodel.indexer.export.lucene.schema.LuceneFields;
import io.kmodel.indexer.export.lucene.view.ColumnRange;
import io.kmodel.indexer.index.model.FormatLimitException;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.model.Schema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.util.BytesRefBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Writes a segment of a Lucene index, from documents while they are parsed and then from sorted
 * postings, in this order:
 *
 * <pre>{@code
 * (startDocument stored* finishDocument)*  [setColumns]  write
 * }</pre>
 *
 * or both concurrently if both are known.
 *
 * <p>Memory: the buffers of Lucene's codec. For use by one thread at a time. A segment that is not
 * written is not committed; closing it frees its resources.
 */
public final class SegmentWriter implements AutoCloseable {
  /** A buffer that a longer text has made larger is not kept for the next document. */
  private static final int KEPT_BYTES = 1 << 20;

  private final DirectCommit index;
  private final DirectSegment segment;
  private final ThreadFactory kind;

  /** Buffers for the current document's texts, by ordinal. */
  private final BytesRefBuilder[] texts;

  /** The ordinals of the texts that the document has so far. */
  private final BitSet set;

  private final StoredTextsWriter storedWriter;
  private int documents;
  private @Nullable SegmentCommitInfo written;

  /**
   * Resources for writing a segment.
   *
   * @param aheadBytes memory for postings that threads encode before they can be written; at most
   *     {@value #MOST_AHEAD_BYTES} is used
   */
  public record Means(int threads, long aheadBytes) {
    public static final long MOST_AHEAD_BYTES = PostingsChunks.AHEAD_BYTES;

    static final Means ONE_THREAD = new Means(1, 0);
  }

  /** Stores all documents of a segment. */
  @FunctionalInterface
  public interface Documents {
    void store(SegmentWriter segment) throws IOException;
  }

  SegmentWriter(DirectCommit index, Schema schema, ThreadFactory kind) throws IOException {
    this.index = index;
    this.kind = kind;
    this.segment = index.newSegment(schema);
    this.texts = new BytesRefBuilder[schema.size()];
    Arrays.setAll(texts, field -> new BytesRefBuilder());
    this.set = new BitSet(schema.size());
    this.storedWriter = segment.storedTextsWriter();
  }

  public void startDocument() throws IOException {
    storedWriter.startDocument();
    set.clear();
  }

  /**
   * Stores a text of the current document.
   *
   * @param field ordinal of a stored field
   * @param utf8 the text in valid UTF-8, which is copied
   */
  public void stored(int field, byte[] utf8, int offset, int length) {
    texts[field].copyBytes(utf8, offset, length);
    set.set(field);
  }

  /** Ends the document; every stored field must have been set. */
  public void finishDocument() throws IOException {
    for (LuceneFields.Stored stored : segment.fields().stored()) {
      int field = stored.ordinal();
      if (!set.get(field)) {
        throw new IllegalStateException(
            "document %d has no text for field '%s'".formatted(documents, stored.info().name));
      }
      storedWriter.text(stored.info(), texts[field].bytes(), 0, texts[field].length());
      if (texts[field].length() > KEPT_BYTES) {
        texts[field] = new BytesRefBuilder();
      }
    }
    storedWriter.finishDocument();
    documents++;
  }

  /** Sets the metadata of the documents, which must stay open until the segment is written. */
  public void setColumns(ColumnRange columns) {
    segment.setColumns(columns);
  }

  /**
   * Writes everything else, in this thread.
   *
   * @param lengths of the documents whose stored fields were written
   * @param postings of the same documents, numbered from 0
   * @throws FormatLimitException if Lucene cannot hold a term
   */
  public void write(DocumentLengths lengths, PostingsRanges postings) throws IOException {
    write(segment -> {}, lengths, postings, Means.ONE_THREAD);
  }

  /**
   * The same with the terms of some fields packed.
   *
   * @param others the postings of the other fields
   */
  public void write(DocumentLengths lengths, PostingsCursor others, PackedLists packed)
      throws IOException {
    segment.complete(lengths, new PartlyPackedTerms(others, packed));
    writeParts(segment -> {}, lengths.count());
    finish();
  }

  /**
   * Writes everything.
   *
   * @param stored stores as many documents as there are lengths, in one of the threads
   */
  public void write(Documents stored, DocumentLengths lengths, PostingsRanges postings, Means means)
      throws IOException {
    int threads = means.threads();
    segment.complete(lengths, postings, null, Math.min(means.aheadBytes(), Means.MOST_AHEAD_BYTES));
    if (threads == 1 || postings.count() == 1) {
      writeParts(stored, lengths.count());
    } else {
      List<WriterThreads.Task> tasks = new ArrayList<>();
      tasks.add(segment::writePostings);
      tasks.add(segment.telling(() -> storeAll(stored, lengths.count())));
      tasks.add(segment::writeNorms);
      for (int i = 1; i < threads; i++) {
        tasks.add(segment::help);
      }
      WriterThreads.run(threads, kind, tasks);
    }
    finish();
  }

  private void writeParts(Documents stored, int count) throws IOException {
    storeAll(stored, count);
    segment.writePostings();
    segment.writeNorms();
  }

  private void finish() throws IOException {
    SegmentCommitInfo finished = segment.finish();
    index.force(finished);
    written = finished;
  }

  private void storeAll(Documents stored, int count) throws IOException {
    stored.store(this);
    if (documents != count) {
      throw new IllegalStateException(
          "%d documents with stored fields, %d with lengths".formatted(documents, count));
    }
    storedWriter.finish(documents);
    storedWriter.close();
    segment.writeValues();
  }

  /** The finished segment, for the commit. */
  SegmentCommitInfo written() {
    SegmentCommitInfo finished = written;
    if (finished == null) {
      throw new IllegalStateException("cannot commit a segment that was not written");
    }
    return finished;
  }

  @Override
  public void close() throws IOException {
    storedWriter.close();
  }
}
