/** Which documents have the metadata that a filter wants? */
@NullMarked
package io.kmodel.indexer.search.filter;

import org.jspecify.annotations.NullMarked;
