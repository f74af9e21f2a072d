package io.kmodel.indexer.indexing;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.options.Recovery.Start;
import io.kmodel.indexer.indexing.report.BuildReport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Builds that go on where files of the work before are damaged. */
@Timeout(120)
class ResumeDamagedTest extends InterruptedBuild {
  @Test
  void aMergeWhoseFilesAreDamagedBeginsAnew() throws Exception {
    SortedMap<String, Integer> expected = undisturbed();
    interruptMerge();
    try (Stream<Path> files = Files.walk(work().resolve("index"))) {
      damage(
          files
              .filter(file -> file.toString().endsWith("postings.docs.tmp"))
              .findFirst()
              .orElseThrow());
    }
    resume();
    assertThat(notices).anyMatch(line -> line.startsWith("the merge starts over: "));
    assertThat(IndexFilesHash.of(output)).isEqualTo(expected);
  }

  @Test
  void aSplitWhoseFilesAreDamagedIsReadAgain() throws Exception {
    SortedMap<String, Integer> expected = undisturbed();
    interruptParsing(1);
    Path run = files("-0.000.postings").get(0);
    damage(run);
    Path documents = files("-0.documents").get(1);
    Files.delete(documents);
    resume();
    assertThat(notices)
        .filteredOn(line -> line.contains("is read again"))
        .hasSize(2)
        .anyMatch(line -> line.contains(run + ": checksum "))
        .anyMatch(line -> line.contains(documents + ": file missing"));
    assertThat(IndexFilesHash.of(output)).isEqualTo(expected);
  }

  /**
   * Half of the terms of one reading and half of another are no index: where a document is too
   * large for one of them, all that come after it have other numbers.
   */
  @ParameterizedTest
  @CsvSource({"1024, 512", "512, 1024"})
  void ofASplitThatIsReadAgainWhatWasMergedIsMergedAgain(long kibBefore, long kib)
      throws Exception {
    Files.writeString(
        crawl.resolve("part-00/page-000000a.txt"),
        IntStream.range(0, 8_000).mapToObj(Integer::toString).collect(joining(" ")));
    interruptMerge(runsOf(kibBefore));
    damage(files("-0.000.postings").getFirst());
    BuildReport report = build(output, Start.RESUME, runsOf(kib));
    assertThat(report.documents()).isEqualTo(kib < kibBefore ? DOCUMENTS : DOCUMENTS + 1);
    assertThat(notices).anyMatch(line -> line.startsWith("split 0 is read again: "));
    Path undisturbed = directory.resolve("undisturbed");
    build(undisturbed, Start.FRESH, runsOf(kib));
    assertThat(IndexFilesHash.of(output)).isEqualTo(IndexFilesHash.of(undisturbed));
  }

  @Test
  void nobodyGoesOnWithADamagedSplitWhoseRunsArePartsOfLargerOnes() throws Exception {
    interruptPass();
    Path documents = files("-0.documents").getFirst();
    damage(documents);
    assertThatThrownBy(() -> build(output, Start.RESUME, TWO_AT_A_TIME))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining(documents + ": checksum ")
        .hasMessageEndingWith("; start over with --restart");
    assertThat(output).doesNotExist();
    build(output, Start.RESTART, TWO_AT_A_TIME);
    assertThat(IndexFilesHash.of(output)).isEqualTo(undisturbed());
  }

  private static MemoryPlan runsOf(long kib) {
    return new MemoryPlan(1 << 30, kib << 10, 8 << 20, 256 << 20);
  }
}
