/** Documents that another program adds to a build, one by one. */
@NullMarked
package io.kmodel.indexer.indexing.added;

import org.jspecify.annotations.NullMarked;
