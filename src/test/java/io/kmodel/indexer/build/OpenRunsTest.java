package io.kmodel.indexer.build;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.kmodel.indexer.index.Detail;
import io.kmodel.indexer.index.Field;
import io.kmodel.indexer.index.PostingsCursor;
import io.kmodel.indexer.index.Schema;
import io.kmodel.indexer.merge.MergingCursor;
import io.kmodel.indexer.merge.TermRange;
import io.kmodel.indexer.parse.DocumentAnalysis;
import io.kmodel.indexer.run.RunBuilder;
import io.kmodel.indexer.sort.RadixKeySorter;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the runs of a merge take, of the memory that it has. */
class OpenRunsTest {
  private static final long MEMORY = 2 << 20;

  /** In each run. */
  private static final int TERMS = 6;

  private static final Schema SCHEMA =
      Schema.of(List.of(new Field(Schema.ID, Detail.DOCUMENTS, false, false)));

  @TempDir Path directory;

  /** Only buffers counted; in the heap of a small build there was no room for the terms. */
  @ParameterizedTest
  @CsvSource({"1, 20", "1, 21", "1, 45", "2, 10", "4, 5", "4, 30"})
  void cursorsTakeWhatThereIsWithTermsAsLongAsTheyMayBe(int threads, int runs) throws Exception {
    List<Path> files = writeRuns(runs);
    OpenRuns.Limits limits = new OpenRuns.Limits(threads, MEMORY, 512);
    try (Workers workers = new Workers("test", threads);
        OpenRuns open = OpenRuns.open(files, SCHEMA, workers, limits)) {
      // The first time classes are loaded, too.
      walk(open, 1);
      ThreadMXBean bean = (ThreadMXBean) ManagementFactory.getThreadMXBean();
      long before = bean.getCurrentThreadAllocatedBytes();
      int terms = walk(open, threads);
      assertThat(bean.getCurrentThreadAllocatedBytes() - before).isLessThan(MEMORY);
      assertThat(terms).isEqualTo(threads * runs * TERMS);
    }
  }

  /** Reads all terms, as often as there are threads that would. */
  private static int walk(OpenRuns runs, int times) throws IOException {
    int[] docs = new int[PostingsCursor.BLOCK];
    int[] freqs = new int[PostingsCursor.BLOCK];
    int terms = 0;
    for (int i = 0; i < times; i++) {
      try (MergingCursor merged = OpenRuns.cursor(runs.runs(), TermRange.ALL, runs.bufferBytes())) {
        for (; merged.nextTerm(); terms++) {
          merged.nextDocs(docs, freqs);
        }
      }
    }
    return terms;
  }

  private List<Path> writeRuns(int count) throws IOException {
    Random random = new Random(7);
    List<Path> files = new ArrayList<>();
    try (RunBuilder builder = new RunBuilder(SCHEMA, 2 << 20)) {
      for (int run = 0; run < count; run++) {
        for (int doc = 0; doc < TERMS; doc++) {
          byte[] id = new byte[DocumentAnalysis.MAX_TERM_BYTES];
          random.nextBytes(id);
          builder.startDocument();
          builder.add(0, id, 0, id.length - doc, 0);
          builder.finishDocument();
        }
        builder.sort(new RadixKeySorter());
        Path file = directory.resolve("run-%02d.postings".formatted(run));
        builder.writeRun(file);
        files.add(file);
        builder.reset();
      }
    }
    return files;
  }
}
