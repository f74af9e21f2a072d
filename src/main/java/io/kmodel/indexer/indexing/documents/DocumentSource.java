package io.kmodel.indexer.indexing.documents;

import io.kmodel.indexer.indexing.journal.Checkpoints;
import io.kmodel.indexer.indexing.journal.WorkDirectory;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.report.BuildProgress;

/** Where the documents of a build come from. */
public interface DocumentSource {
  /** The files of a crawl. */
  DocumentSource CRAWL =
      new DocumentSource() {
        @Override
        public Splits open(
            BuildOptions options,
            WorkDirectory directory,
            Checkpoints saved,
            BuildProgress progress,
            InversionChoice choice) {
          return new CrawlScan(options, directory, saved, progress, choice);
        }

        @Override
        public boolean isRepeatable() {
          return true;
        }
      };

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

  /** Whether another build can read the same documents again, so that it can continue this one. */
  boolean isRepeatable();
}
