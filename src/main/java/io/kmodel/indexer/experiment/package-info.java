/** Experiments that race builds and sorters against rivals and verify that results are equal. */
@NullMarked
package io.kmodel.indexer.experiment;

import org.jspecify.annotations.NullMarked;
