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
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.UUID;

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
   * @throws BuildException if the input has changed since it was listed
   */
  static SealedSplit run(InvertTask task, int slots) throws IOException, InterruptedException {
    Path splits = Path.of(task.directory());
    if (!Files.isDirectory(splits)) {
      // The build has ended, or this machine does not see its directory.
      throw new NotDirectoryException(splits.toString());
    }
    String name = "%06d-%s".formatted(task.number(), UUID.randomUUID());
    BuildOptions options = task.options().build(splits.resolve(name), slots);
    requireUnchanged(task);
    Split part = task.part().split(options.source());
    String leftOut = task.leftOut();
    OneSplit input =
        new OneSplit(
            leftOut == null ? part : new WithoutIds(part, WithoutIds.read(Path.of(leftOut))));
    BuildReport report =
        new Indexing(options, Target.ownIndex(), new BuildProgress(), MemoryPlan.embedded(options))
            .withDocuments(input)
            .run();
    requireUnchanged(task);
    FileSeal metadata = FileSeal.force(options.output().resolve(InvertedIndex.METADATA), false);
    CrashPoint.SPLIT_INDEXED.reached();
    return new SealedSplit(
        task.number(),
        name,
        Math.toIntExact(report.documents()),
        report.sourceBytes(),
        input.restRead(),
        leftOut != null,
        metadata);
  }

  private static void requireUnchanged(InvertTask task) throws IOException {
    String changed = task.part().changed();
    if (changed != null) {
      throw new BuildException("the input has changed during the build: " + changed);
    }
  }
}
