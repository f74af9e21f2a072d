package io.kmodel.indexer.indexing;

import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.run.Outcome;
import io.kmodel.indexer.run.RunBuilder;
import io.kmodel.indexer.sort.RadixKeySorter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Sorts the names of consecutive documents into runs of one field, {@value Schema#ID}. Memory: the
 * given amount, off the heap. Not thread-safe.
 */
final class NameRuns implements AutoCloseable {
  private final Path file;
  private final RunBuilder run;
  private final Path directory;
  private final int field;
  private final RadixKeySorter sorter = new RadixKeySorter();
  private final List<Path> sealed = new ArrayList<>();
  private long names;

  /**
   * Starts without names.
   *
   * @param file the source of the names, for messages
   * @param directory for the runs
   */
  NameRuns(Path file, Schema schema, Path directory, long memoryBytes) {
    this.file = file;
    this.run = new RunBuilder(schema, memoryBytes);
    this.directory = directory;
    this.field = schema.ordinal(Schema.ID);
  }

  /** Adds the next document's name, in UTF-8. */
  void add(byte[] name) throws IOException {
    Outcome outcome = tryToAdd(name);
    if (outcome == Outcome.RUN_FULL) {
      sealRun();
      outcome = tryToAdd(name);
    }
    if (outcome != Outcome.ADDED) {
      throw new BuildException(
          "%s: the name of document %d has %d bytes, too many for a run"
              .formatted(file, names, name.length));
    }
    names++;
  }

  private Outcome tryToAdd(byte[] name) {
    run.startDocument();
    run.add(field, name, 0, name.length, 0);
    return run.finishDocument();
  }

  /** Ends the last run and returns the files of all, in document order. */
  List<Path> seal() throws IOException {
    sealRun();
    return sealed;
  }

  private void sealRun() throws IOException {
    if (run.documentCount() > 0) {
      run.sort(sorter);
      run.checkOrder();
      Path file = directory.resolve("names-%06d.postings".formatted(sealed.size()));
      run.writeRun(file);
      sealed.add(file);
    }
    run.reset();
  }

  @Override
  public void close() {
    run.close();
  }
}
