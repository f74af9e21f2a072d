package io.kmodel.indexer.export.lucene.segment;

import io.kmodel.indexer.index.model.FormatLimitException;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.store.disk.FreeFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.NIOFSDirectory;

/**
 * A new Lucene index whose segments are written directly from postings, without an index in this
 * program's format, and committed together. It equals the index that IndexWriter would make of the
 * same documents. Files are forced to disk while later segments are still being written.
 * Thread-safe; a segment is written by one thread. If the index is closed without a commit, the
 * caller deletes its files.
 */
public final class SegmentedIndex implements AutoCloseable {
  private final Directory directory;
  private final DirectCommit commit;
  private final Schema schema;
  private final ThreadFactory threads;

  /**
   * Starts an index.
   *
   * @param path an empty directory
   * @param codec how stored fields are compressed
   * @param threads factory for threads, for segments that several threads write
   */
  public SegmentedIndex(Path path, Schema schema, ExportCodec codec, ThreadFactory threads)
      throws IOException {
    this.schema = schema;
    this.threads = threads;
    // Hardly anything is read. With mapped files, Lucene would link system functions, which takes
    // 20 ms at the start.
    this.directory = new NamingDirectory(new NIOFSDirectory(path));
    try {
      this.commit = new DirectCommit(directory, codec);
    } catch (IOException | RuntimeException e) {
      directory.close();
      throw e;
    }
  }

  public SegmentWriter newSegment() throws IOException {
    return new SegmentWriter(commit, schema, threads);
  }

  /** Limits the segments written at once by the number of files that they open. */
  public int atOnce(int wanted) {
    return DirectSegment.atOnce(FreeFiles.count(), wanted);
  }

  /** Deletes a segment that was written, when the others are committed. */
  public void drop(SegmentWriter segment) throws IOException {
    commit.drop(segment.written());
  }

  /**
   * Commits the segments of the index, in document order.
   *
   * @throws FormatLimitException if they have more documents than Lucene can hold
   */
  public void commit(List<SegmentWriter> segments, int threads) throws IOException {
    commit.commit(segments.stream().map(SegmentWriter::written).toList(), threads);
  }

  @Override
  public void close() throws IOException {
    try (directory) {
      commit.close();
    }
  }
}
