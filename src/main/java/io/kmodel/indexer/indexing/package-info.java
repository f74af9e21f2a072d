/** In which order does a build run its stages? */
@NullMarked
package io.kmodel.indexer.indexing;

import org.jspecify.annotations.NullMarked;
