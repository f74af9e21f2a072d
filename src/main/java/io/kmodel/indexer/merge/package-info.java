/** How do n runs become one stream in term order? */
@NullMarked
package io.kmodel.indexer.merge;

import org.jspecify.annotations.NullMarked;
