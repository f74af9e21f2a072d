/** How does a postings stream become a Lucene index? */
@NullMarked
package io.kmodel.indexer.export.lucene;

import org.jspecify.annotations.NullMarked;
