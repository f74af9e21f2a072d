/** Builds indexes: orders the stages, and says what survives a crash. */
@NullMarked
package io.kmodel.indexer.build;

import org.jspecify.annotations.NullMarked;
