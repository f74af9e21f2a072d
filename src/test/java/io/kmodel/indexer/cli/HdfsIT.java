package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.Thorough;
import io.kmodel.indexer.cli.Launcher.Ended;
import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.indexing.IndexFilesHash;
import io.kmodel.indexer.indexing.report.BuildReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Builds on Spark whose input, work and output are in HDFS. */
@Thorough
@Timeout(600)
class HdfsIT {
  private static final int KILLED = 137;
  private static final String EXECUTORS = "local-cluster[2,1,1024]";

  @TempDir Path directory;
  private SparkHome spark;
  private MiniDFSCluster hdfs;
  private FileSystem files;
  private String url = "";

  @SuppressWarnings("NullAway.Init") // JUnit calls start
  HdfsIT() {}

  @BeforeEach
  void start() throws IOException {
    spark = new SparkHome(directory.resolve("spark"));
    Configuration settings = new Configuration();
    settings.set("hdfs.minidfs.basedir", directory.resolve("hdfs").toString());
    hdfs = new MiniDFSCluster.Builder(settings).numDataNodes(2).build();
    hdfs.waitActive();
    files = hdfs.getFileSystem();
    url = "hdfs://localhost:" + hdfs.getNameNodePort();
    files.copyFromLocalFile(
        new org.apache.hadoop.fs.Path("corpus-samples"), new org.apache.hadoop.fs.Path("/samples"));
  }

  @AfterEach
  void stop() {
    hdfs.shutdown();
  }

  private Ended build(Map<String, String> environment, String... more)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(List.of("--split-size", "64k", "--duplicates", "skip"));
    all.addAll(List.of(more));
    return spark.build(
        environment, url + "/samples", url + "/made/index", EXECUTORS, all.toArray(String[]::new));
  }

  /** All but the names of files in the list of skipped documents. */
  private void assertSame() throws IOException, InterruptedException {
    Path whole = directory.resolve("whole");
    Ended local =
        Launcher.run(
            "build",
            "corpus-samples",
            "--output",
            whole.toString(),
            "--duplicates",
            "skip",
            "--overwrite",
            "-q");
    assertThat(local.exitCode()).as(local.err()).isEqualTo(ExitCode.INCOMPLETE);
    Path made = directory.resolve("made");
    files.copyToLocalFile(
        false,
        new org.apache.hadoop.fs.Path("/made/index"),
        new org.apache.hadoop.fs.Path(made.toUri()),
        true);
    assertThat(hashes(made)).isEqualTo(hashes(whole));
    assertThat(files.exists(new org.apache.hadoop.fs.Path("/made/index.cluster"))).isFalse();
  }

  private static SortedMap<String, Integer> hashes(Path index) throws IOException {
    SortedMap<String, Integer> hashes = IndexFilesHash.of(index);
    hashes.remove(BuildReport.SKIPPED_FILE_NAME);
    return hashes;
  }

  @Test
  void theIndexIsThatOfOneMachine() throws IOException, InterruptedException {
    Ended built = build(Map.of());
    assertThat(built.exitCode()).as(built.err()).isEqualTo(ExitCode.INCOMPLETE);
    assertSame();
    Ended again = build(Map.of());
    assertThat(again.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(again.err()).contains("/made/index exists already");
    assertThat(Files.exists(Path.of("hdfs:"))).isFalse();
  }

  @Test
  void killedExecutorsAndAKilledDriverChangeNothing() throws IOException, InterruptedException {
    Ended killed = build(Map.of("INDEXER_JAVA_OPTIONS", "-Dindexer.end-at=SPLITS_SEALED"));
    assertThat(killed.exitCode()).as(killed.err()).isEqualTo(KILLED);
    Ended resumed =
        build(
            Map.of(
                "INDEXER_SPARK_OPTIONS",
                "--conf spark.executor.extraJavaOptions=-Dindexer.end-at=PART_SEALED:3"
                    + " --conf spark.task.maxFailures=20"),
            "--resume");
    assertThat(resumed.exitCode()).as(resumed.err()).isEqualTo(ExitCode.INCOMPLETE);
    assertSame();
  }

  @Test
  void aBuildGoesOnWhenItsFileSystemHasRoomAgain() throws IOException, InterruptedException {
    Ended killed = build(Map.of("INDEXER_JAVA_OPTIONS", "-Dindexer.end-at=SPLITS_SEALED"));
    assertThat(killed.exitCode()).as(killed.err()).isEqualTo(KILLED);
    DistributedFileSystem quotas = hdfs.getFileSystem();
    org.apache.hadoop.fs.Path made = new org.apache.hadoop.fs.Path("/made");
    // Each block that is written counts as a full one.
    quotas.setQuota(made, HdfsConstants.QUOTA_DONT_SET, 1 << 20);
    Ended full = build(Map.of(), "--resume");
    assertThat(full.exitCode()).as(full.err()).isEqualTo(ExitCode.FAILED);
    assertThat(full.err()).contains("quota", "--resume continues from there");
    quotas.setQuota(made, HdfsConstants.QUOTA_DONT_SET, HdfsConstants.QUOTA_RESET);
    files
        .create(
            new org.apache.hadoop.fs.Path("/made/index.cluster/splits/000001-left/postings.docs"))
        .close();
    Ended resumed = build(Map.of(), "--resume", "--clean", "0s");
    assertThat(resumed.exitCode()).as(resumed.err()).isEqualTo(ExitCode.INCOMPLETE);
    assertThat(resumed.err()).contains("deleted 1 abandoned split");
    assertSame();
  }
}
