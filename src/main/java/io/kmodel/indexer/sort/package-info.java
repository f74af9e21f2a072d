/** How are packed keys put in order? */
@NullMarked
package io.kmodel.indexer.sort;

import org.jspecify.annotations.NullMarked;
