/** The command line: commands, options, settings and output. */
@NullMarked
package io.kmodel.indexer.cli;

import org.jspecify.annotations.NullMarked;
