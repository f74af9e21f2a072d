package io.kmodel.indexer.experiment;

import com.google.common.hash.Hashing;
import com.google.common.io.MoreFiles;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.store.disk.Directories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Builds an index of a crawl with Spark on this machine, by several numbers of executors of one
 * core, and compares times and bytes. Each build runs in new processes. The program has no Hadoop,
 * so it does not start HDFS; a test of the project does (HdfsIT).
 */
public final class ClusterExperiment {
  /**
   * A build.
   *
   * @param executors 0 for one thread without Spark
   * @param seconds without the start of Spark's driver
   * @param splitSeconds until all splits were inverted
   * @param isSame whether all files but the reports are those of the first build
   */
  public record Run(int executors, double seconds, double splitSeconds, boolean isSame) {}

  private final Path launcher;
  private final Path corpus;
  private final Path work;
  private final int memoryMib;

  /**
   * Prepares the builds.
   *
   * @param launcher bin/indexer
   * @param work a directory for a {@link WorkPlace}
   * @param memoryMib of an executor
   */
  public ClusterExperiment(Path launcher, Path corpus, Path work, int memoryMib) {
    this.launcher = launcher;
    this.corpus = corpus;
    this.work = work;
    this.memoryMib = memoryMib;
  }

  /**
   * Runs the builds, first one without Spark.
   *
   * @param executors of each build
   * @param runs gets each build when it has ended
   * @throws IOException if a build fails
   */
  public void run(List<Integer> executors, Consumer<Run> runs)
      throws IOException, InterruptedException {
    try (WorkPlace place = WorkPlace.take(work, corpus)) {
      Path index = place.directory().resolve("index");
      BuildReport one = build(index, List.of("--threads", "1"));
      Map<String, String> expected = hashes(index);
      runs.accept(new Run(0, one.seconds(), seconds(one, "parse"), true));
      for (int count : executors) {
        Directories.deleteTree(index);
        String master = "local-cluster[%d,1,%d]".formatted(count, memoryMib);
        BuildReport made = build(index, List.of("--cluster", master));
        boolean isSame = hashes(index).equals(expected);
        runs.accept(new Run(count, made.seconds(), seconds(made, "parse"), isSame));
      }
    }
  }

  private BuildReport build(Path index, List<String> how) throws IOException, InterruptedException {
    ProcessBuilder build =
        new ProcessBuilder(
            launcher.toString(), "build", corpus.toString(), "--output", index.toString(), "-q");
    build.command().addAll(how);
    Child.End end = Child.run(build);
    if (!Files.exists(index.resolve(BuildReport.FILE_NAME))) {
      throw end.failure("build " + String.join(" ", how));
    }
    return BuildReport.read(index);
  }

  private static double seconds(BuildReport report, String phase) {
    return report.phases().stream()
        .filter(each -> each.name().equals(phase))
        .mapToDouble(BuildReport.Phase::seconds)
        .sum();
  }

  private static Map<String, String> hashes(Path index) throws IOException {
    Map<String, String> hashes = new TreeMap<>();
    try (Stream<Path> files = Files.list(index)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        if (!BuildReport.isReport(file)) {
          hashes.put(
              file.getFileName().toString(),
              MoreFiles.asByteSource(file).hash(Hashing.sha256()).toString());
        }
      }
    }
    return hashes;
  }
}
