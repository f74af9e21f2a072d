package io.kmodel.indexer.export.lucene.segment;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.kmodel.indexer.export.lucene.postings.PostingsChunks;
import io.kmodel.indexer.export.lucene.postings.PostingsRanges;
import io.kmodel.indexer.export.lucene.postings.PushPostingsFormat;
import io.kmodel.indexer.export.lucene.postings.SegmentTerms;
import io.kmodel.indexer.export.lucene.postings.StreamedFields;
import io.kmodel.indexer.export.lucene.schema.DocumentLengths;
import io.kmodel.indexer.export.lucene.schema.DocumentRange;
import io.kmodel.indexer.export.lucene.schema.LuceneFields;
import io.kmodel.indexer.export.lucene.schema.SegmentNorms;
import io.kmodel.indexer.export.lucene.view.ColumnRange;
import io.kmodel.indexer.index.model.Schema;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.FieldsConsumer;
import org.apache.lucene.codecs.NormsConsumer;
import org.apache.lucene.codecs.TermVectorsWriter;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FlushInfo;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.TrackingDirectoryWrapper;
import org.apache.lucene.util.InfoStream;
import org.apache.lucene.util.StringHelper;
import org.apache.lucene.util.Version;
import org.jspecify.annotations.Nullable;

/**
 * One segment, written through Lucene's codec without an IndexWriter. Its postings, stored fields
 * and norms are separate files and can be written by one thread each; further threads may help with
 * postings. The file that lists them is written last. Call order:
 *
 * <pre>{@code
 * complete  writePostings, help*, writeNorms, (storedTextsWriter writeValues), vectorsWriter  finish
 * }</pre>
 *
 * <p>The writer of vectors is needed only if fields have them. Stored fields may also be written
 * before {@code complete}.
 *
 * <p>Memory: a few buffers, and the memory of Lucene's codec and {@link PostingsChunks}. Nothing is
 * deleted on failure; the caller deletes the directory.
 */
public final class DirectSegment {
  /**
   * Files open at once: up to 5 of stored fields, 7 of postings, 2 of norms, 3 of doc values, or of
   * points.
   */
  private static final int FILES = 17;

  /** Files open besides if the segment has term vectors. */
  private static final int VECTOR_FILES = 5;

  /** The most files that a single part has open. */
  private static final int PART_FILES = 7;

  private final Directory in;
  private final TrackingDirectoryWrapper directory;
  private final String name;
  private final byte[] id = StringHelper.randomId();
  private final Schema schema;
  private final LuceneFields fields;
  private final ExportCodec format;
  private final Codec codec;

  /** Attributes in which codecs record how they wrote. */
  private final Map<String, String> attributes = new HashMap<>();

  /** The ids that become doc values; null if there are none. */
  private @Nullable IdSpool ids;

  /** The metadata of the documents; null if the schema has no columns. */
  private @Nullable ColumnRange columns;

  private @Nullable Content content;

  /**
   * The segment's content, once it is known.
   *
   * @param chunks the terms, if several threads may encode their postings
   */
  private record Content(
      SegmentWriteState state,
      SegmentNorms norms,
      SegmentTerms terms,
      @Nullable PostingsChunks chunks) {}

  /**
   * Starts a segment without documents.
   *
   * @param number number of the segment in the Lucene index
   * @param vectors names of the fields with term vectors
   */
  DirectSegment(
      Directory directory,
      int number,
      Schema schema,
      ImmutableSet<String> vectors,
      ExportCodec format) {
    this.in = directory;
    this.format = format;
    this.codec = format.codec();
    this.directory = new TrackingDirectoryWrapper(directory);
    this.name = "_" + Integer.toString(number, Character.MAX_RADIX);
    this.schema = schema;
    this.fields = new LuceneFields(schema, vectors);
  }

  /**
   * Limits the segments written at once by the number of open files; at least 1.
   *
   * @param free how many more files may be opened
   * @param wanted number of segments to write
   */
  public static int atOnce(int free, int wanted) {
    return atOnce(free, wanted, false);
  }

  /** The same of segments that may have term vectors. */
  public static int atOnce(int free, int wanted, boolean vectors) {
    return Math.clamp(free / files(vectors), 1, wanted);
  }

  /** Limits the threads that write parts of {@link #atOnce} segments; at least 1. */
  public static int threads(int free, int wanted, boolean vectors) {
    return free >= files(vectors) ? wanted : Math.clamp(free / PART_FILES, 1, wanted);
  }

  private static int files(boolean vectors) {
    return vectors ? FILES + VECTOR_FILES : FILES;
  }

  public LuceneFields fields() {
    return fields;
  }

  /** A writer for stored texts; may be requested before the number of documents is known. */
  public StoredTextsWriter storedTextsWriter() throws IOException {
    SegmentInfo draft = info(-1);
    IdSpool spool =
        fields.values() == null ? null : new IdSpool(directory, name, IOContext.DEFAULT);
    ids = spool;
    try {
      StoredTextsWriter writer = new StoredTextsWriter(directory, draft, format, spool);
      attributes.putAll(draft.getAttributes());
      return writer;
    } catch (IOException | RuntimeException e) {
      if (spool != null) {
        spool.close();
      }
      throw e;
    }
  }

