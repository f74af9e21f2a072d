/** How are memory outside the heap and functions of the system used? */
@NullMarked
package io.kmodel.indexer.memory;

import org.jspecify.annotations.NullMarked;
