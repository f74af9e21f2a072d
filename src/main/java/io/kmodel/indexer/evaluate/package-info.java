/** How good is a run, by the judgements of people? */
@NullMarked
package io.kmodel.indexer.evaluate;

import org.jspecify.annotations.NullMarked;
