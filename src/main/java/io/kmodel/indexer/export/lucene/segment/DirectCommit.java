package io.kmodel.indexer.export.lucene.segment;

import com.google.common.collect.ImmutableSet;
import io.kmodel.indexer.index.model.FormatLimitException;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.store.disk.FreeFiles;
import io.kmodel.indexer.task.TaskFailure;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.Lock;
import org.apache.lucene.util.Version;

/**
 * The first commit of a Lucene index whose segments were written without an IndexWriter. It holds
 * the lock that an IndexWriter would hold. Many threads may create segments.
 */
public final class DirectCommit implements AutoCloseable {
  private final Directory directory;
  private final ExportCodec codec;
  private final Lock lock;
  private final AtomicInteger segments = new AtomicInteger();

  /** Forces files to disk in the background. */
  private final ExecutorService disk = Executors.newSingleThreadExecutor();

  private final List<String> dropped = new ArrayList<>();
  private final Queue<Future<?>> forces = new ConcurrentLinkedQueue<>();

  /** Starts an index in an empty directory. */
  public DirectCommit(Directory directory, ExportCodec codec) throws IOException {
    this.directory = directory;
    this.codec = codec;
    this.lock = directory.obtainLock(IndexWriter.WRITE_LOCK_NAME);
  }

  public DirectSegment newSegment(Schema schema) {
    return newSegment(schema, ImmutableSet.of());
  }

  /** A segment in which these fields have term vectors. */
  public DirectSegment newSegment(Schema schema, ImmutableSet<String> vectors) {
    return new DirectSegment(directory, segments.getAndIncrement(), schema, vectors, codec);
  }

  /** Starts forcing the files of a finished segment to disk. */
  void force(SegmentCommitInfo segment) throws IOException {
    Collection<String> files = segment.files();
    forces.add(
        disk.submit(
            () -> {
              directory.sync(files);
              return null;
            }));
  }

  /** Makes the commit leave out a finished segment and delete its files. */
  void drop(SegmentCommitInfo segment) throws IOException {
    dropped.addAll(segment.files());
  }

  /** Commits finished segments without user data. */
  public void commit(List<SegmentCommitInfo> finished, int threads) throws IOException {
    commit(finished, threads, Map.of());
  }

  /** Commits finished segments, in document order, after their files are forced to disk. */
  public void commit(List<SegmentCommitInfo> finished, int threads, Map<String, String> userData)
      throws IOException {
    long documents = finished.stream().mapToLong(segment -> segment.info.maxDoc()).sum();
    if (documents > IndexWriter.MAX_DOCS) {
      throw new FormatLimitException(
          "Lucene holds at most %d documents; got %d".formatted(IndexWriter.MAX_DOCS, documents));
    }
    awaitForces();
    for (String file : dropped) {
      directory.deleteFile(file);
    }
    SegmentInfos infos = new SegmentInfos(Version.LATEST.major);
    infos.addAll(finished);
    infos.counter = segments.get();
    infos.setUserData(userData, true);
    List<WriterThreads.Task> tasks = new ArrayList<>();
    for (String file : infos.files(false)) {
      tasks.add(() -> directory.sync(List.of(file)));
    }
    WriterThreads.run(Math.clamp(FreeFiles.count(), 1, threads), tasks);
    directory.syncMetaData();
    lock.ensureValid();
    infos.commit(directory);
  }

  private void awaitForces() throws IOException {
    for (Future<?> force = forces.poll(); force != null; force = forces.poll()) {
      try {
        force.get();
      } catch (ExecutionException e) {
        Throwable cause = TaskFailure.cause(e);
        throw new IOException(
            "cannot force files of a segment to disk: " + cause.getMessage(), cause);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while files were forced to disk");
      }
    }
  }

  @Override
  public void close() throws IOException {
    disk.close();
    lock.close();
  }
}
