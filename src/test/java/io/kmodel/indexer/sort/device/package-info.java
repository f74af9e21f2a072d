@NullMarked
package io.kmodel.indexer.sort.device;

import org.jspecify.annotations.NullMarked;
