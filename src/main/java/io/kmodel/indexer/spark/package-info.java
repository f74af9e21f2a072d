/** Builds on Apache Spark: runs the tasks of {@link io.kmodel.indexer.indexing.cluster}. */
@NullMarked
package io.kmodel.indexer.spark;

import org.jspecify.annotations.NullMarked;
