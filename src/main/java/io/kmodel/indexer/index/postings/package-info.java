/** How are documents, frequencies and positions encoded and decoded? */
@NullMarked
package io.kmodel.indexer.index.postings;

import org.jspecify.annotations.NullMarked;
