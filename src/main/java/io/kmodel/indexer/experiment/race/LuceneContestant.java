package io.kmodel.indexer.experiment.race;

import io.kmodel.indexer.analysis.Analyzers;
import io.kmodel.indexer.indexing.report.SkipLog;
import io.kmodel.indexer.parse.DocumentParser;
import io.kmodel.indexer.parse.MalformedDocumentException;
import io.kmodel.indexer.parse.ParsedDocument;
import io.kmodel.indexer.source.DocumentReader;
import io.kmodel.indexer.source.RawDocument;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.Split;
import io.kmodel.indexer.source.crawl.Crawl;
import io.kmodel.indexer.task.Workers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.jspecify.annotations.Nullable;

/**
 * The rival: Lucene's IndexWriter tuned for a bulk load. It has a large buffer, no compound files,
 * and one commit at the end, before which each thread flushes its own buffer. It uses the same
 * crawl reader and parser in as many threads.
 */
final class LuceneContestant {
  private final RaceOptions options;
  private final String name;
  private final Function<IndexWriter, LuceneFeed> feeds;
  private final LongAdder parseNanos = new LongAdder();
  private final LongAdder addNanos = new LongAdder();
  private final LongAdder sourceBytes = new LongAdder();
  private final SkipLog skips = new SkipLog();

  /**
   * Prepares a run.
   *
   * @param feeds makes each thread's feed
   */
  LuceneContestant(RaceOptions options, String name, Function<IndexWriter, LuceneFeed> feeds) {
    this.options = options;
    this.name = name;
    this.feeds = feeds;
  }

  /** Builds and commits the index; counting its content is not timed. */
  RaceResult run() throws IOException, InterruptedException {
    Path target = options.workPath().resolve("lucene");
    Map<String, Double> stages = new TreeMap<>();
    long start = System.nanoTime();
    try (Analyzer analyzer = Analyzers.named(options.analyzer());
        Directory directory = FSDirectory.open(target);
        IndexWriter writer = new IndexWriter(directory, config(analyzer))) {
      addDocuments(writer);
      stages.put("add", (System.nanoTime() - start) / 1e9);
      if (options.segments() > 0) {
        long merge = System.nanoTime();
        writer.forceMerge(options.segments());
        stages.put("force merge", (System.nanoTime() - merge) / 1e9);
      }
      long commit = System.nanoTime();
      writer.commit();
      stages.put("commit", (System.nanoTime() - commit) / 1e9);
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    stages.put("parse (threads)", parseNanos.sum() / 1e9);
    stages.put("add (threads)", addNanos.sum() / 1e9);
    Map<String, Long> skipped = new TreeMap<>();
    skips
        .counts()
        .forEach(
            (reason, count) -> {
              if (reason.kind() == SkipReason.Kind.LOST) {
                skipped.put(reason.label(), count);
              }
            });
    return Measurements.result(
        name,
        seconds,
        new Measurements.Source(sourceBytes.sum(), skipped),
        target,
        options.counted(),
        stages);
  }

  private IndexWriterConfig config(Analyzer analyzer) {
    boolean merges = options.rival().merges() || options.segments() > 0;
    return new IndexWriterConfig(analyzer)
        .setOpenMode(IndexWriterConfig.OpenMode.CREATE)
        .setRAMBufferSizeMB(options.rival().ramBufferMegabytes())
        .setUseCompoundFile(false)
        .setMergePolicy(merges ? looseFiles() : NoMergePolicy.INSTANCE);
  }

  private static TieredMergePolicy looseFiles() {
    TieredMergePolicy merges = new TieredMergePolicy();
    merges.setNoCFSRatio(0);
    return merges;
  }

  private void addDocuments(IndexWriter writer) throws IOException, InterruptedException {
    Crawl crawl =
        Crawl.open(List.of(options.corpusPath()), SourceOptions.DEFAULT_MAX_DOCUMENT_BYTES, skips);
    long splitBytes = Math.max(1, crawl.bytes() / (options.threads() * 64L));
    List<Split> all = crawl.splits(splitBytes);
    Queue<Split> splits = new ArrayDeque<>(all);
    Callable<Void> feed =
        () -> {
          LuceneFeed into = feeds.apply(writer);
          Feeder feeder = new Feeder(into);
          for (Split split = next(splits); split != null; split = next(splits)) {
            feeder.add(split);
          }
          into.end();
          // The commit would otherwise flush the buffers of all threads in a single thread.
          writer.flushNextBuffer();
          return null;
        };
    try (Workers workers = new Workers("feed", options.threads())) {
      workers.runAll(Collections.nCopies(options.threads(), feed));
    } finally {
      for (Split split : all) {
        split.release();
      }
    }
  }

  /** Takes and claims the next split, in order as in this program's own builds. */
  private static @Nullable Split next(Queue<Split> splits) {
    synchronized (splits) {
      Split next = splits.poll();
      if (next != null) {
        next.claim();
      }
      return next;
    }
  }

  /** Feeds one thread's splits, reusing a single document. */
  private final class Feeder {
    private final LuceneFeed feed;
    private final DocumentParser parser = new DocumentParser(options.rival().html());

    Feeder(LuceneFeed feed) {
      this.feed = feed;
    }

    /**
     * Fails on a file whose pieces do not fit together; a build would read it again, but not here.
     */
    void add(Split split) throws IOException, InterruptedException {
      String file = "a large file";
      try (DocumentReader reader = split.open(skips)) {
        for (RawDocument raw = reader.next(); raw != null; raw = reader.next()) {
          file = raw.place().file();
          add(raw);
        }
        if (reader.missedBorder()) {
          throw new IOException(
              file
                  + " cannot be split (a nested archive?), and documents already added to"
                  + " IndexWriter cannot be taken back; race without this file");
        }
      }
    }

    private void add(RawDocument raw) throws IOException, InterruptedException {
      long start = System.nanoTime();
      ParsedDocument parsed;
      try {
        parsed = parser.parse(raw);
      } catch (MalformedDocumentException e) {
        skips.skipped(raw.place(), e.reason(), String.valueOf(e.getMessage()));
        return;
      }
      long parsedAt = System.nanoTime();
      feed.add(parsed);
      sourceBytes.add(raw.length());
      parseNanos.add(parsedAt - start);
      addNanos.add(System.nanoTime() - parsedAt);
    }
  }
}
