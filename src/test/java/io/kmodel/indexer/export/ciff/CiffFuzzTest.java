package io.kmodel.indexer.export.ciff;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.kmodel.indexer.index.model.PostingsCursor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.io.TempDir;

/** Any bytes as a CIFF file: postings that can be, or a MalformedCiffException with its offset. */
class CiffFuzzTest {
  @TempDir Path directory;

  @FuzzTest
  void aFileReadsInOrderOrAsMalformed(byte[] input) throws IOException {
    Path file = Files.write(directory.resolve("file"), input);
    try (CiffReader reader = CiffReader.open(file)) {
      CiffHeader header = reader.header();
      long lists = walk(reader.lists(0), header);
      assertThat(lists).isEqualTo(header.postingsLists());
      long documents = 0;
      long tokens = 0;
      while (reader.nextDocument()) {
        assertThat(reader.documentLength()).isNotNegative();
        tokens += reader.documentLength();
        documents++;
      }
      assertThat(documents).isEqualTo(header.documents());
      assertThat(reader.totalLength()).isEqualTo(tokens);
    } catch (MalformedCiffException e) {
      assertThat(e).hasMessageContaining(file + ": before offset ");
    }
  }

  /** Walks every list, counts them, and wants each to hold what it says. */
  private static long walk(PostingsCursor cursor, CiffHeader header) throws IOException {
    int[] docs = new int[PostingsCursor.BLOCK];
    int[] freqs = new int[PostingsCursor.BLOCK];
    byte[] last = {};
    long lists = 0;
    for (; cursor.nextTerm(); lists++) {
      byte[] term = Arrays.copyOf(cursor.term(), cursor.termLength());
      assertThat(Arrays.compareUnsigned(term, last)).as("order of terms").isPositive();
      last = term;
      long postings = 0;
      long occurrences = 0;
      int lastDoc = -1;
      for (int n = cursor.nextDocs(docs, freqs); n > 0; n = cursor.nextDocs(docs, freqs)) {
        for (int i = 0; i < n; i++) {
          assertThat(docs[i]).isGreaterThan(lastDoc);
          assertThat(freqs[i]).isPositive();
          lastDoc = docs[i];
          occurrences += freqs[i];
        }
        postings += n;
      }
      assertThat(lastDoc).isLessThan(header.documents());
      assertThat(postings).isEqualTo(cursor.docFreq());
      assertThat(occurrences).isEqualTo(cursor.totalTermFreq());
    }
    return lists;
  }
}
