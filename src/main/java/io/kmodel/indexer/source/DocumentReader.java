package io.kmodel.indexer.source;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the documents of one split in order. What cannot be read is reported to the split's {@link
 * SkipListener} and passed over. Not thread-safe.
 */
public interface DocumentReader extends AutoCloseable {
  /** The next document, valid until the next call; null at the end. */
  @Nullable RawDocument next() throws IOException, InterruptedException;

  /**
   * What the file of the last document holds, and how it is compressed, as reports call it: {@code
   * html}, or {@code warc gzip}.
   */
  String format();

  /** Bytes, as listed, of what was read or passed over so far; for progress. */
  long passedBytes();

  /**
   * Whether what was read ended elsewhere than the next split has started, or will. Known when all
   * documents are read; then both are void, and {@link Split#withRest} gives what to read instead.
   */
  boolean missedBorder();

  @Override
  void close() throws IOException;
}
