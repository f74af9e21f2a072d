/** How does a block of text become a sorted run on a device, exactly as the CPU would make it? */
@NullMarked
package io.kmodel.indexer.inversion;

import org.jspecify.annotations.NullMarked;
