package io.kmodel.indexer.indexing.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.indexing.cluster.ClusterSimulation.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** The times in docs/dev/scale.md are those of the simulation, with measured times of tasks. */
class ClusterSimulationTest {
  private static final double START_SECONDS = 20;
  private static final double NEVER = 1e18;
  private static final double DAY = 86_400;

  /** Measured on one core, see docs/results: seconds to invert a page. */
  private static final double SECONDS_PER_PAGE = 223e-6;

  /** Seconds to merge the postings of a page. */
  private static final double MERGE_SECONDS_PER_PAGE = 14e-6;

  /** Seconds of a shard in parts of those of its splits, with CheckIndex. */
  private static final double SHARD_PART = 0.59;

  /** Bytes of a page in an archive, in a split, and of its postings. */
  private static final double ARCHIVE_BYTES = 5_620;

  private static final double SPLIT_BYTES = 2_170;
  private static final double POSTINGS_BYTES = 915;

  /** Bytes that a driver joins in a second. */
  private static final double JOINED_BYTES_PER_SECOND = 0.7e9;

  private static final int MOST_SPLITS = 1000;

  /**
   * Times of the splits of 3.65 GB of HTML, 64 MB each, in parts of their mean; Java still compiles
   * during the first.
   */
  private static final double[] RELATIVE = {
    1.87, 0.9, 1.02, 1.64, 0.94, 0.62, 0.46, 0.46, 0.52, 0.57, 0.59, 0.66, 1.03, 1.03, 0.95, 0.84,
    1.44, 1.62, 0.73, 0.89, 0.53, 0.54, 0.75, 1.36, 1.41, 1.64, 1.17, 1.06, 1.13, 1.17, 1.23, 1.28,
    1.37, 1.6, 0.82, 0.66, 0.66, 0.76, 1.44, 1.08, 1.18, 1.4, 0.84, 1.38, 0.98, 0.7, 0.79, 2.0,
    2.08, 2.19, 0.99, 0.85, 0.75, 0.72, 0.66, 0.69, 0.66, 0.67, 0.63, 0.64, 0.64, 0.85, 0.28
  };

  private static List<Double> tasks(int count, double meanSeconds) {
    List<Double> times = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      times.add(RELATIVE[i % RELATIVE.length] * meanSeconds);
    }
    return times;
  }

  @Test
  void withoutFailuresEqualTasksTakeTheirShare() {
    Result result =
        new ClusterSimulation(10, START_SECONDS, NEVER).run(Collections.nCopies(40, 5.0), 1);
    assertThat(result).isEqualTo(new Result(START_SECONDS + 4 * 5, 40, 0));
    Result one = new ClusterSimulation(1, 0, NEVER).run(List.of(1.0, 2.0, 3.0), 1);
    assertThat(one).isEqualTo(new Result(6, 3, 0));
    Result longest = new ClusterSimulation(3, 0, NEVER).run(List.of(1.0, 9.0, 1.0, 1.0), 1);
    assertThat(longest).isEqualTo(new Result(9, 4, 0));
  }

  @Test
  void everyFailureCostsAnAttemptAndTasksAreDoneOnce() {
    List<Double> tasks = tasks(500, 30);
    Result calm = new ClusterSimulation(50, START_SECONDS, NEVER).run(tasks, 7);
    Result rough = new ClusterSimulation(50, START_SECONDS, 600).run(tasks, 7);
    assertThat(calm.failures()).isZero();
    assertThat(rough.failures()).isBetween(10, 60);
    assertThat(rough.attempts()).isEqualTo(500 + rough.failures());
    assertThat(rough.seconds()).isGreaterThan(calm.seconds());
  }

  private static String row(double pages, int shards, int executors) {
    int splits =
        (int)
            Math.min(
                (double) MOST_SPLITS * shards,
                Math.max(4.0 * executors, Math.ceil(pages * ARCHIVE_BYTES / (256 << 20))));
    int ranges = 8 * executors;
    ClusterSimulation cluster = new ClusterSimulation(executors, START_SECONDS, DAY);
    Result invert = cluster.run(tasks(splits, pages * SECONDS_PER_PAGE / splits), 1);
    double merge =
        shards > 1
            ? new ClusterSimulation(executors, 0, DAY)
                .run(tasks(shards, pages * SHARD_PART * SECONDS_PER_PAGE / shards), 2)
                .seconds()
            : new ClusterSimulation(executors, 0, DAY)
                .run(tasks(ranges, pages * MERGE_SECONDS_PER_PAGE / ranges), 2)
                .seconds();
    double join = shards > 1 ? 0 : pages * SPLIT_BYTES / JOINED_BYTES_PER_SECOND;
    return String.format(
        Locale.ROOT,
        "| %s | %s | %,d | %,d | %s | %s | %s | %s | %d | %s | %s |",
        power(pages),
        shards > 1 ? shards + " shards" : "one index",
        executors,
        splits,
        bytes(pages * ARCHIVE_BYTES),
        bytes(pages * SPLIT_BYTES),
        shards > 1 ? "–" : bytes(pages * POSTINGS_BYTES),
        minutes(invert.seconds()),
        invert.failures(),
        minutes(merge),
        minutes(Math.max(0, join - merge)));
  }

  private static String power(double pages) {
    int exponent = (int) Math.floor(Math.log10(pages) + 1e-9);
    long factor = Math.round(pages / Math.pow(10, exponent));
    return (factor == 1 ? "" : factor + "·") + "10^" + exponent;
  }

  private static String bytes(double bytes) {
    return bytes < 1e12
        ? String.format(Locale.ROOT, "%.0f GB", bytes / 1e9)
        : String.format(Locale.ROOT, "%.1f TB", bytes / 1e12);
  }

  private static String minutes(double seconds) {
    return String.format(Locale.ROOT, "%.1f", seconds / 60);
  }

  @Test
  void theTableOfTheGuideIsThatOfTheSimulation() throws IOException {
    List<String> rows =
        List.of(
            row(1e7, 1, 100),
            row(1e8, 1, 100),
            row(1e9, 1, 100),
            row(1e8, 1, 1000),
            row(1e9, 1, 1000),
            row(2e9, 1, 1000),
            row(2e9, 64, 1000),
            row(2e9, 1000, 1000));
    assertThat(Files.readAllLines(Path.of("docs/dev/scale.md")))
        .as(String.join("\n", rows))
        .containsAll(rows);
  }
}
