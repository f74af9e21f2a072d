package io.kmodel.indexer.cli.command;

import io.kmodel.indexer.cli.base.Age;
import io.kmodel.indexer.cli.base.ByteSize;
import io.kmodel.indexer.cli.option.ExportArguments;
import io.kmodel.indexer.cli.option.Given;
import io.kmodel.indexer.indexing.cluster.ClusterBuild;
import io.kmodel.indexer.indexing.cluster.Shards;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.Recovery;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.sort.DeviceChoice;
import io.kmodel.indexer.source.FileStore;
import io.kmodel.indexer.source.RemotePath;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options for builds on a cluster. */
final class OnCluster {
  @Spec(Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--cluster",
      paramLabel = "MASTER",
      description = {
        "Build on Apache Spark: spark://HOST:PORT, yarn, k8s://HOST, or local-cluster[N,C,M] for N"
            + " executors of C cores and M MiB on this machine. Needs SPARK_HOME. --memory is then"
            + " that of a task, and all paths must be on storage that the driver and every"
            + " executor see."
      })
  private @Nullable String master;

  @Option(
      names = "--split-size",
      paramLabel = "BYTES",
      converter = ByteSize.class,
      description =
          "With --cluster, cut the input into splits of about BYTES, like 256m (default: two fifths"
              + " of what each core has to read, a quarter with --shards, 16m to 256m).")
  private long splitBytes;

  @Option(
      names = "--clean",
      paramLabel = "AGE",
      converter = Age.class,
      description =
          "With --cluster and --resume, first delete the splits that failed tasks left behind and"
              + " that nothing was written to for AGE, like 90m, 12h or 2d (default: they stay until"
              + " the build ends).")
  private @Nullable Duration orphanAge;

  @Option(
      names = "--shards",
      paramLabel = "SHARDS",
      description =
          "With --cluster and --export lucene:DIR, but without --output: make SHARDS Lucene indexes of"
              + " neighboring documents in DIR, with the statistics of all of them.")
  private int shards;

  @SuppressWarnings("NullAway.Init") // picocli fills the options
  OnCluster() {}

  /** Whether the build runs on a cluster. */
  boolean isWanted() {
    return master != null || root().hasCluster();
  }

  /** Starts the cluster, and prepares a build on it. */
  ClusterBuild prepare(
      BuildOptions options, Recovery recovery, BuildProgress progress, ExportArguments export) {
    ClusterBuild build =
        new ClusterBuild(options, root().cluster(), splitBytes, recovery, progress);
    build = orphanAge == null ? build : build.withoutOrphans(orphanAge);
    return shards == 0
        ? build
        : build.ofShards(new Shards.Options(shards, export.check(), export.codec()));
  }

  /** Checks that a cluster can be started, and can build what these options name. */
  void require(
      @Nullable Path output, ExportArguments export, DeviceChoice device, boolean isDryRun) {
    if (master != null && !root().hasCluster()) {
      throw usage("--cluster works with bin/indexer, which starts Spark, or with spark-submit");
    }
    if (!isWanted()) {
      Given.refuse(spec, List.of("--split-size", "--shards", "--clean"), "--cluster");
    }
    if (Given.isGiven(spec, "--split-size") && splitBytes < 1) {
      throw usage("--split-size must be at least 1; got " + splitBytes);
    }
    if (Given.isGiven(spec, "--shards") && shards < 1) {
      throw usage("--shards must be at least 1; got " + shards);
    }
    if (output instanceof RemotePath url) {
      requireStored(url, export, isDryRun);
    }
    if (shards > 0) {
      requireShards(output, export);
    } else if (isWanted() && output == null && !isDryRun) {
      throw usage("a build on a cluster needs --output, or --export lucene:DIR with --shards");
    }
    if (isWanted() && device.kind() == DeviceChoice.Kind.GPU) {
      throw usage("executors of a cluster sort with the CPU; remove --device");
    }
  }

  /** Requires that an output that is a URL can be written. */
  private void requireStored(RemotePath url, ExportArguments export, boolean isDryRun) {
    if (!isWanted() || FileStore.of(url.url()) == null) {
      throw usage(
          "'%s' is a URL: %s"
              .formatted(
                  url,
                  isWanted()
                      ? "Hadoop has no such file system"
                      : "only paths on disk can be written, or with --cluster those of Hadoop"));
    }
    if (export.target() != null || isDryRun) {
      throw usage(
          "%s is for an index on disk; copy %s there first"
              .formatted(isDryRun ? "--dry-run" : "--export", url));
    }
  }

  /** Requires that the shards are all that is made. */
  private void requireShards(@Nullable Path output, ExportArguments export) {
    if (output != null || !export.writesLucene() || export.writesVectors()) {
      throw usage("--shards needs --export lucene:DIR, without --output and --term-vectors");
    }
    Given.refuseWith(spec, List.of("--segments"), "--shards");
  }

  private CommandLine.ParameterException usage(String message) {
    return new CommandLine.ParameterException(spec.commandLine(), message);
  }

  private RootCommand root() {
    return (RootCommand) spec.root().userObject();
  }
}
