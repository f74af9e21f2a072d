package io.kmodel.indexer.source;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the documents of one split in order. Anything that cannot be read is reported to the
 * split's {@link SkipListener} and skipped. Not thread-safe.
 */
public interface DocumentReader extends AutoCloseable {
  /** The next document, valid until the next call; null at the end. */
  @Nullable RawDocument next() throws IOException, InterruptedException;

  /**
   * The format and compression of the last document's file, as in reports: {@code html}, or {@code
   * warc gzip}.
   */
  String format();

  /** Bytes read or skipped so far, in terms of listed sizes; for progress. */
  long passedBytes();

  /**
   * Whether this reader stopped at another record than the next split has started with, or will
   * start with. Known once all documents are read. Both splits are then invalid, and {@link
   * Split#withRest} returns the split to read instead.
   */
  boolean missedBorder();

  @Override
  void close() throws IOException;
}
