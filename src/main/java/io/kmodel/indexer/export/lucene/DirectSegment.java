package io.kmodel.indexer.export.lucene;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.StoredTexts;
import io.kmodel.indexer.index.TermBlocks;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.DocValuesConsumer;
import org.apache.lucene.codecs.FieldsConsumer;
import org.apache.lucene.codecs.NormsConsumer;
import org.apache.lucene.codecs.NormsProducer;
import org.apache.lucene.codecs.StoredFieldsWriter;
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
 * One segment, written by hand through Lucene's codec: its postings, stored fields with doc values,
 * and norms are files of their own and written independently, by a thread each, postings by more;
 * then what names them. Memory: a few buffers, what Lucene's codec and {@link PostingsChunks} hold,
 * and a bit for every document. Nothing is deleted on failure: the directory is.
 */
final class DirectSegment {
  /**
   * What the segments of an index have in common.
   *
   * @param terms all, in ranges that a thread takes each
   * @param written is told the bytes of every range that is about to be written, by many threads
   */
  record Plan(Codec codec, List<TermBlocks> terms, LongConsumer written) {}

  private final InvertedIndex index;
  private final DocumentRange range;
  private final LuceneFields fields;
  private final Codec codec;
  private final TrackingDirectoryWrapper directory;
  private final SegmentInfo info;
  private final SegmentWriteState state;
  private final PostingsChunks chunks;

  /**
   * A segment of an index.
   *
   * @param number in the Lucene index
   */
  DirectSegment(
      Directory directory, int number, InvertedIndex index, DocumentRange range, Plan plan) {
    this.codec = plan.codec();
    this.range = range;
    this.index = index;
    this.fields = new LuceneFields(index.schema());
    this.directory = new TrackingDirectoryWrapper(directory);
    this.info =
        new SegmentInfo(
            directory,
            Version.LATEST,
            Version.LATEST,
            "_" + Integer.toString(number, Character.MAX_RADIX),
            range.size(),
            /* isCompoundFile= */ false,
            /* hasBlocks= */ false,
            codec,
            diagnostics(),
            StringHelper.randomId(),
            Map.of(),
            /* indexSort= */ null);
    this.state =
        new SegmentWriteState(
            InfoStream.NO_OUTPUT,
            this.directory,
            info,
            fields.infos(),
            /* segUpdates= */ null,
            IOContext.flush(new FlushInfo(range.size(), 0)));
    this.chunks = new PostingsChunks(index, range, plan, state);
  }

  /** The parts that can be written side by side, the longest first. */
  List<WriterThreads.Task> parts() {
    return ImmutableList.of(this::writePostings, this::writeStoredFields, this::writeNorms);
  }

  /** Takes part in the first of the parts, which may be under way in another thread. */
  void help() throws IOException {
    chunks.help();
  }

  /** Completes the segment, when all parts are written. */
  SegmentCommitInfo finish() throws IOException {
    codec.fieldInfosFormat().write(directory, info, "", fields.infos(), state.context);
    info.setFiles(new HashSet<>(directory.getCreatedFiles()));
    codec.segmentInfoFormat().write(directory, info, state.context);
    return new SegmentCommitInfo(
        info,
        /* delCount= */ 0,
        /* softDelCount= */ 0,
        /* delGen= */ -1,
        /* fieldInfosGen= */ -1,
        /* docValuesGen= */ -1,
        StringHelper.randomId());
  }

  private void writePostings() throws IOException {
    try (PostingsChunks all = chunks;
        RangeNorms norms = new RangeNorms(index, range);
        FieldsConsumer consumer = PushPostingsFormat.perField(all, norms).fieldsConsumer(state)) {
      consumer.write(new StreamedFields(index.schema(), all), norms);
    }
  }

  /** The ids pass by here, so their doc values are written next. */
  private void writeStoredFields() throws IOException {
    LuceneFields.Stored id = fields.values();
    if (id == null) {
      copyStoredFields(null, -1);
      return;
    }
    try (IdSpool ids = new IdSpool(directory, info.name, state.context)) {
      copyStoredFields(ids, id.ordinal());
      ids.seal();
      try (DocValuesConsumer consumer = codec.docValuesFormat().fieldsConsumer(state)) {
        consumer.addBinaryField(id.info(), new BinaryValuesProducer(ids::values));
      }
    }
  }

  private void copyStoredFields(@Nullable IdSpool ids, int id) throws IOException {
    try (StoredTexts texts = index.documents();
        StoredFieldsWriter writer =
            codec.storedFieldsFormat().fieldsWriter(directory, info, state.context)) {
      for (int docId = range.from(); docId < range.to(); docId++) {
        writer.startDocument();
        for (LuceneFields.Stored field : fields.stored()) {
          String text = texts.text(docId, field.ordinal());
          writer.writeField(field.info(), text);
          if (ids != null && field.ordinal() == id) {
            ids.add(text);
          }
        }
        writer.finishDocument();
      }
      writer.finish(range.size());
    }
  }

  /** Without a field that has norms there are no files of norms. */
  private void writeNorms() throws IOException {
    if (!fields.infos().hasNorms()) {
      return;
    }
    try (NormsProducer norms = new RangeNorms(index, range);
        NormsConsumer consumer = codec.normsFormat().normsConsumer(state)) {
      for (FieldInfo field : fields.infos()) {
        if (field.hasNorms()) {
          consumer.addNormsField(field, norms);
        }
      }
    }
  }

  /** What IndexWriter notes, but for the source. */
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
