package io.kmodel.indexer.index.postings;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.IndexFiles;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.store.OutputFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What follows the last block of a term, number by number as the grammar has it. */
class DocsWriterTest {
  @TempDir private Path directory;

  @Test
  void tailsOfEveryLengthHaveTheirGapsAndFrequencies() throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    for (int count = 2; count < PostingsCursor.BLOCK; count++) {
      int[] docs = IntStream.range(0, count).map(i -> 1000 * i + random.nextInt(1000)).toArray();
      int[] freqs = IntStream.range(0, count).map(i -> 1 + random.nextInt(3)).toArray();
      assertTail(docs, freqs);
    }
  }

  @Test
  void soDoTheLongestOnesWithTheLargestNumbers() throws IOException {
    int[] docs = IntStream.range(0, PostingsCursor.BLOCK - 1).toArray();
    docs[docs.length - 1] = PostingList.END - 1;
    int[] freqs = new int[docs.length];
    for (int freq : new int[] {1, 2, 3, Integer.MAX_VALUE}) {
      Arrays.fill(freqs, freq);
      assertTail(docs, freqs);
    }
  }

  private void assertTail(int[] docs, int[] freqs) throws IOException {
    for (Detail detail : new Detail[] {Detail.DOCUMENTS, Detail.FREQUENCIES}) {
      Path written = directory.resolve("written");
      Path expected = directory.resolve("expected");
      try (OutputFile out = OutputFile.create(written, IndexFiles.DOCS, 1)) {
        DocsWriter writer = new DocsWriter(out, new SkipTableWriter());
        writer.startTerm(detail);
        writer.add(docs, freqs, docs.length);
        writer.finishTerm(false, 0);
        out.commitUnforced();
      }
      try (OutputFile out = OutputFile.create(expected, IndexFiles.DOCS, 1)) {
        write(docs, freqs, detail, out);
        out.commitUnforced();
      }
      assertThat(written).hasSameBinaryContentAs(expected);
    }
  }

  private static void write(int[] docs, int[] freqs, Detail detail, OutputFile out)
      throws IOException {
    int previous = -1;
    for (int i = 0; i < docs.length; i++) {
      int gap = docs[i] - previous - 1;
      previous = docs[i];
      if (!detail.hasFrequencies()) {
        out.writeVInt(gap);
      } else if (freqs[i] == 1) {
        out.writeVInt(gap << 1 | 1);
      } else {
        out.writeVInt(gap << 1);
        out.writeVInt(freqs[i] - 2);
      }
    }
  }
}
