@NullMarked
package io.kmodel.indexer.indexing.similar;

import org.jspecify.annotations.NullMarked;
