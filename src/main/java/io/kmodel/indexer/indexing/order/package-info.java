/** In which order should the documents of an index stand? */
@NullMarked
package io.kmodel.indexer.indexing.order;

import org.jspecify.annotations.NullMarked;
