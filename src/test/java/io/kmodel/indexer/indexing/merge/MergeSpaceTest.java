package io.kmodel.indexer.indexing.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.kmodel.indexer.index.WriterCheckpoint;
import io.kmodel.indexer.indexing.IndexFilesHash;
import io.kmodel.indexer.indexing.Indexing;
import io.kmodel.indexer.indexing.InterruptedBuild;
import io.kmodel.indexer.indexing.Target;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.options.Recovery;
import io.kmodel.indexer.indexing.options.Recovery.Start;
import io.kmodel.indexer.indexing.report.BuildProgress;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How much room a merge asks for, told by what it says where there is none. */
class MergeSpaceTest extends InterruptedBuild {
  private static final Pattern REFUSAL =
      Pattern.compile(
          "of runs of ([0-9,]+) .*documents of ([0-9,]+)\\) takes about ([0-9,]+) bytes");

  /** What was asked for, and the bytes that it was counted from. */
  private record Asked(long runs, long stored, long all) {}

  @Test
  void asMuchAsTheRunsAndTheStoredDocumentsTake() throws IOException {
    Asked asked = refused(recovery(Start.FRESH), plan());
    assertThat(asked.runs).isEqualTo(bytesOfRuns(".postings")).isPositive();
    assertThat(asked.stored).isEqualTo(bytesOfRuns(".documents")).isPositive();
    assertThat(asked.all).isEqualTo(asked.runs + asked.stored);
  }

  /** They may have to be written meanwhile. */
  @Test
  void twiceAsMuchForRunsThatWaitInMemory() throws IOException {
    // That are not sealed at once, which writes them.
    Recovery later = new Recovery(Start.FRESH, Duration.ofHours(1), notices::add);
    Asked asked = refused(later, new MemoryPlan(1 << 30, 1 << 20, 8 << 20, 256 << 20, 1 << 28));
    assertThat(asked.all).isEqualTo(asked.runs + asked.stored);
    assertThat(asked.runs).isGreaterThan(bytesOfRuns(".postings") * 3 / 2);
  }

  @Test
  void notWhatWasMergedBefore() throws IOException {
    interruptMerge();
    WriterCheckpoint index = saved().index();
    assertThat(index).isNotNull();
    Asked asked = refused(recovery(Start.RESUME), plan());
    assertThat(asked.all)
        .isEqualTo(asked.runs + asked.stored - index.docs().bytes() - index.positions().bytes());
  }

  @Test
  void asMuchAsLargerRunsTakeInThePlaceOfThoseTheyWereMadeOf() throws Exception {
    interruptPass();
    Asked asked = refused(recovery(Start.RESUME), TWO_AT_A_TIME);
    assertThat(asked.runs).isEqualTo(bytesOfRuns(".postings"));
    faults.stop();
    build(output, Start.RESUME, TWO_AT_A_TIME);
    assertThat(IndexFilesHash.of(output)).isEqualTo(undisturbed());
  }

  private Asked refused(Recovery recovery, MemoryPlan plan) {
    faults.leaveFree(0);
    FileSystemException refusal =
        catchThrowableOfType(
            FileSystemException.class,
            () ->
                new Indexing(
                        options(crawl, system.through(output), 2),
                        Target.ownIndex(),
                        new BuildProgress(),
                        plan)
                    .withRecovery(recovery)
                    .run());
    Matcher told = REFUSAL.matcher(refusal.getMessage());
    assertThat(told.find()).as(refusal.getMessage()).isTrue();
    return new Asked(number(told, 1), number(told, 2), number(told, 3));
  }

  private static long number(Matcher told, int group) {
    return Long.parseLong(told.group(group).replace(",", ""));
  }

  private long bytesOfRuns(String end) throws IOException {
    long bytes = 0;
    try (Stream<Path> files = Files.list(work().resolve("runs"))) {
      for (Path file : files.filter(file -> file.toString().endsWith(end)).toList()) {
        bytes += Files.size(file);
      }
    }
    return bytes;
  }
}
