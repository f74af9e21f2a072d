package io.kmodel.indexer.spark;

import com.google.common.base.Throwables;
import com.google.common.util.concurrent.Uninterruptibles;
import io.kmodel.indexer.indexing.cluster.TaskEngine;
import io.kmodel.indexer.indexing.cluster.Tasks;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.SparkException;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.util.Utils;
import org.jspecify.annotations.Nullable;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction2;
import scala.runtime.BoxedUnit;

/**
 * Runs tasks as those of Spark jobs: a partition for each. Spark places them, retries those that
 * fail, and may run a second attempt of slow ones; it passes on one result of each. Results travel
 * as results of tasks, never as accumulators, which count attempts that failed, too.
 */
public final class SparkEngine implements TaskEngine {
  private static final ClassTag<String> TEXT = ClassTag$.MODULE$.apply(String.class);

  /** The masters that run in one process, or in several on this machine, and their cores. */
  private static final Pattern LOCAL = Pattern.compile("local(\\[(\\d+|\\*)(,\\d+)?])?");

  private static final Pattern LOCAL_CLUSTER =
      Pattern.compile("local-cluster\\[\\s*(\\d+)\\s*,\\s*(\\d+)\\s*,.*");

  /** The message of a failed job starts with what Spark did, and quotes the task's failure. */
  private static final Pattern TASK_FAILURE =
      Pattern.compile("most recent failure: [^:]*: (.*)", Pattern.DOTALL);

  /** How long executors may take to appear. */
  private static final int MOST_SECONDS = 15;

  private final SparkContext context;

  /** Runs tasks in a context, which the caller stops. */
  public SparkEngine(SparkContext context) {
    this.context = context;
  }

  /** Waits some seconds for executors if the settings do not tell their number. */
  @Override
  public int slots() {
    SparkConf conf = context.conf();
    int cores = cores(conf);
    if (cores == 0) {
      int before = -1;
      cores = context.defaultParallelism();
      for (int second = 0;
          second < MOST_SECONDS && cores != before && !context.isStopped();
          second++) {
        before = cores;
        Uninterruptibles.sleepUninterruptibly(Duration.ofSeconds(second == 0 ? 3 : 1));
        cores = context.isStopped() ? before : context.defaultParallelism();
      }
    }
    return Math.max(1, cores / Math.max(1, conf.getInt("spark.task.cpus", 1)));
  }

  /** The cores of a master in this process, 0 for all of the machine; -1 for any other master. */
  private static int localCores(String master) {
    Matcher local = LOCAL.matcher(master);
    if (!local.matches()) {
      return -1;
    }
    String named = local.group(2);
    return named == null ? 1 : named.equals("*") ? 0 : Integer.parseInt(named);
  }

  /** The cores of all executors by the settings; 0 if those do not tell. */
  static int cores(SparkConf conf) {
    String master = conf.get("spark.master", "");
    int local = localCores(master);
    if (local >= 0) {
      return local == 0 ? Runtime.getRuntime().availableProcessors() : local;
    }
    Matcher cluster = LOCAL_CLUSTER.matcher(master);
    if (cluster.matches()) {
      return Integer.parseInt(cluster.group(1)) * Integer.parseInt(cluster.group(2));
    }
    int most = conf.getInt("spark.cores.max", 0);
    int executors =
        Math.max(
            conf.getInt("spark.executor.instances", 0),
            conf.getInt("spark.dynamicAllocation.maxExecutors", 0));
    int all = executors * conf.getInt("spark.executor.cores", 1);
    return most == 0 || all == 0 ? Math.max(most, all) : Math.min(most, all);
  }

  @Override
  public Path scratch() {
    return scratchOf(context.conf());
  }

  /** Spark deletes it when the process ends. */
  private static Path scratchOf(SparkConf conf) {
    return Path.of(Utils.getLocalDir(conf), "indexer");
  }

