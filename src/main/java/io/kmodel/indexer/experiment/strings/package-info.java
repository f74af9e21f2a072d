/** Strings to sort, and their sorters on the CPU and on a GPU. */
@NullMarked
package io.kmodel.indexer.experiment.strings;

import org.jspecify.annotations.NullMarked;
