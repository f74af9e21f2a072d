package io.kmodel.indexer.source;

import java.io.IOException;

/**
 * A contiguous piece of a collection that one thread reads: one or more whole units (see {@link
 * RawDocument#unit}).
 */
public interface Split {
  /** Place in the collection, 0-based. */
  int ordinal();

  /** Where it begins and ends: another text for any other piece of the collection. */
  String borders();

  /** Bytes in the file system, as listed; for balancing and progress. */
  long bytes();

  /**
   * Says that the split will be opened. Of splits that read pieces of one packed file, those that
   * are claimed, in their order, have it unpacked once for all of them.
   */
  void claim();

  /** No more splits that were claimed are opened. */
  void release() throws IOException;

  /**
   * Reads the split's documents.
   *
   * @param skips is told of what is passed over
   * @param heap is asked before a large document is read
   */
  DocumentReader open(SkipListener skips, HeapGuard heap) throws IOException;

  /**
   * How many splits after this one read other pieces of the same file. Where a border was missed,
   * {@link #withRest} reads what this one and these were to read.
   */
  int piecesAfter();

  /** The split that reads from this one's start to the end of its file. */
  Split withRest();

  /**
   * The same split, read in no need of memory that others may have taken. It takes as long as
   * reading the file up to there, and may say that it missed a border where it did not.
   */
  Split alone();

  /** The same, with all the heap that documents want. */
  default DocumentReader open(SkipListener skips) throws IOException {
    return open(skips, HeapGuard.UNLIMITED);
  }
}
