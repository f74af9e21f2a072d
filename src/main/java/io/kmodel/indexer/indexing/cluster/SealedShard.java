package io.kmodel.indexer.indexing.cluster;

/**
 * A shard that an attempt has made.
 *
 * @param number of the shard
 * @param name of the attempt's directory
 */
record SealedShard(int number, String name, int documents) {}
