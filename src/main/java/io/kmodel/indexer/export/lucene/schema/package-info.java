/** How do fields, lengths and ranges of documents map to Lucene? */
@NullMarked
package io.kmodel.indexer.export.lucene.schema;

import org.jspecify.annotations.NullMarked;
