/** Which terms has each document? Lucene's term vectors, made from stored texts. */
@NullMarked
package io.kmodel.indexer.export.lucene.vectors;

import org.jspecify.annotations.NullMarked;