  @Override
  public void run(String stage, List<String> tasks, Results results)
      throws IOException, InterruptedException {
    Handler handler = new Handler(results);
    String group = "indexer-" + UUID.randomUUID();
    try {
      context.setJobGroup(group, "indexer: " + stage, true);
      RDD<String> partitions =
          context.parallelize(CollectionConverters.asScala(tasks).toSeq(), tasks.size(), TEXT);
      Seq<Object> all =
          CollectionConverters.asScala(
                  IntStream.range(0, tasks.size()).mapToObj(i -> (Object) i).toList())
              .toSeq();
      context.runJob(partitions, new Run(tasksPerProcess(context.conf())), all, handler, TEXT);
      context.clearJobGroup();
    } catch (Exception e) { // Scala declares none
      throw failure(e, stage, group, handler);
    }
  }

  private IOException failure(Exception e, String stage, String group, Handler handler)
      throws IOException, InterruptedException {
    if (context.isStopped()) {
      // Its methods would only say that, and where it was started.
      throw new IOException(
          "the cluster %s has stopped the build, or does not answer".formatted(context.master()),
          e);
    }
    // The job continues if a result was refused, or this thread was interrupted.
    context.cancelJobGroup(group);
    context.clearJobGroup();
    handler.rethrow();
    if (e instanceof InterruptedException || Thread.interrupted()) {
      throw new InterruptedException("the build was stopped");
    }
    return new IOException("the stage '%s' failed: %s".formatted(stage, reason(e)), e);
  }

  /** The failure of the task that failed too often, without its trace. */
  private static String reason(Exception e) {
    String message = String.valueOf(e.getMessage());
    Matcher failure = TASK_FAILURE.matcher(message);
    String text = e instanceof SparkException && failure.find() ? failure.group(1) : message;
    return text.lines().findFirst().orElse(e.toString());
  }

  /** How many tasks run in an executor at a time; 0 for as many as it has processors. */
  static int tasksPerProcess(SparkConf conf) {
    String master = conf.get("spark.master", "");
    Matcher cluster = LOCAL_CLUSTER.matcher(master);
    int local = localCores(master);
    int cores = local < 0 ? conf.getInt("spark.executor.cores", 0) : local;
    if (local < 0 && cores == 0 && cluster.matches()) {
      cores = Integer.parseInt(cluster.group(2));
    }
    return cores == 0 ? 0 : Math.max(1, cores / Math.max(1, conf.getInt("spark.task.cpus", 1)));
  }

  /** Runs a task in an executor. */
  private static final class Run extends AbstractFunction2<TaskContext, Iterator<String>, String>
      implements Serializable {
    private static final long serialVersionUID = 1;

    private final int slots;

    Run(int slots) {
      this.slots = slots;
    }

    @Override
    public String apply(TaskContext context, Iterator<String> task) {
      try {
        int sharing = slots == 0 ? Runtime.getRuntime().availableProcessors() : slots;
        return Tasks.run(task.next(), sharing, scratchOf(SparkEnv.get().conf()));
      } catch (IOException | InterruptedException e) {
        throw sneaky(e);
      }
    }

    /** Spark reports what a task throws; a wrapper would hide its message. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable> RuntimeException sneaky(Throwable e) throws E {
      throw (E) e;
    }
  }

  /** Passes results on, until that fails. Called by a thread of the driver. */
  private static final class Handler extends AbstractFunction2<Object, String, BoxedUnit> {
    private final Results results;
    private volatile @Nullable Exception failure;

    Handler(Results results) {
      this.results = results;
    }

    @Override
    public BoxedUnit apply(Object partition, String result) {
      try {
        results.accept(result);
      } catch (IOException | RuntimeException e) {
        failure = failure == null ? e : failure;
        throw new IllegalStateException("the result is refused", e);
      }
      return BoxedUnit.UNIT;
    }

    /** Throws why a result was refused, if one was. */
    void rethrow() throws IOException {
      Exception refused = failure;
      if (refused != null) {
        Throwables.throwIfInstanceOf(refused, IOException.class);
        Throwables.throwIfUnchecked(refused);
      }
    }
  }
}
