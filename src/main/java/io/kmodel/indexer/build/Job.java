package io.kmodel.indexer.build;

import io.kmodel.indexer.index.Schema;
import io.kmodel.indexer.sort.SortStage;
import java.util.function.Supplier;

/**
 * What the stages of one build share.
 *
 * @param sorting opens what sorts the runs
 * @param directory where the build works
 * @param saved what is finished, of this build and of an interrupted one
 * @param kept holds runs that need no file yet
 * @param log collects what the report says
 */
record Job(
    BuildOptions options,
    MemoryPlan plan,
    Supplier<SortStage> sorting,
    WorkDirectory directory,
    Checkpoints saved,
    KeptRuns kept,
    BuildLog log,
    BuildProgress progress,
    Recovery recovery) {
  Schema schema() {
    return options.schema();
  }

  int threads() {
    return options.resources().threads();
  }

  /** An output for runs that are merged. */
  RunFiles newRunFiles() {
    return new RunFiles(
        new RunFiles.Place(directory.runs(), schema(), saved, kept), clock(), progress);
  }

  OpenRuns.Survival survival() {
    return new OpenRuns.Survival(saved, progress);
  }

  StageClock clock() {
    return log.clock();
  }
}
