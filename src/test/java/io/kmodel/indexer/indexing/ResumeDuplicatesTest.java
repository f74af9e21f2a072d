package io.kmodel.indexer.indexing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.Tier;
import io.kmodel.indexer.faults.Faults.Kind;
import io.kmodel.indexer.indexing.journal.Reading;
import io.kmodel.indexer.indexing.journal.RecoveredState;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.Duplicates;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.options.Recovery.Start;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.SourceOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A build that is interrupted when it knows which documents are duplicates, by their numbers, and
 * goes on in memory that gives documents other numbers.
 */
@Timeout(120)
class ResumeDuplicatesTest extends InterruptedBuild {
  /** In the smaller, the large document is passed over by the reader. */
  private static final MemoryPlan SMALL = new MemoryPlan(1 << 30, 1 << 20, 1 << 20, 8 << 20);

  private static final MemoryPlan LARGE = new MemoryPlan(1 << 30, 64 << 20, 1 << 20, 256 << 20);

  private static final int LAST_SPLIT = 4;

  /** With small runs, this rename fails after all splits are read, and before one is read again. */
  private static final int RENAMES_BEFORE_SECOND_READING = Tier.pick(18, 20);

  @BeforeEach
  void writeDuplicates() throws IOException {
    String large = "word ".repeat(200_000);
    Files.writeString(
        crawl.resolve("z.tsv"), "large\t" + large + "\none\tx\ntwo\ty\none\tx\nthree\tz\n");
  }

  @Test
  void whatIsLeftOutIsTheDuplicate() throws Exception {
    interrupt(SMALL, RENAMES_BEFORE_SECOND_READING);
    BuildReport report = skipping(output, SMALL, Start.RESUME);
    assertThat(notices).anyMatch(line -> line.startsWith("resuming with 4 of 5"));
    assertThat(report.documents()).isEqualTo(DOCUMENTS + 3);
    assertThat(report.skipped())
        .containsOnlyKeys(SkipReason.TOO_LARGE.label(), SkipReason.DUPLICATE.label());
    assertThat(report.sharedIds()).isZero();
  }

  @Test
  void otherDocumentsThanThoseThatDuplicatesWereFoundAmongAreRefused() throws Exception {
    interrupt(SMALL, RENAMES_BEFORE_SECOND_READING);
    assertThatThrownBy(() -> skipping(output, LARGE, Start.RESUME))
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(BuildException.class)
        .hasMessageContaining("returned other documents")
        .hasMessageContaining("--restart");
    assertThat(output).doesNotExist();
    assertThat(skipping(output, SMALL, Start.RESUME).documents()).isEqualTo(DOCUMENTS + 3);
  }

  @Test
  void whatFitsNoMoreIsRefusedToo() throws Exception {
    interrupt(LARGE, 12);
    assertThatThrownBy(() -> skipping(output, SMALL, Start.RESUME))
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(BuildException.class)
        .hasMessageContaining("returned other documents");
    assertThat(skipping(output, SMALL, Start.RESTART).documents()).isEqualTo(DOCUMENTS + 3);
  }

  /** Has a build fail when it has read everything, and the split with a duplicate is read again. */
  private void interrupt(MemoryPlan plan, int rename) throws IOException {
    faults.fail(Kind.RENAME, rename);
    assertThatThrownBy(() -> skipping(system.through(output), plan, Start.FRESH))
        .hasStackTraceContaining("injected");
    faults.stop();
    assertThat(output).doesNotExist();
    assertThat(RecoveredState.read(journal()).isDropped(new Reading(LAST_SPLIT, 0))).isTrue();
  }

  private BuildReport skipping(Path target, MemoryPlan plan, Start start)
      throws IOException, InterruptedException {
    BuildOptions options =
        options(crawl, target, 1).withSource(SourceOptions.DEFAULT, Duplicates.SKIP);
    return new Indexing(options, Target.ownIndex(), new BuildProgress(), plan)
        .withRecovery(recovery(start))
        .run();
  }
}
