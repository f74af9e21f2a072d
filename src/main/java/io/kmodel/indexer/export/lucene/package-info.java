/** Export of postings streams and indexes to Lucene indexes. */
@NullMarked
package io.kmodel.indexer.export.lucene;

import org.jspecify.annotations.NullMarked;
