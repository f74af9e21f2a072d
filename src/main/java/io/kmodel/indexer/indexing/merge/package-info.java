/** How are the runs of a build merged, by ranges of terms and in parallel? */
@NullMarked
package io.kmodel.indexer.indexing.merge;

import org.jspecify.annotations.NullMarked;
