/** How does a call of the program start and end? */
@NullMarked
package io.kmodel.indexer.cli;

import org.jspecify.annotations.NullMarked;
