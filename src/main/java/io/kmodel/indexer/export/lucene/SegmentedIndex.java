package io.kmodel.indexer.export.lucene;

import io.kmodel.indexer.index.FormatLimitException;
import io.kmodel.indexer.index.Schema;
import io.kmodel.indexer.store.FreeFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.NIOFSDirectory;

/**
 * A new Lucene index, made of segments that are written as the postings come, with no index of ours
 * in between, and committed together. It is what IndexWriter would make of the same documents.
 * Files are forced to disk while later segments are still being written. Safe for many threads,
 * each with segments of its own. What is there when it is closed without a commit is the caller's
 * to delete.
 */
public final class SegmentedIndex implements AutoCloseable {
  private final Directory directory;
  private final DirectCommit commit;
  private final Schema schema;
  private final ThreadFactory threads;

  /**
   * Begins an index.
   *
   * @param path an empty directory
   * @param codec how stored fields are compressed
   * @param threads for segments that are written by several
   */
  public SegmentedIndex(Path path, Schema schema, ExportCodec codec, ThreadFactory threads)
      throws IOException {
    this.schema = schema;
    this.threads = threads;
    // Hardly read from: to map files, Lucene would link functions of the system, 20 ms at the
    // start.
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

  /** Segments that may be written at a time, of those that are wanted, with the files they open. */
  public int atOnce(int wanted) {
    return DirectSegment.atOnce(FreeFiles.count(), wanted);
  }

  /** Deletes a segment that was written, when the others are committed. */
  public void drop(SegmentWriter segment) throws IOException {
    commit.drop(segment.written());
  }

  /**
   * Commits segments, which together are the index, in document order.
   *
   * @throws FormatLimitException if they have more documents than Lucene holds
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
