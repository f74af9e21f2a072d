package io.kmodel.indexer.index.verify;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.documents.StoredDocumentsReader;
import io.kmodel.indexer.index.model.IndexFiles;
import io.kmodel.indexer.index.model.ProgressListener;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Checks that an index is complete and consistent. It checks the checksums of all files that the
 * index names, ignoring other files in the directory. Then it decodes everything and compares the
 * counts with the recorded ones. Stops at the first error. Memory: 4 bytes per document off-heap,
 * and the buffers of a sequential walk. Time: reads every file twice and decodes it once.
 */
public final class IndexVerifier {
  private IndexVerifier() {}

  /**
   * Reads the whole index. Progress is in bytes, and counts every file twice.
   *
   * @throws io.kmodel.indexer.store.CorruptIndexException at the first error
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
      for (int i = 0; i < index.schema().columns().size(); i++) {
        index.columns().reader(i).verify(index.metadata().columns().get(i));
      }
      long before = done;
      try (PostingsVerifier postings = new PostingsVerifier(index)) {
        long total = 2 * bytes;
        postings.verify(read -> progress.progress(Math.min(before + read, total), total));
        progress.progress(total, total);
        return new VerificationResult(
            files(index),
            bytes,
            index.documentCount(),
            postings.terms(),
            postings.postings(),
            postings.positions(),
            storedBlocks);
      }
    }
  }

  private static ImmutableList<String> files(InvertedIndex index) {
    return ImmutableList.<String>builder()
        .add(InvertedIndex.METADATA)
        .addAll(index.metadata().files().keySet())
        .build();
  }

  private static long verifyStoredDocuments(InvertedIndex index) throws IOException {
    try (StoredDocumentsReader documents = index.storedDocuments()) {
      documents.verify();
      return documents.blocks();
    }
  }
}
