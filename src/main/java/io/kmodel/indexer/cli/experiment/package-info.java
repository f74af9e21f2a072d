/** The commands that race and measure. */
@NullMarked
package io.kmodel.indexer.cli.experiment;

import org.jspecify.annotations.NullMarked;
