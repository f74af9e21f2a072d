@NullMarked
package io.kmodel.indexer.experiment.race;

import org.jspecify.annotations.NullMarked;
