/** Which words of the best documents does a query gain? */
@NullMarked
package io.kmodel.indexer.search.expand;

import org.jspecify.annotations.NullMarked;
