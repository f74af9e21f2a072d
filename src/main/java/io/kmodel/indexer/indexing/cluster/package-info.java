/**
 * Builds an index with several processes: splits and ranges of terms as tasks, which a cluster
 * engine runs, and a driver that plans them and joins their results.
 */
@NullMarked
package io.kmodel.indexer.indexing.cluster;

import org.jspecify.annotations.NullMarked;
