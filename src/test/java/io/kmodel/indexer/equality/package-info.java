/** Are two indexes the same, to everything that can be asked of them? */
@NullMarked
package io.kmodel.indexer.equality;

import org.jspecify.annotations.NullMarked;
