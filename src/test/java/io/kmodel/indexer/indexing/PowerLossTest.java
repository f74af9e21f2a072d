package io.kmodel.indexer.indexing;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.Tier;
import io.kmodel.indexer.faults.Faults;
import io.kmodel.indexer.faults.ForcedDisk;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.indexing.options.Recovery.Start;
import io.kmodel.indexer.indexing.report.BuildProgress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The power fails at every force of a build, and what was not forced is lost. */
@Timeout(600)
class PowerLossTest extends InterruptedBuild {
  private static final int STRIDE = Faults.stride(60);

  static List<Boolean> replacements() {
    return Tier.pick(List.of(true), List.of(false, true));
  }

  /** Both for a new index and for one that replaces another. */
  @ParameterizedTest
  @MethodSource("replacements")
  void aBuildIsGoneOnWithToTheSameBytes(boolean replaces) throws Exception {
    Path disk = Files.createDirectory(directory.resolve("disk"));
    Path target = disk.resolve("index");
    if (replaces) {
      Path earlier = Files.createDirectory(directory.resolve("earlier"));
      Files.writeString(earlier.resolve("a.txt"), "another crawl");
      build(options(earlier, target, 1), new BuildProgress(), Start.FRESH);
    }
    SortedMap<String, Integer> expected = undisturbed();
    SortedMap<String, Integer> before = replaces ? IndexFilesHash.of(target) : expected;
    List<Path> losses = new ArrayList<>();
    try (ForcedDisk forced = new ForcedDisk(disk)) {
      int[] count = {0};
      faults.atForce(
          path -> {
            synchronized (forced) {
              forced.forced(path);
              if (count[0]++ % STRIDE == 0) {
                Path lost = directory.resolve("loss-%04d".formatted(count[0]));
                forced.forcedNames(lost.resolveSibling(lost.getFileName() + "-names"));
                forced.allNames(lost.resolveSibling(lost.getFileName() + "-contents"));
                losses.add(lost.resolveSibling(lost.getFileName() + "-names"));
                losses.add(lost.resolveSibling(lost.getFileName() + "-contents"));
              }
            }
          });
      build(options(crawl, system.through(target), 1, replaces), new BuildProgress(), Start.FRESH);
      faults.atForce(path -> {});
      losses.add(directory.resolve("end"));
      forced.forcedNames(losses.getLast());
    }
    int resumed = 0;
    for (Path lost : losses) {
      resumed += survive(lost, replaces, expected, before) ? 1 : 0;
    }
    System.out.printf("%d losses, %d builds resumed%n", losses.size(), resumed);
    assertThat(resumed).isPositive();
    assertThat(IndexFilesHash.of(losses.getLast().resolve("index"))).isEqualTo(expected);
  }

  /** Returns whether there was work to go on with. */
  private boolean survive(
      Path disk,
      boolean replaces,
      SortedMap<String, Integer> expected,
      SortedMap<String, Integer> before)
      throws IOException, InterruptedException {
    Path index = disk.resolve("index");
    if (Files.exists(index)) {
      try (InvertedIndex whole = InvertedIndex.open(index)) {
        whole.verifyChecksums();
      }
      assertThat(IndexFilesHash.of(index)).as("%s", disk).isIn(expected, before);
    }
    notices.clear();
    build(options(crawl, system.through(index), 2, replaces), new BuildProgress(), Start.RESUME);
    assertThat(IndexFilesHash.of(index)).as("%s: %s", disk, notices).isEqualTo(expected);
    assertThat(disk.resolve("index.building")).doesNotExist();
    return notices.stream().anyMatch(line -> line.startsWith("resuming with "));
  }
}
