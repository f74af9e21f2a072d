/** Documents whose texts are nearly the same. */
@NullMarked
package io.kmodel.indexer.indexing.similar;

import org.jspecify.annotations.NullMarked;
