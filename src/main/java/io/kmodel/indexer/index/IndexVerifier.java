package io.kmodel.indexer.index;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Checks that an index is whole and agrees with itself: the checksums of all files that it names
 * (which leaves out what a build puts beside them), then everything decoded, recounted and compared
 * with what the index says of it. Stops at the first thing that is wrong. Memory: 4 bytes a
 * document, off the heap, and the buffers of a sequential walk. Time: that of reading every file
 * twice and decoding it once.
 */
public final class IndexVerifier {
  private IndexVerifier() {}

  /**
   * Reads everything. Progress is in bytes, and counts every file's twice.
   *
   * @throws io.kmodel.indexer.store.CorruptIndexException at the first thing that is wrong
   */
  public static VerificationResult verify(Path directory, ProgressListener progress)
      throws IOException {
    try (InvertedIndex index = InvertedIndex.openVerified(directory, progress)) {
      long bytes = index.metadata().bytes();
      long done = bytes;
      long storedBlocks = 0;
      if (IndexFiles.hasStoredFields(index.schema())) {
        storedBlocks = verifyStoredDocuments(index);
        done += index.file(IndexFiles.DOCUMENTS).bytes();
        progress.progress(done, 2 * bytes);
      }
      long before = done;
      try (PostingsVerifier postings = new PostingsVerifier(index)) {
        long total = 2 * bytes;
        postings.verify(read -> progress.progress(Math.min(before + read, total), total));
        progress.progress(total, total);
        return new VerificationResult(
            bytes,
            index.documentCount(),
            postings.terms(),
            postings.postings(),
            postings.positions(),
            storedBlocks);
      }
    }
  }

  private static long verifyStoredDocuments(InvertedIndex index) throws IOException {
    try (StoredDocumentsReader documents = index.storedDocuments()) {
      documents.verify();
      return documents.blocks();
    }
  }
}
