@NullMarked
package io.kmodel.indexer.experiment.strings;

import org.jspecify.annotations.NullMarked;
