/** How are columns of metadata written and read? */
@NullMarked
package io.kmodel.indexer.index.columns;

import org.jspecify.annotations.NullMarked;
