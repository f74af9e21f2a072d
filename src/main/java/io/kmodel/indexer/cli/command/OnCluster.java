package io.kmodel.indexer.cli.command;

import io.kmodel.indexer.cli.base.ByteSize;
import io.kmodel.indexer.cli.option.Given;
import io.kmodel.indexer.indexing.cluster.TaskEngine;
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
            + " that of a task, and all paths must be on storage that every executor sees."
      })
  private @Nullable String master;

  @Option(
      names = "--split-size",
      paramLabel = "BYTES",
      converter = ByteSize.class,
      description =
          "With --cluster, cut the input into splits of about BYTES, like 256m (default: a quarter"
              + " of what each core has to read, 16m to 256m).")
  private long splitBytes;

  @Option(
      names = "--shards",
      paramLabel = "SHARDS",
      description =
          "With --cluster and --export lucene:DIR, but without --output: make SHARDS Lucene indexes of"
              + " neighboring documents in DIR, with the statistics of all of them.")
  private int shards;

  @SuppressWarnings("NullAway.Init") // picocli fills the options
  OnCluster() {}

  /** Bytes of a split; 0 for the default. */
  long splitBytes() {
    return splitBytes;
  }

  /** How many Lucene indexes to make; 0 for an index of this program's format. */
  int shards() {
    return shards;
  }

  /** Whether the build runs on a cluster. */
  boolean isWanted() {
    return master != null || root().hasCluster();
  }

  /** The cluster; started by this call. */
  TaskEngine start() {
    return root().cluster();
  }

  /** Checks that a cluster can be started. */
  void require() {
    if (master != null && !root().hasCluster()) {
      throw new CommandLine.ParameterException(
          spec.commandLine(),
          "--cluster works with bin/indexer, which starts Spark, or with spark-submit");
    }
    if (!isWanted()) {
      Given.refuse(spec, List.of("--split-size", "--shards"), "--cluster");
    }
    if (Given.isGiven(spec, "--shards") && shards < 1) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "--shards must be at least 1; got " + shards);
    }
  }

  private RootCommand root() {
    return (RootCommand) spec.root().userObject();
  }
}
