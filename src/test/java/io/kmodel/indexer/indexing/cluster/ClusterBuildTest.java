package io.kmodel.indexer.indexing.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.indexing.IndexFilesHash;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.DuplicateIdException;
import io.kmodel.indexer.indexing.options.Duplicates;
import io.kmodel.indexer.indexing.options.IndexedText;
import io.kmodel.indexer.indexing.options.NearDuplicates;
import io.kmodel.indexer.indexing.options.Recovery.Start;
import io.kmodel.indexer.indexing.options.Store;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.parse.html.HtmlMode;
import io.kmodel.indexer.source.Format;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.warc.Warcs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.netpreserve.jwarc.WarcCompression;

/**
 * A cluster makes the index that one machine makes, byte for byte, whatever becomes of its tasks.
 */
class ClusterBuildTest extends ClusterBuilds {
  @ParameterizedTest
  @CsvSource({"1, 3000", "2, 20000", "3, 1000000"})
  void theIndexAndItsReportAreThoseOfOneMachine(int threads, long splitBytes) throws Exception {
    BuildReport expected = local(options("whole", Duplicates.KEEP));
    BuildReport made =
        cluster(
            options("made", Duplicates.KEEP),
            new ThreadEngine(threads, NO_SCRATCH),
            Start.FRESH,
            splitBytes);
    assertSame("made", "whole");
    assertThat(made)
        .usingRecursiveComparison()
        .ignoringFields(
            "output", "seconds", "runs", "peakMemoryBytes", "sorting", "oneCore", "phases", "work")
        .ignoringFields("execution")
        .isEqualTo(expected);
    assertThat(BuildReport.read(directory.resolve("made"))).isEqualTo(made);
  }

  @Test
  void documentsWithIdsOfOtherSplitsAreLeftOut() throws Exception {
    BuildReport expected = local(options("whole", Duplicates.SKIP));
    BuildReport made =
        cluster(options("made", Duplicates.SKIP), new ThreadEngine(2, NO_SCRATCH), Start.FRESH);
    assertSame("made", "whole");
    assertThat(made.skipped()).isEqualTo(expected.skipped()).containsKey("duplicate id");
  }

  @Test
  void duplicatesCanBeErrors() throws IOException {
    BuildOptions options = options("made", Duplicates.ERROR);
    assertThatThrownBy(() -> cluster(options, new ThreadEngine(1, NO_SCRATCH), Start.FRESH))
        .isInstanceOf(DuplicateIdException.class)
        .hasMessageContaining("has the id of an earlier document");
    assertThat(directory.resolve("made.cluster")).doesNotExist();
    assertThat(messages).isEmpty();
  }

  @Test
  void duplicatesInOtherSplitsAreErrorsToo() {
    roots.removeFirst();
    roots.add(roots.getFirst());
    BuildOptions options = options("made", Duplicates.ERROR);
    assertThatThrownBy(() -> cluster(options, new ThreadEngine(1, NO_SCRATCH), Start.FRESH, 1000))
        .isInstanceOf(DuplicateIdException.class)
        .hasMessageContaining("lines-0.jsonl has the id of an earlier one");
  }

  @Test
  void aCrawlWithoutFilesGivesAnEmptyIndex() throws Exception {
    roots.clear();
    roots.add(directory.resolve("empty"));
    local(options("whole", Duplicates.KEEP));
    cluster(options("made", Duplicates.KEEP), new ThreadEngine(1, NO_SCRATCH), Start.FRESH);
    assertSame("made", "whole");
  }

  /** Fails at first, runs some tasks twice, and takes the result of either attempt. */
  private static final class FlakyEngine implements TaskEngine {
    private final Random choice = new Random(5);

    @Override
    public Path scratch() {
      return NO_SCRATCH;
    }

    @Override
    public int slots() {
      return 2;
    }

    @Override
    public void run(String stage, List<String> tasks, Results results)
        throws IOException, InterruptedException {
      List<String> shuffled = new ArrayList<>(tasks);
      Collections.shuffle(shuffled, choice);
      for (String task : shuffled) {
        String first = Tasks.run(task, 1, NO_SCRATCH);
        String second = Tasks.run(task, 1, NO_SCRATCH);
        assertThat(first).isNotEqualTo(second);
        results.accept(choice.nextBoolean() ? first : second);
        // A loser that ends late.
        Tasks.run(task, 1, NO_SCRATCH);
      }
    }
  }

  @Test
  void attemptsThatDoNotCountChangeNothing() throws Exception {
    local(options("whole", Duplicates.SKIP));
    cluster(options("made", Duplicates.SKIP), new FlakyEngine(), Start.FRESH);
    assertSame("made", "whole");
  }

