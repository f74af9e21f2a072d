/** How is memory outside the heap allocated, read and written? */
@NullMarked
package io.kmodel.indexer.memory;

import org.jspecify.annotations.NullMarked;
