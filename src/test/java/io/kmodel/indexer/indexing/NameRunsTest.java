package io.kmodel.indexer.indexing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.equality.Schemas;
import io.kmodel.indexer.equality.Schemas.Stored;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.indexing.merge.OpenRuns;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.merge.MergingCursor;
import io.kmodel.indexer.merge.TermRange;
import io.kmodel.indexer.task.Workers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No name is lost between two runs. */
class NameRunsTest {
  private static final int DOCUMENTS = 5000;

  @TempDir Path directory;

  @Test
  void everyNameIsFoundWithItsDocumentsWhateverRunsTheyAreIn() throws Exception {
    Schema schema = Schemas.of(Detail.FREQUENCIES, Stored.IDS);
    Map<String, List<Integer>> expected = new TreeMap<>();
    List<Path> runs;
    try (NameRuns names = new NameRuns(Path.of("file"), schema, directory, 64 << 10)) {
      for (int doc = 0; doc < DOCUMENTS; doc++) {
        // Each of them twice, and in no order.
        String name = "name" + doc * 7919L % (DOCUMENTS / 2);
        names.add(name.getBytes(StandardCharsets.UTF_8));
        expected.computeIfAbsent(name, n -> new ArrayList<>()).add(doc);
      }
      runs = names.seal();
    }
    assertThat(runs).hasSizeGreaterThan(2).isSorted();
    try (Workers workers = new Workers("test", 1);
        OpenRuns open =
            OpenRuns.open(runs, schema, workers, new OpenRuns.Limits(1, 64 << 20, 512))) {
      assertThat(documents(open)).isEqualTo(expected);
      assertThat(OpenRuns.documents(open.runs())).isEqualTo(DOCUMENTS);
    }
  }

  /** By term without the number of its field. */
  private static Map<String, List<Integer>> documents(OpenRuns runs) throws IOException {
    Map<String, List<Integer>> found = new TreeMap<>();
    int[] docs = new int[PostingsCursor.BLOCK];
    int[] freqs = new int[PostingsCursor.BLOCK];
    try (MergingCursor merged = OpenRuns.cursor(runs.runs(), TermRange.ALL, runs.bufferBytes())) {
      while (merged.nextTerm()) {
        String term = new String(merged.term(), 1, merged.termLength() - 1, StandardCharsets.UTF_8);
        List<Integer> ofTerm = found.computeIfAbsent(term, t -> new ArrayList<>());
        for (int n = merged.nextDocs(docs, freqs); n > 0; n = merged.nextDocs(docs, freqs)) {
          for (int i = 0; i < n; i++) {
            ofTerm.add(docs[i]);
          }
        }
      }
    }
    return found;
  }

  @Test
  void withoutNamesThereIsNoRun() throws IOException {
    Schema schema = Schemas.of(Detail.FREQUENCIES, Stored.IDS);
    try (NameRuns names = new NameRuns(Path.of("file"), schema, directory, 64 << 10)) {
      assertThat(names.seal()).isEmpty();
      byte[] large = new byte[1 << 20];
      assertThatThrownBy(() -> names.add(large))
          .isInstanceOf(BuildException.class)
          .hasMessage("file: the name of document 0 has 1048576 bytes, too many for a run");
    }
    assertThat(directory).isEmptyDirectory();
  }
}
