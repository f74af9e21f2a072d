package io.kmodel.indexer.indexing;

import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.indexing.documents.DeviceStages;
import io.kmodel.indexer.indexing.documents.InMemoryRuns;
import io.kmodel.indexer.indexing.documents.RunFiles;
import io.kmodel.indexer.indexing.journal.Checkpoints;
import io.kmodel.indexer.indexing.journal.WorkDirectory;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.options.Recovery;
import io.kmodel.indexer.indexing.report.BuildLog;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.StageClock;
import io.kmodel.indexer.store.disk.DiskSpace;

/**
 * What the stages of one build share.
 *
 * @param devices opens the devices
 * @param directory where the build works
 * @param saved what is finished, of this build and of an interrupted one
 * @param kept holds runs that need no file yet
 * @param log collects what the report says
 */
record Job(
    BuildOptions options,
    MemoryPlan plan,
    DeviceStages devices,
    WorkDirectory directory,
    Checkpoints saved,
    InMemoryRuns kept,
    BuildLog log,
    BuildProgress progress,
    Recovery recovery) {
  Schema schema() {
    return options.schema();
  }

  int threads() {
    return options.resources().threads();
  }

  DiskSpace space() {
    return options.resources().space();
  }

  /** An output for runs that are merged. */
  RunFiles newRunFiles() {
    return new RunFiles(
        new RunFiles.Place(directory.runs(), schema(), saved, kept), clock(), progress);
  }

  StageClock clock() {
    return log.clock();
  }
}
