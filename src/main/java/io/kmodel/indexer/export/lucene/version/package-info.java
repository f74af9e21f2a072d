/** Versions of Lucene: which there are, and how their classes are loaded. */
@NullMarked
package io.kmodel.indexer.export.lucene.version;

import org.jspecify.annotations.NullMarked;
