package io.kmodel.indexer.source;

import java.io.IOException;

/**
 * A contiguous part of a collection that one thread reads: one or more whole units (see {@link
 * RawDocument#unit}).
 */
public interface Split {
  /** Position in the collection, 0-based. */
  int ordinal();

  /** Identifies where it begins and ends: differs for any other part of the collection. */
  String borders();

  /** Bytes in the file system, as listed; for balancing and progress. */
  long bytes();

  /**
   * Announces that the split will be opened. If splits read pieces of one compressed file, those
   * that are claimed, in order, share its decompression.
   */
  void claim();

  /** Announces that no other claimed split will be opened. */
  void release() throws IOException;

  /**
   * Reads the split's documents.
   *
   * @param skips receives what is skipped
   * @param heap grants heap before a large document is read
   */
  DocumentReader open(SkipListener skips, HeapGuard heap) throws IOException;

  /**
   * How many splits after this one read other pieces of the same file. If a border was missed,
   * {@link #withRest} reads what this split and those should have read.
   */
  int piecesAfter();

  /** The split that reads from this one's start to the end of its file. */
  Split withRest();

  /**
   * The same split, read without memory that others may have taken. That takes as long as reading
   * the file up to there, and may report a missed border where none was missed.
   */
  Split alone();

  /** The same, with unlimited heap. */
  default DocumentReader open(SkipListener skips) throws IOException {
    return open(skips, HeapGuard.UNLIMITED);
  }
}
