/** What does this index answer? */
@NullMarked
package io.kmodel.indexer.search;

import org.jspecify.annotations.NullMarked;
