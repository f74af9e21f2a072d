@NullMarked
package io.kmodel.indexer.experiment;

import org.jspecify.annotations.NullMarked;
