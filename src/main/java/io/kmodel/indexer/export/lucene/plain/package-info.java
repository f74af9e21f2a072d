/**
 * Exports through Lucene's public interface. Classes of this package are loaded once for each
 * version of Lucene, so they use only what all versions in {@link
 * io.kmodel.indexer.export.lucene.version.LuceneVersion} have.
 */
@NullMarked
package io.kmodel.indexer.export.lucene.plain;

import org.jspecify.annotations.NullMarked;
