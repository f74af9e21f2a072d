package io.kmodel.indexer.index.postings;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.IndexFiles;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.store.OutputFile;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bits of gaps, compared with what the writer writes. */
class GapBitsTest {
  private static final int BLOCK = PostingsCursor.BLOCK;

  @TempDir Path directory;

  /** Frequencies of 1 add a constant: two bytes to a block and nothing to other documents. */
  @ParameterizedTest
  @ValueSource(ints = {2, 100, 255, 256, 257, 512, 1000})
  void theyAreThoseThatTheWriterWrites(int docFreq) throws Exception {
    Random random = new Random(docFreq);
    int[] docs = random.ints(0, 1 << 22).distinct().limit(docFreq).sorted().toArray();
    int[] freqs = new int[docFreq];
    Arrays.fill(freqs, 1);
    GapBits gaps = new GapBits();
    SkipTableWriter skips = new SkipTableWriter();
    long written = 0;
    try (OutputFile out =
        OutputFile.create(directory.resolve("docs"), IndexFiles.DOCS, IndexFiles.VERSION)) {
      DocsWriter writer = new DocsWriter(out, skips);
      skips.clear();
      writer.startTerm(Detail.FREQUENCIES);
      long start = out.position();
      long table = 0;
      for (int from = 0; from < docFreq; from += BLOCK) {
        int[] chunk = Arrays.copyOfRange(docs, from, Math.min(docFreq, from + BLOCK));
        writer.add(chunk, freqs, chunk.length);
        gaps.add(chunk, chunk.length);
      }
      gaps.finishTerm();
      writer.finishTerm(false, 0);
      written = out.position() - start;
      if (docFreq >= BLOCK) {
        long before = out.position();
        skips.write(out, false, 0);
        table = out.position() - before;
      }
      written -= table + 2L * (docFreq / BLOCK);
    }
    assertThat(gaps.perGap()).isCloseTo(8.0 * written / docFreq, Offset.offset(1e-9));
  }

  @Test
  void logGapIsTheMeanLogarithm() {
    GapBits gaps = new GapBits();
    gaps.add(new int[] {0, 4, 4 + (1 << 20)}, 3);
    gaps.finishTerm();
    gaps.add(new int[] {77}, 1);
    gaps.finishTerm();
    GapBits all = new GapBits();
    all.add(gaps);
    assertThat(all.logGap()).isCloseTo(22.0 / 3, Offset.offset(1e-6));
    assertThat(new GapBits().logGap()).isZero();
    assertThat(new GapBits().perGap()).isZero();
  }
}
