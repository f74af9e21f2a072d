/** Which documents do the rows of a Parquet file hold? */
@NullMarked
package io.kmodel.indexer.source.parquet;

import org.jspecify.annotations.NullMarked;
