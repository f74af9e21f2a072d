package io.kmodel.indexer.source.record;

import io.kmodel.indexer.source.RawDocument;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The documents of one file, in order. A record with a problem is reported and skipped, if the next
 * one can be found. An {@link IOException} means that nothing more can be read from the file.
 */
@FunctionalInterface
public interface Records extends AutoCloseable {
  /** The next document, valid until the next call; null at the end. */
  @Nullable RawDocument next() throws IOException, InterruptedException;

  /** Releases memory that was granted for them. */
  @Override
  default void close() {}
}
