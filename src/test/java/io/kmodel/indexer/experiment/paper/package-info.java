@NullMarked
package io.kmodel.indexer.experiment.paper;

import org.jspecify.annotations.NullMarked;
