package io.kmodel.indexer.indexing.cluster;

import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.indexing.Indexing;
import io.kmodel.indexer.indexing.Target;
import io.kmodel.indexer.indexing.journal.CrashPoint;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.source.Split;
import io.kmodel.indexer.store.FileSeal;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Inverts a split: the pipeline of a build on one machine, with one thread. The document numbers
 * start at 0. Memory: that of the task's options.
 */
final class Inverting {
  private Inverting() {}

  /**
   * Runs the task.
   *
   * @param slots how many tasks share the memory of this process
   * @param scratch a directory on this machine's own disk
   * @throws BuildException if the input has changed since it was listed
   */
  static SealedSplit run(InvertTask task, int slots, Path scratch)
      throws IOException, InterruptedException {
    Workspace work = Workspace.of(task.workspace(), scratch);
    SealedSplit split =
        work.attempt(
            Workspace.SPLITS,
            task.number(),
            (directory, name) -> invert(task, work, slots, directory, name));
    CrashPoint.SPLIT_INDEXED.reached();
    return split;
  }

  private static SealedSplit invert(
      InvertTask task, Workspace work, int slots, Path directory, String name)
      throws IOException, InterruptedException {
    BuildOptions options = task.options().build(directory, slots);
    requireUnchanged(task);
    OneSplit input = new OneSplit(without(task, task.part().split(options.source()), work));
    BuildReport report =
        new Indexing(options, Target.ownIndex(), new BuildProgress(), MemoryPlan.embedded(options))
            .withDocuments(input)
            .run();
    requireUnchanged(task);
    return new SealedSplit(
        task.number(),
        name,
        Math.toIntExact(report.documents()),
        report.sourceBytes(),
        input.restRead(),
        FileSeal.force(directory.resolve(InvertedIndex.METADATA), false));
  }

  private static Split without(InvertTask task, Split split, Workspace work) throws IOException {
    String file = task.leftOut();
    return file == null ? split : new WithoutIds(split, WithoutIds.ids(work.content(file)));
  }

  private static void requireUnchanged(InvertTask task) throws IOException {
    String changed = task.part().changed();
    if (changed != null) {
      throw new BuildException("the input has changed during the build: " + changed);
    }
  }
}
