/** How are postings encoded in Lucene's formats? */
@NullMarked
package io.kmodel.indexer.export.lucene.postings;

import org.jspecify.annotations.NullMarked;
