package io.kmodel.indexer.export.lucene;

import io.kmodel.indexer.index.InvertedIndex;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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
  private DirectExport() {}

  /** Writes and commits; the directory is empty. */
  static void write(InvertedIndex index, Directory directory, int segments, int threads)
      throws IOException {
    try (Lock lock = directory.obtainLock(IndexWriter.WRITE_LOCK_NAME)) {
      List<DirectSegment> written = new ArrayList<>();
      for (int i = 0; i < segments; i++) {
        DocumentRange range = DocumentRange.part(i, segments, index.documentCount());
        written.add(new DirectSegment(directory, name(i), index, range));
      }
      WriterThreads.run(threads, partsOf(written));
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

  /** All postings first: they take longest. */
  private static List<WriterThreads.Task> partsOf(List<DirectSegment> segments) {
    List<List<WriterThreads.Task>> parts = segments.stream().map(DirectSegment::parts).toList();
    List<WriterThreads.Task> tasks = new ArrayList<>();
    for (int i = 0; i < parts.getFirst().size(); i++) {
      for (List<WriterThreads.Task> of : parts) {
        tasks.add(of.get(i));
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

  private static String name(int segment) {
    return "_" + Integer.toString(segment, Character.MAX_RADIX);
  }
}
