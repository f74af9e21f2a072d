/** How are compressed bytes decompressed, within limits of memory and expansion? */
@NullMarked
package io.kmodel.indexer.source.unpack;

import org.jspecify.annotations.NullMarked;
