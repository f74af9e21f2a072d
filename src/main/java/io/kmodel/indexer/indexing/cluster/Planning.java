package io.kmodel.indexer.indexing.cluster;

import io.kmodel.indexer.indexing.Resumption;
import io.kmodel.indexer.indexing.Target;
import io.kmodel.indexer.indexing.journal.InputList;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.source.crawl.Crawl;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Lists the crawl of a build, and decides the size of its splits. */
final class Planning {
  /** In a workspace: the files of the crawl. */
  static final String INPUT = "input";

  /** In a workspace: what the listing skipped. */
  static final String SKIPPED = "scan.skipped";

  /** Splits of a shard for each task that runs at a time. */
  private static final int SPLITS_PER_SLOT = 4;

  private static final long LEAST_SPLIT_BYTES = 16L << 20;
  private static final long LARGEST_SPLIT_BYTES = 256L << 20;

  /** All splits of an index, or of a shard, are merged at a time. */
  private static final int MOST_SPLITS = 1000;

  private final BuildOptions options;
  private final Workspace work;
  private final TaskEngine engine;
  private final long askedBytes;
  private final int shards;

  /**
   * Prepares a plan.
   *
   * @param askedBytes of a split; 0 for a choice by the size of the crawl and of the cluster
   * @param shards to make; 0 for one index
   */
  Planning(BuildOptions options, Workspace work, TaskEngine engine, long askedBytes, int shards) {
    this.options = options;
    this.work = work;
    this.engine = engine;
    this.askedBytes = askedBytes;
    this.shards = shards;
  }

  /**
   * Lists the crawl.
   *
   * @param hidden paths that are no part of it
   * @param isResumed whether it must be that of the interrupted build
   */
  Listing list(List<Path> hidden, boolean isResumed, BuildProgress progress) throws IOException {
    Path file = work.local().resolve(INPUT);
    if (isResumed) {
      work.restore(INPUT);
    }
    Listing listing;
    try (InputList files = isResumed ? InputList.compare(file) : InputList.write(file)) {
      listing = Listing.of(options, hidden, work.local().resolve(SKIPPED), files, progress);
    }
    if (!isResumed) {
      work.save(INPUT);
    }
    return listing;
  }

  /**
   * Plans a build.
   *
   * @param before the plan of the interrupted build that is continued; null without one
   * @throws BuildException if that was another build
   */
  ClusterJournal.Plan plan(Crawl crawl, ClusterJournal.@Nullable Plan before) throws IOException {
    Map<String, String> identity = Resumption.identity(options, Target.ownIndex());
    if (shards > 0) {
      identity.put("shards", String.valueOf(shards));
    }
    if (before == null) {
      long bytes = askedBytes == 0 ? usualBytes(crawl) : askedBytes;
      // If each executor has a single split, smaller ones only make others larger.
      boolean isEqual = shards > 0 || crawl.bytes() / bytes < 2L * engine.slots();
      return new ClusterJournal.Plan(identity, bytes, isEqual);
    }
    Resumption.requireSame(before.options(), identity);
    if (askedBytes != 0 && askedBytes != before.splitBytes()) {
      throw new BuildException(
          "the interrupted build had --split-size %d; use the same, or start over with --restart"
              .formatted(before.splitBytes()));
    }
    return before;
  }

  /** Bytes of a full split; shards have the same number of equal ones. */
  private long usualBytes(Crawl crawl) {
    int indexes = Math.max(1, shards);
    int slots = engine.slots();
    long splits = Math.ceilDiv(SPLITS_PER_SLOT * (long) slots, indexes) * indexes;
    long bytes = shards == 0 ? crawl.partBytes(slots) : Math.ceilDiv(crawl.bytes(), splits);
    return Math.max(
        Math.clamp(bytes, LEAST_SPLIT_BYTES, LARGEST_SPLIT_BYTES),
        crawl.bytes() / ((long) MOST_SPLITS * indexes));
  }
}
