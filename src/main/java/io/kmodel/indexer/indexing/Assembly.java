package io.kmodel.indexer.indexing;

import io.kmodel.indexer.index.model.TermDistribution;
import io.kmodel.indexer.indexing.documents.BuildOutput;
import io.kmodel.indexer.indexing.journal.Reading;
import io.kmodel.indexer.indexing.report.BuildLog;
import io.kmodel.indexer.indexing.report.SplitResult;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * An index in the making: takes the runs of a build, then merges them. The methods are called in
 * the order in which they stand here. Closing before {@link #complete} leaves only what a build can
 * continue.
 */
interface Assembly extends AutoCloseable {
  /**
   * The contents of a merged index.
   *
   * @param content what the index says of itself
   * @param runs how many runs it was made of
   * @param terms how often its terms occur; null if that is not known
   */
  record Merged(BuildLog.Content content, int runs, @Nullable TermDistribution terms) {}

  /** Takes the runs of all splits. */
  BuildOutput runs();

  /**
   * Takes over the runs of a reading that an interrupted build has saved; null if it must be done.
   */
  default @Nullable SplitResult restore(Reading reading) {
    return null;
  }

  /** Makes the index files of the runs, and closes them. */
  void merge() throws IOException, InterruptedException;

  /** Checks the index before it gets its name. */
  default void verify() throws IOException {}

  /** Counts what is in it. */
  Merged merged() throws IOException;

  /** A file of the index that no other index has. */
  Path identifyingFile() throws IOException;

  /** Says that the index need not be deleted. */
  void complete();

  @Override
  void close() throws IOException;
}
