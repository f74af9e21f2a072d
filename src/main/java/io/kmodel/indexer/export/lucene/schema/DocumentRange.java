package io.kmodel.indexer.export.lucene.schema;

/**
 * The documents {@code from} to {@code to - 1} of an index. For Lucene they are a segment whose
 * documents count from 0.
 */
public record DocumentRange(int from, int to) {
  public DocumentRange {
    if (from < 0 || to < from) {
      throw new IllegalArgumentException("invalid range of documents: %d..%d".formatted(from, to));
    }
  }

  public int size() {
    return to - from;
  }

  /** The {@code part}-th of {@code parts} ranges of almost equal size that cover all documents. */
  public static DocumentRange part(int part, int parts, int documents) {
    return new DocumentRange(
        Math.toIntExact((long) documents * part / parts),
        Math.toIntExact((long) documents * (part + 1) / parts));
  }
}
