/** How are libraries loaded and called so that errors name the file? */
@NullMarked
package io.kmodel.indexer.store.library;

import org.jspecify.annotations.NullMarked;
