package io.kmodel.indexer.indexing.documents;

import io.kmodel.indexer.indexing.journal.Checkpoints;
import io.kmodel.indexer.indexing.journal.WorkDirectory;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.report.BuildProgress;

/** Where the documents of a build come from. */
public interface DocumentSource {
  /**
   * The files of a crawl.
   *
   * @param isRepeatable whether a build that fails leaves its work to another one
   */
  record Crawl(boolean isRepeatable) implements DocumentSource {
    @Override
    public Splits open(
        BuildOptions options,
        WorkDirectory directory,
        Checkpoints saved,
        BuildProgress progress,
        InversionChoice choice) {
      return new CrawlScan(options, directory, saved, progress, choice);
    }
  }

  /**
   * Opens the splits of a build.
   *
   * @param directory where the build works
   * @param saved the finished work of an interrupted build
   * @param choice whether devices make the runs
   */
  Splits open(
      BuildOptions options,
      WorkDirectory directory,
      Checkpoints saved,
      BuildProgress progress,
      InversionChoice choice);

  /** Whether another build may read the same documents again, and continue this one. */
  boolean isRepeatable();
}
