/** Evaluation of runs against relevance judgements. */
@NullMarked
package io.kmodel.indexer.evaluate;

import org.jspecify.annotations.NullMarked;
