package io.kmodel.indexer.source.parquet;

import java.io.IOException;

/** A Parquet file of which no row can be read; the message says why. */
public final class UnreadableParquetException extends IOException {
  private static final long serialVersionUID = 1;

  public UnreadableParquetException(String problem) {
    super(problem);
  }
}
