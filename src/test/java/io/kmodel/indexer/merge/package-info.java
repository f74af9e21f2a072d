@NullMarked
package io.kmodel.indexer.merge;

import org.jspecify.annotations.NullMarked;
