package io.kmodel.indexer.indexing.documents;

import io.kmodel.indexer.indexing.journal.Checkpoints;
import io.kmodel.indexer.indexing.journal.Checkpoints.Cut;
import io.kmodel.indexer.indexing.journal.InputList;
import io.kmodel.indexer.indexing.journal.WorkDirectory;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.FileLimits;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.indexing.report.SkipLog;
import io.kmodel.indexer.source.FileListener;
import io.kmodel.indexer.source.Split;
import io.kmodel.indexer.source.crawl.Crawl;
import io.kmodel.indexer.source.crawl.LeadingSplits;
import io.kmodel.indexer.store.disk.FreeFiles;
import io.kmodel.indexer.task.Workers;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Lists the crawl and cuts it into splits in a thread, so that the first splits are read while the
 * rest is listed. A resumed build reads nothing before it is known that the input is the same.
 *
 * <p>If the crawl cannot be listed, callers that wait for splits get the error. Closing ends the
 * listing. Memory: what {@link Crawl} says, at the same time as that of documents: a directory of a
 * million files takes some 150 MB of the heap while it is listed. A build that may open few files
 * lists all of them first.
 */
public final class CrawlScan implements Splits {
  private final BuildOptions options;
  private final WorkDirectory directory;
  private final Checkpoints saved;
  private final BuildProgress progress;

  /** Whether devices make the runs; splits then all have the same size. */
  private final InversionChoice choice;

  /** Whether splits are even; null until that is decided. */
  private @Nullable Boolean isEven;

  /** How the interrupted build had cut the crawl; null if none is resumed. */
  private final @Nullable Cut earlier;

  private final LeadingSplits leading;
  private final Workers workers = new Workers("scan", 1);

  /** What the listing left out. */
  private final Future<SkipLog> skips;

  /** Splits that are not taken yet; guards the next two fields. */
  private final List<Split> found = new ArrayList<>();

  /** Number of splits found so far. */
  private int splits;

  /** Whether the listing has ended. */
  private boolean ended;

  /** Set by the listing thread at its end. */
  private volatile BuildReport.@Nullable Input input;

  /**
   * Starts the listing.
   *
   * @param directory the work directory, which is no part of the crawl
   * @param saved says how an interrupted build had cut the crawl
   */
  public CrawlScan(
      BuildOptions options, WorkDirectory directory, Checkpoints saved, BuildProgress progress) {
    this(options, directory, saved, progress, InversionChoice.NONE);
  }

  /** The same with even splits if devices make the runs, for a build that cannot be resumed. */
  public CrawlScan(
      BuildOptions options,
      WorkDirectory directory,
      Checkpoints saved,
      BuildProgress progress,
      InversionChoice choice) {
    if (options.roots().isEmpty()) {
      throw new IllegalArgumentException("nothing to index: no directory was given");
    }
    this.choice = choice;
    this.options = options;
    this.directory = directory;
    this.saved = saved;
    this.progress = progress;
    this.earlier = saved.cut();
    this.leading =
        earlier == null
            ? leading(options.resources().threads())
            : new LeadingSplits(earlier.leadingThreads());
    this.skips = workers.submit(this::scan);
  }

  private static LeadingSplits leading(int threads) {
    return FileLimits.areMany(FreeFiles.count() - Crawl.openWhileListed(), threads)
        ? new LeadingSplits(threads)
        : LeadingSplits.NONE;
  }

  @Override
  public void awaitNext() throws IOException, InterruptedException {
    boolean over;
    synchronized (found) {
      while (found.isEmpty() && !ended) {
        found.wait();
      }
      over = ended;
    }
    if (over) {
      // Throws if the listing has failed.
      skips();
    }
  }

  /** A crawl whose first splits are read before all files are listed is not. */
  @Override
  public boolean isLarge(InversionChoice asked) {
    synchronized (found) {
      return asked.leastCrawlBytes() == 0 || Boolean.TRUE.equals(isEven);
    }
  }

  /** Decides once, for a crawl of at least so many bytes. */
  private boolean isEven(long bytes) {
    synchronized (found) {
      if (isEven == null) {
        isEven = choice.inverts(bytes);
      }
      return isEven;
    }
  }

  @Override
  public List<Split> next() throws IOException, InterruptedException {
    awaitNext();
    synchronized (found) {
      List<Split> next = List.copyOf(found);
      found.clear();
      return next;
    }
  }

  @Override
  public SkipLog skips() throws IOException, InterruptedException {
    return Workers.get(skips);
  }

  @Override
  public BuildReport.Input input() throws IOException, InterruptedException {
    skips();
    return Objects.requireNonNull(input);
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
            earlier == null
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
      progress.reads(crawl.remote());
      files.end();
      input = files.summary();
      progress.expectBytes(crawl.bytes());
      List<Split> all = cut(crawl);
      found(all.subList(splits, all.size()));
      return left;
    }
  }

  /** Adds splits; called by the listing thread. */
  private void found(List<Split> next) {
    synchronized (found) {
      found.addAll(next);
      splits += next.size();
      found.notifyAll();
    }
  }

  /** Compares or records the files while they are listed. */
  private final class Listener implements FileListener {
    private final InputList files;

    Listener(InputList files) {
      this.files = files;
    }

    @Override
    public void file(Path root, byte[] path, long size, FileTime modified) throws IOException {
      file(root, path, size, modified, "");
    }

    @Override
    public void file(Path root, byte[] path, long size, FileTime modified, String tag)
        throws IOException {
      files.file(root, path, size, modified, tag);
      progress.beat();
    }

    @Override
    public void leading(List<Split> next) {
      if (earlier == null) {
        // Read before the size of the crawl is known, so only a choice that needs none holds.
        isEven(0);
        found(next);
      }
    }
  }

  private List<Split> cut(Crawl crawl) throws InterruptedIOException {
    long splitBytes =
        earlier == null ? crawl.splitBytes(options.resources().threads()) : earlier.splitBytes();
    List<Split> all =
        isEven(crawl.bytes())
            ? crawl.evenSplits(options.resources().threads(), choice.splitBytes(), leading)
            : crawl.splits(splitBytes, leading);
    if (Thread.currentThread().isInterrupted()) {
      // An interrupted thread cannot look into large files, so these were not cut.
      throw new InterruptedIOException("interrupted while the crawl was cut");
    }
    if (earlier == null) {
      saved.cut(
          new Cut(splitBytes, leading.threads(), all.size(), borders(all)), directory.input());
    } else if (all.size() != earlier.splits()) {
      throw new BuildException(
          "the input has changed since the interrupted build: it is cut into %,d splits, and was cut into %,d; start over with --restart"
              .formatted(all.size(), earlier.splits()));
    } else if (!borders(all).equals(earlier.borders())) {
      throw new BuildException(
          "the input is cut at other places than in the interrupted build: files have changed, or another"
              + " version of Java or of a library decompresses them; start over with --restart");
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
