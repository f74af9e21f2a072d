@NullMarked
package io.kmodel.indexer.gpu;

import org.jspecify.annotations.NullMarked;
