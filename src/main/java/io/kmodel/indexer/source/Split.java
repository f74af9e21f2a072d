package io.kmodel.indexer.source;

import java.io.IOException;

/**
 * A contiguous piece of a collection that one thread reads: one or more whole units (see {@link
 * RawDocument#unit}).
 */
public interface Split {
  /** Place in the collection, 0-based. */
  int ordinal();

  /** Bytes in the file system, as listed; for balancing and progress. */
  long bytes();

  DocumentReader open(SkipListener skips) throws IOException;
}
