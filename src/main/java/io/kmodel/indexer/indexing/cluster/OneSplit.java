package io.kmodel.indexer.indexing.cluster;

import io.kmodel.indexer.indexing.documents.DocumentSource;
import io.kmodel.indexer.indexing.documents.InversionChoice;
import io.kmodel.indexer.indexing.documents.Splits;
import io.kmodel.indexer.indexing.journal.Checkpoints;
import io.kmodel.indexer.indexing.journal.WorkDirectory;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.indexing.report.SkipLog;
import io.kmodel.indexer.source.Split;
import io.kmodel.indexer.source.crawl.ForwardingSplit;
import java.util.List;

/** A split as the whole input of a build, which can be read to the end of its file. */
final class OneSplit implements DocumentSource, Splits {
  private final Split split;
  private boolean isTaken;
  private volatile boolean restRead;

  OneSplit(Split split) {
    this.split = split;
  }

  /** Whether the split was read to the end of its file, since the next piece's start was missed. */
  boolean restRead() {
    return restRead;
  }

  @Override
  public Splits open(
      BuildOptions options,
      WorkDirectory directory,
      Checkpoints saved,
      BuildProgress progress,
      InversionChoice choice) {
    return this;
  }

  /** The driver repeats the whole build. */
  @Override
  public boolean isRepeatable() {
    return false;
  }

  @Override
  public void awaitNext() {}

  @Override
  public boolean isLarge(InversionChoice asked) {
    return false;
  }

  @Override
  public List<Split> next() {
    if (isTaken) {
      return List.of();
    }
    isTaken = true;
    return List.of(new Piece(split));
  }

  @Override
  public SkipLog skips() {
    return new SkipLog();
  }

  @Override
  public BuildReport.Input input() {
    return new BuildReport.Input(0, split.bytes(), 0, "");
  }

  @Override
  public void close() {}

  /** The split without those after it. */
  private final class Piece extends ForwardingSplit {
    Piece(Split split) {
      super(split);
    }

    @Override
    public int ordinal() {
      return 0;
    }

    @Override
    public int piecesAfter() {
      return 0;
    }

    @Override
    public Split withRest() {
      restRead = true;
      return new Piece(super.withRest());
    }

    @Override
    public Split alone() {
      return new Piece(super.alone());
    }
  }
}
