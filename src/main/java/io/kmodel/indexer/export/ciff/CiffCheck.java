package io.kmodel.indexer.export.ciff;

import io.kmodel.indexer.index.PostingsCursor;
import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.store.Interruption;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.function.LongConsumer;

/**
 * Reads a file that was just written from end to end: every message is whole, terms and documents
 * ascend, df and cf are those of the postings ({@link CiffReader}), the header is the one that was
 * meant; and what CIFF's reference reader checks: the frequencies sum to the header's total, and so
 * do the lengths where they are exact.
 */
final class CiffCheck {
  private CiffCheck() {}

  /**
   * Checks a file.
   *
   * @param exact whether lengths are to sum to the number of tokens
   * @param progress is told how many postings and documents more were read
   * @return postings of all lists
   * @throws ClosedByInterruptException if the thread is interrupted before all was read
   */
  static long check(Path file, CiffHeader expected, boolean exact, LongConsumer progress)
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
      requireSum(file, "frequencies", reader.totalFrequency(), expected.totalTerms());
      if (exact) {
        requireSum(file, "lengths", reader.totalLength(), expected.totalTerms());
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
