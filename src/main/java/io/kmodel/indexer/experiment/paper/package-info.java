/** The comparisons of the five papers, rerun on today's machines. */
@NullMarked
package io.kmodel.indexer.experiment.paper;

import org.jspecify.annotations.NullMarked;
