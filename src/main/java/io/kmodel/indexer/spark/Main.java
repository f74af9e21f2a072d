package io.kmodel.indexer.spark;

import com.google.common.base.Throwables;
import io.kmodel.indexer.indexing.cluster.TaskEngine;
import io.kmodel.indexer.indexing.options.BuildException;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.jspecify.annotations.Nullable;

/**
 * The program for {@code spark-submit}: {@code build PATH… --output INDEX} runs on the cluster, any
 * other command in the driver.
 */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    int exitCode = run(arguments);
    if (exitCode != 0) {
      System.exit(exitCode);
    }
  }

  /** Runs a command line and returns its exit code. */
  public static int run(String... arguments) {
    try (Cluster cluster = new Cluster()) {
      return io.kmodel.indexer.cli.Main.runOnCluster(cluster::engine, arguments);
    }
  }

  /** A context that is started when a build needs it. */
  private static final class Cluster implements AutoCloseable {
    private @Nullable SparkContext context;

    TaskEngine engine() {
      SparkContext started;
      try {
        started =
            SparkContext.getOrCreate(new SparkConf().setIfMissing("spark.app.name", "indexer"));
      } catch (Exception e) { // Scala declares none
        Throwable cause = Throwables.getRootCause(e);
        String why = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
        throw new BuildException("Spark does not start: " + why);
      }
      context = started;
      return new SparkEngine(started);
    }

    @Override
    public void close() {
      if (context != null) {
        context.stop();
      }
    }
  }
}
