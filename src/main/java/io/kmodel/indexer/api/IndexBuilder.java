package io.kmodel.indexer.api;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.index.model.Column;
import io.kmodel.indexer.indexing.Indexing;
import io.kmodel.indexer.indexing.added.AddedDocument;
import io.kmodel.indexer.indexing.added.DocumentQueue;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.report.BuildReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Builds an index of the documents that a program adds. They are indexed by other threads while
 * more are added; {@link #finish} merges what these have made and gives the index its name. Until
 * then nothing is there, and a builder that is closed without it leaves nothing.
 *
 * {@snippet :
 * try (IndexBuilder builder = IndexBuilder.create(directory).analyzer("english").start()) {
 *   builder.add(Document.of("id-1").title("On sorting").contents("Bitonic networks sort in place."));
 *   BuildResult result = builder.finish();
 * }
 * }
 *
 * <p>Documents are numbered from 0 in the order of their additions: one whose {@link #add} has
 * returned comes before one whose addition starts later. The index depends on the documents, their
 * order and the settings, not on threads and memory.
 *
 * <p>Memory: what {@link IndexSettings#memory} says, and a copy of the document of each thread that
 * waits in {@link #add} because documents arrive faster than they are indexed. Disk: the build
 * works beside the directory, under its name with {@code .building} at the end. Safe for many
 * threads.
 */
public final class IndexBuilder implements AutoCloseable {
  private final Path directory;
  private final DocumentQueue queue;
  private final ImmutableList<Column> columns;
  private final Indexing build;
  private final Thread thread = new Thread(this::run, "indexer-build");
  private volatile boolean closed;
  private volatile @Nullable BuildReport report;
  private volatile @Nullable Throwable failure;

  IndexBuilder(Path directory, Indexing build, MemoryPlan plan, BuildOptions options) {
    this.directory = directory;
    this.queue = new DocumentQueue(plan, options.resources().threads());
    this.columns = options.schema().columns();
    this.build = build.withDocuments(queue);
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Begins the settings of an index of this program's format.
   *
   * @param directory does not exist or is empty, unless {@link IndexSettings#overwrite} is set
   * @return the default settings
   */
  public static IndexSettings create(Path directory) {
    return new IndexSettings(directory, false);
  }

  /**
   * Begins the settings of a Lucene 10.6 index, as IndexWriter makes it of the same documents in
   * the same order. CheckIndex reads it before it gets its name.
   *
   * @param directory does not exist or is empty, unless {@link IndexSettings#overwrite} is set
   * @return the default settings
   */
  public static IndexSettings createLucene(Path directory) {
    return new IndexSettings(directory, true);
  }

  private void run() {
    try {
      report = build.run();
    } catch (Throwable e) {
      failure = e;
      queue.fail(e);
    }
  }

  /**
   * Adds a document. Waits if too many documents wait to be indexed. Some problems of a document
   * are found later: one that needs more memory than there is, for example, is left out and
   * counted.
   *
   * @param document may be changed afterwards
   * @throws IllegalArgumentException if a text is not Unicode or metadata does not fit the
   *     settings; other documents can be added
   * @throws IllegalStateException after {@link #finish} or {@link #close}
   * @throws IndexException if the build has failed for a reason that you can act on
   * @throws IOException if the build has failed, or the thread was interrupted; the document was
   *     not added
   */
  public void add(Document document) throws IOException {
    AddedDocument added = document.added(columns);
    requireOpen();
    try {
      queue.add(added);
    } catch (DocumentQueue.BuildFailure e) {
      requireOpen();
      throw failed(e.reason());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Failures.interrupted(e);
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the builder was closed");
    }
  }

  /** A new exception for each caller, so that its stack trace is true. */
  private static IOException failed(Throwable cause) {
    return cause instanceof IOException && Failures.of(cause) == cause
        ? new IOException(cause.getMessage(), cause)
        : Failures.of(cause);
  }

  /**
   * Ends the additions, and waits until the index is complete. Another call has the same result.
   *
   * @return the figures of the build
   * @throws IllegalStateException after {@link #close}, unless the index was complete
   * @throws IndexException if the index cannot be made, for example because Lucene cannot hold it;
   *     nothing is left. But if the directory was taken meanwhile, the index stays beside it, and
   *     the message says where
   * @throws IOException if reading or writing failed, or the thread was interrupted; nothing is
   *     left
   */
  public BuildResult finish() throws IOException {
    if (!closed) {
      queue.end();
    }
    try {
      thread.join();
    } catch (InterruptedException e) {
      close();
      Thread.currentThread().interrupt();
      if (report == null) {
        throw Failures.interrupted(e);
      }
    }
    BuildReport made = report;
    if (made != null) {
      return BuildResult.of(directory, made);
    }
    requireOpen();
    throw failed(Objects.requireNonNull(failure));
  }

  /** Ends the build. If it is not complete, everything that it has written is deleted. */
  @Override
  public void close() {
    closed = true;
    queue.fail(new IllegalStateException("the builder was closed"));
    boolean interrupted = false;
    while (thread.isAlive()) {
      thread.interrupt();
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
