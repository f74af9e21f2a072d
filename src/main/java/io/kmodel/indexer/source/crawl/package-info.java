/** How is a crawl cut into splits, and how are the documents of a split read? */
@NullMarked
package io.kmodel.indexer.source.crawl;

import org.jspecify.annotations.NullMarked;
