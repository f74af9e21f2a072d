/** Search over this program's indexes, and TREC topics and runs. */
@NullMarked
package io.kmodel.indexer.search;

import org.jspecify.annotations.NullMarked;
