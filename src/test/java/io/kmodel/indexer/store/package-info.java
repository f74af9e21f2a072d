@NullMarked
package io.kmodel.indexer.store;

import org.jspecify.annotations.NullMarked;
