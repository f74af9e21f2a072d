package io.kmodel.indexer.export.lucene;

import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.ProgressListener;
import io.kmodel.indexer.index.TermBlocks;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.Lock;
import org.apache.lucene.util.Version;

/**
 * Writes a Lucene index through Lucene's codec, without an IndexWriter: segments, and the parts of
 * each, side by side; then one commit, after every file was forced to disk. It holds the lock that
 * an IndexWriter would.
 */
final class DirectExport {
  /**
   * Postings of a segment that a thread takes at a time: enough that opening a range of terms costs
   * nothing, and few enough that threads end together.
   */
  private static final long CHUNK_BYTES = 1 << 20;

  private DirectExport() {}

  /** Writes and commits; the directory is empty, the index is not. */
  static void write(
      InvertedIndex index, Directory directory, ExportOptions options, ProgressListener progress)
      throws IOException {
    write(index, directory, options, progress, CHUNK_BYTES);
  }

  /** The same with chunks of a size. */
  static void write(
      InvertedIndex index,
      Directory directory,
      ExportOptions options,
      ProgressListener progress,
      long chunkBytes)
      throws IOException {
    int segments = Math.min(options.segments(), index.documentCount());
    int threads = options.threads();
    try (Lock lock = directory.obtainLock(IndexWriter.WRITE_LOCK_NAME)) {
      List<TermBlocks> terms = PostingsChunks.cut(index, chunkBytes * segments);
      DirectSegment.Plan plan =
          new DirectSegment.Plan(
              options.codec().codec(), terms, counting(terms, segments, progress));
      List<DirectSegment> written = new ArrayList<>();
      for (int i = 0; i < segments; i++) {
        DocumentRange range = DocumentRange.part(i, segments, index.documentCount());
        written.add(new DirectSegment(directory, i, index, range, plan));
      }
      WriterThreads.run(threads, partsOf(written, threads));
      SegmentInfos infos = new SegmentInfos(Version.LATEST.major);
      for (DirectSegment segment : written) {
        infos.add(segment.finish());
      }
      infos.counter = segments;
      infos.changed();
      force(directory, infos, threads);
      lock.ensureValid();
      infos.commit(directory);
    }
  }

  /** Tells of what the segments write, which is all terms each. */
  private static LongConsumer counting(
      List<TermBlocks> terms, int segments, ProgressListener progress) {
    long total = segments * terms.stream().mapToLong(TermBlocks::bytes).sum();
    AtomicLong done = new AtomicLong();
    return bytes -> progress.progress(done.addAndGet(bytes), total);
  }

  /** All postings first, since they take longest; a thread that has nothing else to do helps. */
  private static List<WriterThreads.Task> partsOf(List<DirectSegment> segments, int threads) {
    List<List<WriterThreads.Task>> parts = segments.stream().map(DirectSegment::parts).toList();
    List<WriterThreads.Task> tasks = new ArrayList<>();
    for (int i = 0; i < parts.getFirst().size(); i++) {
      for (List<WriterThreads.Task> of : parts) {
        tasks.add(of.get(i));
      }
    }
    for (int helper = 1; helper < threads; helper++) {
      for (DirectSegment segment : segments) {
        tasks.add(segment::help);
      }
    }
    return tasks;
  }

  private static void force(Directory directory, SegmentInfos infos, int threads)
      throws IOException {
    List<WriterThreads.Task> tasks = new ArrayList<>();
    for (String file : infos.files(false)) {
      tasks.add(() -> directory.sync(List.of(file)));
    }
    WriterThreads.run(threads, tasks);
    directory.syncMetaData();
  }
}
