/** Where do records start and end, and how does reading resume after damage? */
@NullMarked
package io.kmodel.indexer.source.record;

import org.jspecify.annotations.NullMarked;
