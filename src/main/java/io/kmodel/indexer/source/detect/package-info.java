/** How is a file compressed, and which format does it hold? */
@NullMarked
package io.kmodel.indexer.source.detect;

import org.jspecify.annotations.NullMarked;
