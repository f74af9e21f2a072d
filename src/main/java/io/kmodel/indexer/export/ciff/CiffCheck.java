package io.kmodel.indexer.export.ciff;

import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.task.Interruption;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.function.LongConsumer;

/**
 * Reads a newly written file completely. Checks that every message is complete, terms and documents
 * ascend, df and cf match the postings ({@link CiffReader}), and the header is as intended. Like
 * CIFF's reference reader, it also checks that the frequencies sum to the header's total, and so do
 * the lengths if they are exact.
 */
final class CiffCheck {
  private CiffCheck() {}

  /**
   * Checks a file.
   *
   * @param tokens the sum of the frequencies
   * @param exact whether lengths must sum to that, too
   * @param progress receives the number of further postings and documents read
   * @return postings of all lists
   * @throws ClosedByInterruptException if the thread is interrupted before the end
   */
  static long check(
      Path file, CiffHeader expected, long tokens, boolean exact, LongConsumer progress)
      throws IOException {
    try (CiffReader reader = CiffReader.open(file)) {
      if (!reader.header().equals(expected)) {
        throw new CorruptIndexException(
            file.toString(), "header is %s, expected %s".formatted(reader.header(), expected));
      }
      int[] docs = new int[PostingsCursor.BLOCK];
      int[] freqs = new int[PostingsCursor.BLOCK];
      PostingsCursor lists = reader.lists(0);
      while (lists.nextTerm()) {
        for (int n; (n = lists.nextDocs(docs, freqs)) > 0; ) {
          Interruption.requireNone();
          progress.accept(n);
        }
      }
      while (reader.nextDocument()) {
        Interruption.requireNone();
        progress.accept(1);
      }
      requireSum(file, "frequencies", reader.totalFrequency(), tokens);
      if (exact) {
        requireSum(file, "lengths", reader.totalLength(), tokens);
      }
      return reader.postings();
    }
  }

  private static void requireSum(Path file, String what, long sum, long expected)
      throws CorruptIndexException {
    if (sum != expected) {
      throw new CorruptIndexException(
          file.toString(), "%s sum to %d, expected %d".formatted(what, sum, expected));
    }
  }
}
