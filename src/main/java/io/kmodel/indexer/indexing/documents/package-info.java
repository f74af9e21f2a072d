/** How do the documents of a crawl become runs? */
@NullMarked
package io.kmodel.indexer.indexing.documents;

import org.jspecify.annotations.NullMarked;
