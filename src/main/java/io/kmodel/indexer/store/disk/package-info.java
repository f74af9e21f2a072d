/** How are directories and files locked, staged, published and deleted? */
@NullMarked
package io.kmodel.indexer.store.disk;

import org.jspecify.annotations.NullMarked;
