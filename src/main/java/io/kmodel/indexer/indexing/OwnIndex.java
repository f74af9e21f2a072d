package io.kmodel.indexer.indexing;

import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.InvertedIndexWriter;
import io.kmodel.indexer.index.WriterCheckpoint;
import io.kmodel.indexer.index.model.IndexMetadata;
import io.kmodel.indexer.index.model.TermDistribution;
import io.kmodel.indexer.index.model.TopTerms;
import io.kmodel.indexer.indexing.documents.BuildOutput;
import io.kmodel.indexer.indexing.documents.RunFiles;
import io.kmodel.indexer.indexing.journal.CrashPoint;
import io.kmodel.indexer.indexing.journal.FinishedRun;
import io.kmodel.indexer.indexing.journal.Reading;
import io.kmodel.indexer.indexing.merge.MergeSpace;
import io.kmodel.indexer.indexing.merge.OpenRuns;
import io.kmodel.indexer.indexing.merge.RunMerge;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.report.Activity;
import io.kmodel.indexer.indexing.report.BuildLog;
import io.kmodel.indexer.indexing.report.BuildProgress.Stage;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.indexing.report.SplitResult;
import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.store.disk.Directories;
import io.kmodel.indexer.task.Workers;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An index of this program's format: the runs are merged by term range. Its files depend on the
 * documents and on the content options of {@link BuildOptions}, never on threads or memory.
 *
 * @param sequel what follows when the index has its name; null for nothing
 * @param places where that writes
 * @param copiesTexts whether that holds several copies of a stored text
 */
record OwnIndex(@Nullable Sequel sequel, List<Path> places, boolean copiesTexts) implements Target {
  OwnIndex {
    places = List.copyOf(places);
  }

  @Override
  public String kind() {
    return "an index of its own";
  }

  @Override
  public Map<String, String> form() {
    return Map.of();
  }

  @Override
  public boolean mergesRuns() {
    return true;
  }

  @Override
  public boolean isIndex(Path directory) throws IOException {
    return InvertedIndex.isIndex(directory, BuildReport.FILE_NAMES);
  }

  @Override
  public void check(Path directory, int threads) throws IOException {
    try (InvertedIndex index = InvertedIndex.open(directory)) {
      index.verifyChecksums();
    }
  }

  @Override
  public Assembly assemble(Job job) {
    return new Merge(job);
  }

  private static final class Merge implements Assembly {
    private final Job job;
    private final Path directory;
    private final RunFiles runs;

    /** Null before {@link #merge}. */
    private @Nullable IndexMetadata metadata;

    private @Nullable TermDistribution terms;
    private List<TopTerms.Top> top = List.of();

    Merge(Job job) {
      this.job = job;
      this.directory = job.directory().index();
      this.runs = job.newRunFiles();
    }

    @Override
    public BuildOutput runs() {
      return runs;
    }

    @Override
    public @Nullable SplitResult restore(Reading reading) {
      return runs.restore(reading);
    }

    @Override
    public void merge() throws IOException, InterruptedException {
      job.progress().enter(Stage.MERGE);
      int documents = documents();
      MergeSpace.require(job.directory().root(), runs, job.space(), 1);
      try (InvertedIndexWriter index = writer().holdParts(job.plan().heldBytes());
          Workers workers = Workers.givingWay("merge", job.threads());
          OpenRuns open =
              OpenRuns.open(
                  runs,
                  job.schema(),
                  workers,
                  OpenRuns.Limits.of(job.threads(), job.plan().readerBytes()))) {
        new RunMerge(open, index, job.saved(), job.clock(), job.progress())
            .merge(
                workers, job.threads(), job.plan().heldBytes(), runs.documents(), runs.columns());
        job.log().endPhase("merge");
        metadata =
            job.clock()
                .timed(Activity.ASSEMBLE, () -> index.finish(documents, job.options().content()));
        terms = index.distribution();
        top = index.top().terms();
        job.log().endPhase("finish");
      }
      CrashPoint.ASSEMBLED.reached();
      job.progress().enter(Stage.FINISH);
    }

    /** The number of documents in all runs, which must be the number that was read. */
    private int documents() throws IOException {
      long documents = runs.runs().stream().mapToLong(FinishedRun::documents).sum();
      if (documents != job.progress().documents()) {
        // For example, a split was read again after damage, and its duplicates changed.
        throw new IOException(
            "%,d documents were read, but the runs have %,d: the saved work is inconsistent; start over with --restart"
                .formatted(job.progress().documents(), documents));
      }
      return Math.toIntExact(documents);
    }

    /** A writer that continues after the terms that an interrupted build has merged. */
    private InvertedIndexWriter writer() throws IOException {
      WriterCheckpoint before = job.saved().index();
      if (before != null) {
        try {
          return InvertedIndexWriter.resume(directory, job.schema(), before);
        } catch (CorruptIndexException | NoSuchFileException e) {
          job.recovery().warnings().accept("the merge starts over: " + e.getMessage());
          job.saved().forgetIndex();
          Directories.deleteTree(directory);
        }
      }
      return InvertedIndexWriter.resumable(directory, job.schema());
    }

    @Override
    public Merged merged() throws IOException {
      job.clock()
          .produced(
              Activity.MERGE,
              Directories.bytes(directory, "postings.") + Directories.bytes(directory, "terms."));
      job.clock().produced(Activity.ASSEMBLE, Directories.bytes(directory, ""));
      if (metadata == null) {
        throw new IllegalStateException("the runs are not merged yet");
      }
      return new Merged(BuildLog.Content.of(metadata, top), runs.runs().size(), terms);
    }

    @Override
    public Path identifyingFile() {
      return directory.resolve(InvertedIndex.METADATA);
    }

    @Override
    public void complete() {}

    /** What is merged stays: a build that continues this one cuts it back to a checkpoint. */
    @Override
    public void close() {}
  }
}