  /** The comparison can fail: here two ranges have changed places. */
  @Test
  void rangesInAnotherOrderGiveNoIndex() throws Exception {
    local(options("whole", Duplicates.KEEP));
    TaskEngine engine =
        new ChangingEngine(
            "merge",
            tasks -> {
              String first = tasks.getFirst();
              tasks.set(0, tasks.get(1).replace("\"number\":1,", "\"number\":0,"));
              tasks.set(1, first.replace("\"number\":0,", "\"number\":1,"));
            });
    assertThatThrownBy(() -> cluster(options("made", Duplicates.KEEP), engine, Start.FRESH))
        .hasMessageContaining("out of order");
    assertThat(directory.resolve("made")).doesNotExist();
  }

  /** The same: here a split is left out. */
  @Test
  void anIndexWithoutASplitIsAnotherOne() throws Exception {
    local(options("whole", Duplicates.KEEP));
    roots.removeLast();
    roots.removeLast();
    cluster(options("made", Duplicates.KEEP), new ThreadEngine(1, NO_SCRATCH), Start.FRESH);
    assertThat(IndexFilesHash.of(directory.resolve("made")))
        .isNotEqualTo(IndexFilesHash.of(directory.resolve("whole")));
  }

  @Test
  void onlyOneMachineFindsNearDuplicates() {
    BuildOptions options =
        options("made", Duplicates.KEEP)
            .withNearDuplicates(new NearDuplicates(NearDuplicates.Policy.SKIP, 0.9));
    assertThatThrownBy(() -> cluster(options, new ThreadEngine(1, NO_SCRATCH), Start.FRESH))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("near duplicates");
  }

  /** An archive in an archive looks like records where there are none. */
  @Test
  void aPieceThatMissesTheNextOneIsReadToTheEndOfItsFile() throws Exception {
    Path file = Files.write(directory.resolve("nested.warc"), nested());
    roots.clear();
    roots.add(file);
    BuildReport expected = local(options("whole", Duplicates.SKIP));
    BuildReport made =
        cluster(
            options("made", Duplicates.SKIP),
            new ThreadEngine(2, NO_SCRATCH),
            Start.FRESH,
            4 << 20);
    assertSame("made", "whole");
    assertThat(made.documents()).isEqualTo(expected.documents()).isEqualTo(200);
  }

  private byte[] nested() throws IOException {
    Random random = new Random(11);
    ByteArrayOutputStream inner = new ByteArrayOutputStream();
    ByteArrayOutputStream outer = new ByteArrayOutputStream();
    ByteArrayOutputStream after = new ByteArrayOutputStream();
    for (int i = 0; i < 100; i++) {
      inner.writeBytes(
          Warcs.write(WarcCompression.GZIP, Warcs.html("http://inner/" + i, text(random))));
      outer.writeBytes(
          Warcs.write(WarcCompression.NONE, Warcs.html("http://outer/" + i, text(random))));
      after.writeBytes(
          Warcs.write(WarcCompression.NONE, Warcs.html("http://after/" + i, text(random))));
    }
    byte[] nested = inner.toByteArray();
    byte[] plain = Warcs.write(WarcCompression.NONE, Warcs.html("http://nested/p", "plain"));
    return Warcs.concat(
        outer.toByteArray(),
        Warcs.write(
            WarcCompression.NONE,
            Warcs.response(
                "http://a/inner.warc",
                "application/warc",
                Warcs.concat(nested, "\n".getBytes(StandardCharsets.US_ASCII), plain, nested))),
        after.toByteArray());
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    while (text.length() < 60_000) {
      text.append(Long.toString(random.nextLong() & 0xFFFFFFFFFFL, 36)).append(' ');
    }
    return text.toString();
  }

  @Test
  void vectorsAreIndexedWithTheirWeights() throws Exception {
    Path file = directory.resolve("vectors.jsonl");
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 300; i++) {
      lines.append("{\"id\":\"%d\",\"vector\":{\"a\":%d,\"b%d\":2}}\n".formatted(i, i + 1, i % 7));
    }
    Files.writeString(file, lines);
    roots.clear();
    roots.add(file);
    for (String output : List.of("whole", "made")) {
      BuildOptions options =
          new BuildOptions(
              ImmutableList.copyOf(roots),
              new SourceOptions(
                  Format.VECTORS,
                  SourceOptions.DEFAULT.docno(),
                  SourceOptions.DEFAULT.maxDocumentBytes(),
                  SourceOptions.DEFAULT.maxExpansion()),
              Duplicates.KEEP,
              directory.resolve(output),
              false,
              HtmlMode.FAST,
              IndexedText.ofVectors(Store.ID),
              new BuildOptions.Resources(1, BuildOptions.Resources.MIN_MEMORY_BYTES));
      if (output.equals("whole")) {
        local(options);
      } else {
        cluster(options, new ThreadEngine(1, NO_SCRATCH), Start.FRESH);
      }
    }
    assertSame("made", "whole");
  }
}
