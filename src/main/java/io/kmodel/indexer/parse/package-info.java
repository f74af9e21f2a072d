/** Parsing and analysis: turns documents into the tokens of each field. */
@NullMarked
package io.kmodel.indexer.parse;

import org.jspecify.annotations.NullMarked;
