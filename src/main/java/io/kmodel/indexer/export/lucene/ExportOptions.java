package io.kmodel.indexer.export.lucene;

/**
 * Options of an export.
 *
 * @param segments number of segments, each a contiguous range of documents; reduced to the number
 *     of documents if that is smaller
 * @param threads number of threads that write and check; in the plain path each writes a segment
 * @param check how the result is checked
 * @param path how the index is written
 * @param codec how stored fields are compressed
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

  /** Options for a direct export. */
  public ExportOptions(int segments, int threads, IndexCheck check) {
    this(segments, threads, check, ExportPath.DIRECT);
  }

  /** Options with Lucene's default compression. */
  public ExportOptions(int segments, int threads, IndexCheck check, ExportPath path) {
    this(segments, threads, check, path, ExportCodec.BEST_SPEED);
  }
}
