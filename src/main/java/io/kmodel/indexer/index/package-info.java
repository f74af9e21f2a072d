/** How is an index written and opened? */
@NullMarked
package io.kmodel.indexer.index;

import org.jspecify.annotations.NullMarked;
