/** Is there a GPU, and how is it called? The only package that uses jcuda. */
@NullMarked
package io.kmodel.indexer.gpu;

import org.jspecify.annotations.NullMarked;
