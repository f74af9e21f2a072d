package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.Tier;
import io.kmodel.indexer.cli.Program.Ended;
import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.store.disk.Directories;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The program is killed at random moments, and continues with {@code --resume} to the bytes of an
 * undisturbed build. {@code -Dindexer.seed=…} has it killed at other moments.
 */
@Timeout(3600)
class KillIT extends KilledBuild {
  private static final int KILLS = Tier.pick(2, 200);

  @Test
  void aBuildThatIsKilledAtRandomMomentsIsGoneOnWithToTheSameBytes()
      throws IOException, InterruptedException {
    long seed = Long.getLong("indexer.seed", 20261121);
    Random random = new Random(seed);
    int kills = 0;
    int builds = 0;
    int resumed = 0;
    while (kills < KILLS || builds == 0) {
      long start = System.nanoTime();
      Process process = program.start(List.of(), Corpus.arguments(corpus, output));
      boolean ended =
          process.waitFor(kills < KILLS ? moment(random) : Long.MAX_VALUE, TimeUnit.MILLISECONDS);
      if (!ended) {
        process.destroyForcibly();
        kills++;
      }
      Ended how = program.end(process);
      boolean isResumed = how.err().contains("resuming with");
      resumed += isResumed ? 1 : 0;
      if (ended && !isResumed) {
        // The first build was slow, as where others had the machine just then.
        undisturbedMillis = Math.min(undisturbedMillis, millisSince(start));
      }
      assertThat(how.exitCode())
          .as("kill %d of seed %d: %s", kills, seed, how.err())
          .isIn(ExitCode.OK, KILLED);
      if (how.exitCode() == ExitCode.OK) {
        assertThat(Corpus.files(output)).as("seed %d", seed).isEqualTo(expected);
        assertThat(building()).doesNotExist();
        Directories.deleteTree(output);
        builds++;
      } else if (Files.exists(output)) {
        // It was killed after the index was in its place.
        assertThat(Corpus.files(output)).as("seed %d", seed).isEqualTo(expected);
        Directories.deleteTree(output);
        Directories.deleteTree(building());
        builds++;
      }
    }
    System.out.printf(
        "seed %d: %d kills, %d builds went on, %d indexes, all the same%n",
        seed, kills, resumed, builds);
  }

  /** Java takes a third of the time to start. */
  private static long moment(Random random) {
    return undisturbedMillis / 3 + random.nextLong(undisturbedMillis * 2 / 3);
  }
}
