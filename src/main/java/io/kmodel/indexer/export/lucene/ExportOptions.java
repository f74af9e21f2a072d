package io.kmodel.indexer.export.lucene;

import io.kmodel.indexer.export.lucene.segment.ExportCodec;
import io.kmodel.indexer.export.lucene.version.LuceneVersion;
import io.kmodel.indexer.store.disk.DiskSpace;

/**
 * Options of an export.
 *
 * @param segments how many, each a contiguous range of documents; fewer where there are fewer
 *     documents
 * @param threads how many threads write, and check
 * @param check how the result is checked
 * @param codec how well stored fields are compressed
 * @param version the Lucene that writes and checks the index
 * @param space whether the disk must have room
 * @param vectors whether fields of text get term vectors, which only the newest Lucene writes
 */
public record ExportOptions(
    int segments,
    int threads,
    IndexCheck check,
    ExportCodec codec,
    LuceneVersion version,
    DiskSpace space,
    boolean vectors) {
  private static final int MAX_SEGMENTS = 4096;

  /** One segment, checked. */
  public static final ExportOptions DEFAULT = new ExportOptions(1, 1, IndexCheck.CONTENT);

  public ExportOptions {
    if (segments < 1 || segments > MAX_SEGMENTS) {
      throw new IllegalArgumentException(
          "segments must be 1 to %d; got %d".formatted(MAX_SEGMENTS, segments));
    }
    if (threads < 1) {
      throw new IllegalArgumentException("threads must be at least 1; got " + threads);
    }
    if (vectors && version != LuceneVersion.NEWEST) {
      throw new IllegalArgumentException(
          "term vectors are written for Lucene %s only; got %s"
              .formatted(LuceneVersion.NEWEST, version));
    }
  }

  /** Without term vectors. */
  public ExportOptions(
      int segments,
      int threads,
      IndexCheck check,
      ExportCodec codec,
      LuceneVersion version,
      DiskSpace space) {
    this(segments, threads, check, codec, version, space, false);
  }

  /** Options of an export that is refused if the disk has no room. */
  public ExportOptions(
      int segments, int threads, IndexCheck check, ExportCodec codec, LuceneVersion version) {
    this(segments, threads, check, codec, version, DiskSpace.CHECKED);
  }

  /** Compressed as Lucene does by default. */
  public ExportOptions(int segments, int threads, IndexCheck check) {
    this(segments, threads, check, ExportCodec.BEST_SPEED, LuceneVersion.NEWEST);
  }

  /** The same with term vectors or without. */
  public ExportOptions withVectors(boolean whether) {
    return new ExportOptions(segments, threads, check, codec, version, space, whether);
  }
}
