@NullMarked
package io.kmodel.indexer.index;

import org.jspecify.annotations.NullMarked;
