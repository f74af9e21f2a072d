package io.kmodel.indexer.source;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The documents of one file, in order. What is wrong with a record is reported and passed over
 * where the next one can be found; an {@link IOException} says that nothing more can be read of the
 * file.
 */
@FunctionalInterface
interface Records {
  /** The next document, valid until the next call; null at the end. */
  @Nullable RawDocument next() throws IOException, InterruptedException;
}
