package io.kmodel.indexer.indexing.documents;

import io.kmodel.indexer.indexing.journal.Checkpoints;
import io.kmodel.indexer.indexing.journal.Checkpoints.Cut;
import io.kmodel.indexer.indexing.journal.InputList;
import io.kmodel.indexer.indexing.journal.WorkDirectory;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.FileLimits;
import io.kmodel.indexer.indexing.options.Workers;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.SkipLog;
import io.kmodel.indexer.source.FileListener;
import io.kmodel.indexer.source.Split;
import io.kmodel.indexer.source.crawl.Crawl;
import io.kmodel.indexer.source.crawl.LeadingSplits;
import io.kmodel.indexer.store.disk.FreeFiles;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Lists the crawl and cuts it into splits, in a thread of its own, so that the first splits are
 * read while the rest is still listed. A build that goes on reads nothing before it is known that
 * the input is what it was.
 *
 * <p>Where something is wrong with the crawl, whoever waits for splits is told. Closing it ends the
 * listing. Memory: what {@link Crawl} says, beside that of documents now: a directory of a million
 * files takes some 150 MB of the heap while it is listed. A build that may open few files lists
 * them before it reads any.
 */
public final class CrawlScan implements AutoCloseable {
  private final BuildOptions options;
  private final WorkDirectory directory;
  private final Checkpoints saved;
  private final BuildProgress progress;

  /** How the crawl was cut by the build that this one goes on with. */
  private final @Nullable Cut begun;

  private final LeadingSplits leading;
  private final Workers workers = new Workers("scan", 1);

  /** What the listing left out. */
  private final Future<SkipLog> skips;

  /** Splits that nobody has taken; guards what follows, too. */
  private final List<Split> found = new ArrayList<>();

  /** How many splits were found so far. */
  private int splits;

  /** Whether no more are found. */
  private boolean ended;

  /**
   * Starts to list.
   *
   * @param directory where the build works, which the crawl does not consist of
   * @param saved says how an interrupted build had cut the crawl
   */
  public CrawlScan(
      BuildOptions options, WorkDirectory directory, Checkpoints saved, BuildProgress progress) {
    this.options = options;
    this.directory = directory;
    this.saved = saved;
    this.progress = progress;
    this.begun = saved.cut();
    this.leading =
        begun == null
            ? leading(options.resources().threads())
            : new LeadingSplits(begun.leadingThreads());
    this.skips = workers.submit(this::scan);
  }

  private static LeadingSplits leading(int threads) {
    return FileLimits.areMany(FreeFiles.count() - Crawl.openWhileListed(), threads)
        ? new LeadingSplits(threads)
        : LeadingSplits.NONE;
  }

  /**
   * Waits until there is something to read, or all is listed.
   *
   * @throws BuildException if a build that is to be gone on with had other input
   */
  void awaitNext() throws IOException, InterruptedException {
    boolean over;
    synchronized (found) {
      while (found.isEmpty() && !ended) {
        found.wait();
      }
      over = ended;
    }
    if (over) {
      // Tells what went wrong, if anything did.
      skips();
    }
  }

  /**
   * The next splits, in order, as soon as some are known; none when those before were the last. For
   * one thread at a time.
   */
  List<Split> next() throws IOException, InterruptedException {
    awaitNext();
    synchronized (found) {
      List<Split> next = List.copyOf(found);
      found.clear();
      return next;
    }
  }

  /** What the listing left out, when it has ended. */
  public SkipLog skips() throws IOException, InterruptedException {
    return Workers.get(skips);
  }

  @Override
  public void close() {
    workers.close();
  }

  private SkipLog scan() throws IOException {
    try {
      return list();
    } finally {
      synchronized (found) {
        ended = true;
        found.notifyAll();
      }
    }
  }

  private SkipLog list() throws IOException {
    Path list = directory.runs().resolve("scan.skipped");
    try (SkipLog left = new SkipLog(list, progress.listener());
        InputList files =
            begun == null
                ? InputList.write(directory.input())
                : InputList.compare(directory.input())) {
      Crawl crawl =
          Crawl.open(
              options.roots(),
              directory.all(),
              options.source(),
              left,
              new Listener(files),
              leading);
      files.end();
      progress.expectBytes(crawl.bytes());
      List<Split> all = cut(crawl);
      found(all.subList(splits, all.size()));
      return left;
    }
  }

  /** Hands over the next splits; in the thread that lists. */
  private void found(List<Split> next) {
    synchronized (found) {
      found.addAll(next);
      splits += next.size();
      found.notifyAll();
    }
  }

  /** Sees the files go by. */
  private final class Listener implements FileListener {
    private final InputList files;

    Listener(InputList files) {
      this.files = files;
    }

    @Override
    public void file(Path root, byte[] path, long size, FileTime modified) throws IOException {
      files.file(root, path, size, modified);
      progress.beat();
    }

    @Override
    public void leading(List<Split> next) {
      if (begun == null) {
        found(next);
      }
    }
  }

  private List<Split> cut(Crawl crawl) throws InterruptedIOException {
    long splitBytes =
        begun == null ? crawl.splitBytes(options.resources().threads()) : begun.splitBytes();
    List<Split> all = crawl.splits(splitBytes, leading);
    if (Thread.currentThread().isInterrupted()) {
      // Large files that could not be looked at any more were not cut.
      throw new InterruptedIOException("interrupted while the crawl was cut");
    }
    if (begun == null) {
      saved.cut(
          new Cut(splitBytes, leading.threads(), all.size(), borders(all)), directory.input());
    } else if (all.size() != begun.splits()) {
      throw new BuildException(
          "the input is not what the interrupted build began with: it is cut into %,d splits, and was into %,d; start anew with --restart"
              .formatted(all.size(), begun.splits()));
    } else if (!borders(all).equals(begun.borders())) {
      throw new BuildException(
          "the input is cut elsewhere than where the interrupted build cut it: files have changed,"
              + " or another Java or library unpacks them; start anew with --restart");
    }
    return all;
  }

  /** A checksum of where splits begin and end. */
  private static String borders(List<Split> splits) {
    CRC32C sum = new CRC32C();
    for (Split split : splits) {
      sum.update((split.borders() + "\n").getBytes(StandardCharsets.US_ASCII));
    }
    return Long.toHexString(sum.getValue());
  }
}
