/** Is there a device, and how is it spoken to? The only room that knows jcuda. */
@NullMarked
package io.kmodel.indexer.gpu;

import org.jspecify.annotations.NullMarked;
