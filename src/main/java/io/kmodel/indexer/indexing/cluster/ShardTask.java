package io.kmodel.indexer.indexing.cluster;

import java.util.List;

/**
 * Makes a Lucene index of neighboring splits.
 *
 * @param number of the shard, 0-based in the order of documents
 * @param workspace of the splits, in which each attempt makes a new directory
 */
record ShardTask(int number, List<SealedSplit> splits, Shards.Options options, String workspace) {
  ShardTask {
    splits = List.copyOf(splits);
  }
}
