/** How do sorters that no build uses compare with the radix sort? For experiments and tests. */
@NullMarked
package io.kmodel.indexer.sort.lab;

import org.jspecify.annotations.NullMarked;
