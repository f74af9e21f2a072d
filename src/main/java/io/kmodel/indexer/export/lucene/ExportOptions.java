package io.kmodel.indexer.export.lucene;

/**
 * How an index is exported.
 *
 * @param segments how many, each a contiguous range of documents; fewer where there are fewer
 *     documents
 * @param threads how many threads write, and check; by the plain path each writes a segment
 * @param check how the result is checked
 * @param path how it is written
 * @param codec how well stored fields are compressed
 */
public record ExportOptions(
    int segments, int threads, IndexCheck check, ExportPath path, ExportCodec codec) {
  private static final int MAX_SEGMENTS = 4096;

  /** One segment, written directly and checked. */
  public static final ExportOptions DEFAULT = new ExportOptions(1, 1, IndexCheck.CONTENT);

  public ExportOptions {
    if (segments < 1 || segments > MAX_SEGMENTS) {
      throw new IllegalArgumentException(
          "segments must be 1 to %d; got %d".formatted(MAX_SEGMENTS, segments));
    }
    if (threads < 1) {
      throw new IllegalArgumentException("threads must be at least 1; got " + threads);
    }
  }

  /** Written directly. */
  public ExportOptions(int segments, int threads, IndexCheck check) {
    this(segments, threads, check, ExportPath.DIRECT);
  }

  /** Compressed as Lucene does where nothing is said. */
  public ExportOptions(int segments, int threads, IndexCheck check, ExportPath path) {
    this(segments, threads, check, path, ExportCodec.BEST_SPEED);
  }
}
