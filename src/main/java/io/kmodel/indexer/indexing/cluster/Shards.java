package io.kmodel.indexer.indexing.cluster;

import io.kmodel.indexer.export.lucene.IndexCheck;
import io.kmodel.indexer.export.lucene.segment.ExportCodec;
import io.kmodel.indexer.indexing.options.BuildException;
import java.util.ArrayList;
import java.util.List;

/** How splits become Lucene indexes: neighbors with about the same bytes of documents. */
public final class Shards {
  /**
   * What shards are made.
   *
   * @param shards how many, at least 1
   * @param check of each shard
   * @param codec how stored fields are compressed
   */
  public record Options(int shards, IndexCheck check, ExportCodec codec) {
    public Options {
      if (shards < 1) {
        throw new IllegalArgumentException("--shards must be at least 1; got " + shards);
      }
    }
  }

  private Shards() {}

  /**
   * Requires enough splits.
   *
   * @throws BuildException if there are fewer than shards
   */
  static void require(int splits, int shards) {
    if (splits < shards) {
      throw new BuildException(
          "too few splits for %d shards: %d; lower --shards or --split-size"
              .formatted(shards, splits));
    }
  }

  /**
   * Groups whole splits.
   *
   * @throws BuildException if there are fewer splits than shards
   */
  static List<List<SealedSplit>> groups(List<SealedSplit> splits, int shards) {
    require(splits.size(), shards);
    long all = splits.stream().mapToLong(SealedSplit::sourceBytes).sum();
    List<List<SealedSplit>> groups = new ArrayList<>();
    long before = 0;
    for (int i = 0; i < splits.size(); i++) {
      SealedSplit split = splits.get(i);
      // The middle of a split decides; later shards need a split each, too.
      double middle = before + split.sourceBytes() / 2.0;
      long due = all == 0 ? (long) i * shards / splits.size() : (long) (middle * shards / all);
      boolean mustBegin = shards - groups.size() >= splits.size() - i;
      boolean mayBegin = groups.size() < shards && due >= groups.size();
      if (groups.isEmpty() || mustBegin || mayBegin) {
        groups.add(new ArrayList<>());
      }
      groups.getLast().add(split);
      before += split.sourceBytes();
    }
    return groups;
  }
}
