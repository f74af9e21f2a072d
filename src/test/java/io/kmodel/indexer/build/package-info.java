@NullMarked
package io.kmodel.indexer.build;

import org.jspecify.annotations.NullMarked;
