package io.kmodel.indexer.indexing.cluster;

import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import io.kmodel.indexer.indexing.Resumption;
import io.kmodel.indexer.indexing.Target;
import io.kmodel.indexer.indexing.journal.InputList;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.source.crawl.CrawlPart;
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

  /** Equal splits for each task that runs at a time. */
  private static final int EQUAL_PER_SLOT = 4;

  private static final long LEAST_SPLIT_BYTES = 16L << 20;
  private static final long LARGEST_SPLIT_BYTES = 256L << 20;

  /** All splits of an index, or of a shard, are merged at a time. */
  private static final int MOST_SPLITS = 1000;

  /**
   * Full splits of an index with smaller ones before and after them, {@link #MOST_SPLITS} in all.
   */
  private static final int MOST_FULL = 820;

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

  /** A plan, and the splits that it makes of the crawl. */
  record Planned(ClusterJournal.Plan plan, List<CrawlPart> parts) {}

  /**
   * Requires that an interrupted build had the same options.
   *
   * @param before its plan
   * @throws BuildException if not
   */
  void requireSame(ClusterJournal.Plan before) throws IOException {
    Resumption.requireSame(before.options(), identity());
    if (askedBytes != 0 && askedBytes != before.splitBytes()) {
      throw new BuildException(
          "the interrupted build had --split-size %d; use the same, or start over with --restart"
              .formatted(before.splitBytes()));
    }
  }

  private Map<String, String> identity() throws IOException {
    Map<String, String> identity = Resumption.identity(options, Target.ownIndex());
    if (shards > 0) {
      identity.put("shards", String.valueOf(shards));
    }
    return identity;
  }

  /**
   * Plans a build.
   *
   * @param before the plan of the interrupted build that is continued, with the same options; null
   *     without one
   * @throws BuildException if that build cut its input into other splits
   */
  Planned plan(Listing listing, ClusterJournal.@Nullable Plan before) throws IOException {
    if (before == null) {
      long crawlBytes = listing.crawl().bytes();
      int slots = engine.slots();
      long bytes = askedBytes == 0 ? usualBytes(crawlBytes, slots) : askedBytes;
      // Small last splits help if there are several full ones for each slot.
      boolean equal = shards > 0 || isMany(slots) || crawlBytes / bytes < 2L * slots;
      List<CrawlPart> parts = listing.parts(bytes, equal);
      return new Planned(new ClusterJournal.Plan(identity(), bytes, equal, cut(parts)), parts);
    }
    List<CrawlPart> parts = listing.parts(before.splitBytes(), before.equalSplits());
    if (cut(parts) != before.cut()) {
      throw new BuildException(
          "the interrupted build had cut its input into other splits; start over with --restart");
    }
    return new Planned(before, parts);
  }

  private static int cut(List<CrawlPart> parts) {
    Hasher hasher = Hashing.crc32c().newHasher();
    for (CrawlPart part : parts) {
      hasher.putInt(part.files()).putLong(part.bytes()).putLong(part.from()).putLong(part.to());
    }
    return hasher.hash().asInt();
  }

  /** Whether there are too many slots for several splits of different sizes each. */
  private static boolean isMany(int slots) {
    return slots > MOST_SPLITS / EQUAL_PER_SLOT;
  }

  /** Bytes of a full split; shards have the same number of equal ones. */
  private long usualBytes(long crawlBytes, int slots) {
    if (shards > 0) {
      long splits = Math.ceilDiv(EQUAL_PER_SLOT * (long) slots, shards) * shards;
      long bytes = Math.min(limited(Math.ceilDiv(crawlBytes, splits)), crawlBytes / shards);
      return Math.max(Math.max(1, bytes), crawlBytes / MOST_SPLITS / shards);
    }
    if (isMany(slots)) {
      // As many for each slot, if there are enough.
      int splits = MOST_SPLITS - (slots <= MOST_SPLITS ? MOST_SPLITS % slots : 0);
      return Math.max(LEAST_SPLIT_BYTES, Math.ceilDiv(crawlBytes, splits));
    }
    // Two and a half full ones for each slot, and the smaller ones.
    return Math.max(limited(Math.ceilDiv(2 * crawlBytes, 5L * slots)), crawlBytes / MOST_FULL);
  }

  private static long limited(long bytes) {
    return Math.clamp(bytes, LEAST_SPLIT_BYTES, LARGEST_SPLIT_BYTES);
  }
}
