/** How does the program write its output and messages? */
@NullMarked
package io.kmodel.indexer.cli.base;

import org.jspecify.annotations.NullMarked;
