/**
 * How are the packed keys of a run put in order? See {@link io.kmodel.indexer.sort.KeyOrder} and
 * {@link io.kmodel.indexer.sort.SortStages}.
 */
@NullMarked
package io.kmodel.indexer.sort;

import org.jspecify.annotations.NullMarked;
