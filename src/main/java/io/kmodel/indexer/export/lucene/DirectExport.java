package io.kmodel.indexer.export.lucene;

import com.google.common.collect.ImmutableSet;
import io.kmodel.indexer.export.lucene.postings.PostingsChunks;
import io.kmodel.indexer.export.lucene.postings.PostingsRanges;
import io.kmodel.indexer.export.lucene.postings.ReportedRanges;
import io.kmodel.indexer.export.lucene.schema.DocumentRange;
import io.kmodel.indexer.export.lucene.schema.LuceneFields;
import io.kmodel.indexer.export.lucene.segment.DirectCommit;
import io.kmodel.indexer.export.lucene.segment.DirectSegment;
import io.kmodel.indexer.export.lucene.segment.StoredTextsWriter;
import io.kmodel.indexer.export.lucene.segment.WriterThreads;
import io.kmodel.indexer.export.lucene.vectors.DocumentVectors;
import io.kmodel.indexer.export.lucene.view.ColumnRange;
import io.kmodel.indexer.export.lucene.view.IndexLengths;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.documents.StoredTexts;
import io.kmodel.indexer.index.model.ProgressListener;
import io.kmodel.indexer.store.disk.FreeFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.codecs.TermVectorsWriter;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.store.Directory;

/**
 * Writes a Lucene index through Lucene's codec, without an IndexWriter. Segments and their parts
 * are written concurrently, as far as the limit of open files permits. All files are forced to disk
 * before the single commit. Holds the lock that an IndexWriter would hold.
 */
final class DirectExport {
  /**
   * Postings of a segment that a thread takes at a time: enough to make the cost of opening a range
   * of terms negligible, and few enough that threads finish at about the same time.
   */
  private static final long CHUNK_BYTES = 1 << 20;

  /** The divisor of the heap for the memory of encoded postings. */
  private static final int AHEAD_SHARE = 4;

  private DirectExport() {}

  /** Writes and commits into an empty directory. */
  static void write(
      InvertedIndex index, Directory directory, ExportOptions options, ProgressListener progress)
      throws IOException {
    write(index, directory, options, progress, CHUNK_BYTES);
  }

  /** The same with another chunk size. */
  static void write(
      InvertedIndex index,
      Directory directory,
      ExportOptions options,
      ProgressListener progress,
      long chunkBytes)
      throws IOException {
    int segments = Math.min(options.segments(), index.documentCount());
    ImmutableSet<String> vectors =
        options.vectors() ? DocumentVectors.fields(index) : ImmutableSet.of();
    int free = FreeFiles.count();
    int atOnce = DirectSegment.atOnce(free, Math.max(1, segments), options.vectors());
    int threads = DirectSegment.threads(free, options.threads(), options.vectors());
    int busy = Math.min(atOnce, threads);
    long aheadBytes =
        Math.min(PostingsChunks.AHEAD_BYTES, Runtime.getRuntime().maxMemory() / AHEAD_SHARE / busy);
    ReportedRanges.Total total = new ReportedRanges.Total(segments, progress);
    try (DirectCommit commit = new DirectCommit(directory, options.codec())) {
      List<SegmentCommitInfo> finished = new ArrayList<>();
      for (int from = 0; from < segments; from += atOnce) {
        List<ExportedSegment> together = new ArrayList<>();
        for (int i = from; i < Math.min(from + atOnce, segments); i++) {
          DocumentRange range = DocumentRange.part(i, segments, index.documentCount());
          PostingsRanges terms =
              new IndexRanges(
                  index, PostingsChunks.cut(index, chunkBytes * segments), range.from());
          DirectSegment segment = commit.newSegment(index.schema(), vectors);
          segment.setColumns(new ColumnRange(index.columns(), range));
          segment.complete(
              new IndexLengths(index, range), new ReportedRanges(terms, total), range, aheadBytes);
          together.add(new ExportedSegment(segment, index, range));
        }
        WriterThreads.run(threads, partsOf(together, threads));
        for (ExportedSegment segment : together) {
          finished.add(segment.segment().finish());
        }
      }
      commit.commit(finished, options.threads(), ExportMark.of(index, options));
    }
  }

  /** Starts with all postings, which take longest; threads without other work help with them. */
  private static List<WriterThreads.Task> partsOf(List<ExportedSegment> segments, int threads) {
    List<WriterThreads.Task> tasks = new ArrayList<>();
    segments.forEach(of -> tasks.add(of.segment()::writePostings));
    segments.forEach(of -> tasks.add(of::writeVectors));
    segments.forEach(of -> tasks.add(of::writeStoredFields));
    segments.forEach(of -> tasks.add(of.segment()::writeNorms));
    for (int helper = 1; helper < threads; helper++) {
      segments.forEach(of -> tasks.add(of.segment()::help));
    }
    return tasks;
  }

  /** A segment with a range of documents. */
  private record ExportedSegment(DirectSegment segment, InvertedIndex index, DocumentRange range) {
    void writeVectors() throws IOException {
      FieldInfos infos = segment.fields().infos();
      if (infos.hasTermVectors()) {
        try (TermVectorsWriter writer = segment.vectorsWriter()) {
          DocumentVectors.write(index, range, infos, writer);
        }
      }
    }

    void writeStoredFields() throws IOException {
      try (StoredTexts texts = index.documents();
          StoredTextsWriter writer = segment.storedTextsWriter()) {
        for (int docId = range.from(); docId < range.to(); docId++) {
          writer.startDocument();
          for (LuceneFields.Stored field : segment.fields().stored()) {
            texts.utf8(
                docId,
                field.ordinal(),
                (utf8, offset, length) -> writer.text(field.info(), utf8, offset, length));
          }
          writer.finishDocument();
        }
        writer.finish(range.size());
      }
      segment.writeValues();
    }
  }
}
