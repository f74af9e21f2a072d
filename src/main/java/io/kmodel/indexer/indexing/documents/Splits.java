package io.kmodel.indexer.indexing.documents;

import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.indexing.report.SkipLog;
import io.kmodel.indexer.source.Split;
import java.io.IOException;
import java.util.List;

/**
 * The splits of a build in order, which become known while the first ones are read. One thread at a
 * time asks for them.
 */
public interface Splits extends AutoCloseable {
  /**
   * Waits until there is a split to read, or the last one is known.
   *
   * @throws BuildException if the interrupted build had other input
   */
  void awaitNext() throws IOException, InterruptedException;

  /**
   * Whether there is enough text for devices, if they are chosen by that; call it after {@link
   * #awaitNext}.
   */
  boolean isLarge(InversionChoice asked);

  /** The next splits, as soon as there are any; empty at the end. */
  List<Split> next() throws IOException, InterruptedException;

  /** Waits until the last split is known, and returns the list of files left out. */
  SkipLog skips() throws IOException, InterruptedException;

  /** Waits until the last split is known, and summarizes all of them. */
  BuildReport.Input input() throws IOException, InterruptedException;

  @Override
  void close();
}