  /**
   * Sets the segment's content.
   *
   * @param range the documents to write of those in the postings; null for all
   * @param aheadBytes memory for postings that are encoded before they can be written
   */
  public void complete(
      DocumentLengths lengths,
      PostingsRanges postings,
      @Nullable DocumentRange range,
      long aheadBytes) {
    SegmentWriteState state = state(lengths.count());
    SegmentNorms norms = new SegmentNorms(schema, lengths);
    PostingsChunks chunks = new PostingsChunks(postings, range, norms, state, aheadBytes);
    content = new Content(state, norms, chunks, chunks);
  }

  /** Sets the segment's content, for one thread. */
  public void complete(DocumentLengths lengths, SegmentTerms terms) {
    content = new Content(state(lengths.count()), new SegmentNorms(schema, lengths), terms, null);
  }

  private SegmentWriteState state(int documents) {
    return new SegmentWriteState(
        InfoStream.NO_OUTPUT,
        directory,
        info(documents),
        fields.infos(),
        /* segUpdates= */ null,
        IOContext.flush(new FlushInfo(documents, 0)));
  }

  public void writePostings() throws IOException {
    Content of = content();
    try (SegmentTerms all = of.terms;
        FieldsConsumer consumer =
            PushPostingsFormat.perField(all, of.norms).fieldsConsumer(of.state)) {
      consumer.write(new StreamedFields(schema, all, of.norms), of.norms);
    }
  }

  /** Helps with the postings, which another thread may be writing. */
  public void help() throws IOException {
    PostingsChunks chunks = content().chunks;
    if (chunks != null) {
      chunks.help();
    }
  }

  /** Wraps a task so that its failure also ends the writing of postings, which may take longer. */
  WriterThreads.Task telling(WriterThreads.Task task) {
    return () -> {
      try {
        task.run();
      } catch (IOException | RuntimeException | Error e) {
        PostingsChunks chunks = content().chunks;
        if (chunks != null) {
          chunks.fail(e);
        }
        throw e;
      }
    };
  }

  /** A writer for term vectors, which the caller finishes and closes. */
  public TermVectorsWriter vectorsWriter() throws IOException {
    SegmentWriteState state = content().state;
    return codec.termVectorsFormat().vectorsWriter(directory, state.segmentInfo, state.context);
  }

  /** Writes norms; creates no files if no field has norms. */
  public void writeNorms() throws IOException {
    if (!fields.infos().hasNorms()) {
      return;
    }
    Content of = content();
    try (NormsConsumer consumer = codec.normsFormat().normsConsumer(of.state)) {
      for (FieldInfo field : fields.infos()) {
        if (field.hasNorms()) {
          consumer.addNormsField(field, of.norms);
        }
      }
    }
  }

  /** Completes the segment after all parts were written; must be the last call. */
  public SegmentCommitInfo finish() throws IOException {
    SegmentInfo info = content().state.segmentInfo;
    attributes.forEach(info::putAttribute);
    IOContext context = content().state.context;
    codec.fieldInfosFormat().write(directory, info, "", fields.infos(), context);
    info.setFiles(new HashSet<>(directory.getCreatedFiles()));
    codec.segmentInfoFormat().write(directory, info, context);
    // Free the documents' lengths before the commit.
    content = null;
    columns = null;
    return new SegmentCommitInfo(
        info,
        /* delCount= */ 0,
        /* softDelCount= */ 0,
        /* delGen= */ -1,
        /* fieldInfosGen= */ -1,
        /* docValuesGen= */ -1,
        StringHelper.randomId());
  }

  /** Sets the metadata of the documents, which must stay open until values are written. */
  public void setColumns(ColumnRange range) {
    columns = range;
  }

  /**
   * Writes doc values and points, from the stored ids and from columns, after the writer of stored
   * fields was closed.
   */
  public void writeValues() throws IOException {
    try (IdSpool spool = ids) {
      new SegmentValues(fields, spool, columns).write(codec, content().state);
    }
  }

  private Content content() {
    Content known = content;
    if (known == null) {
      throw new IllegalStateException("segment " + name + " is not complete");
    }
    return known;
  }

  private SegmentInfo info(int documents) {
    return new SegmentInfo(
        in,
        Version.LATEST,
        Version.LATEST,
        name,
        documents,
        /* isCompoundFile= */ false,
        /* hasBlocks= */ false,
        codec,
        diagnostics(),
        id,
        Map.of(),
        /* indexSort= */ null);
  }

  /** The same entries as IndexWriter's, except for the source. */
  private static Map<String, String> diagnostics() {
    return ImmutableMap.<String, String>builder()
        .put("source", "indexer")
        .put("timestamp", Long.toString(System.currentTimeMillis()))
        .put("lucene.version", Version.LATEST.toString())
        .put("os", System.getProperty("os.name"))
        .put("os.arch", System.getProperty("os.arch"))
        .put("os.version", System.getProperty("os.version"))
        .put("java.runtime.version", Runtime.version().toString())
        .put("java.vendor", System.getProperty("java.vendor"))
        .build();
  }
}
