package io.kmodel.indexer.indexing;

import io.kmodel.indexer.export.lucene.IndexCheck;
import io.kmodel.indexer.export.lucene.segment.ExportCodec;
import io.kmodel.indexer.export.lucene.segment.SegmentWriter;
import io.kmodel.indexer.index.columns.Columns;
import io.kmodel.indexer.index.documents.StoredDocuments;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.indexing.documents.BuildOutput;
import io.kmodel.indexer.indexing.documents.RunFiles;
import io.kmodel.indexer.indexing.journal.Reading;
import io.kmodel.indexer.indexing.merge.MergeSpace;
import io.kmodel.indexer.indexing.merge.MergedSegments;
import io.kmodel.indexer.indexing.merge.OpenRuns;
import io.kmodel.indexer.indexing.report.BuildProgress.Stage;
import io.kmodel.indexer.indexing.report.SplitResult;
import io.kmodel.indexer.task.Workers;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A Lucene index of a given number of segments, each merged from neighbouring runs. */
record LuceneSegments(int segments, IndexCheck check, ExportCodec codec) implements LuceneTarget {
  /**
   * Stored documents wait in files, and Lucene's fast compression takes up to twice their bytes.
   */
  private static final int STORED_GROWTH = 3;

  LuceneSegments {
    if (segments < 1) {
      throw new IllegalArgumentException("segments must be at least 1; got " + segments);
    }
  }

  @Override
  public Assembly assemble(Job job) throws IOException {
    return new Merge(job);
  }

  private final class Merge extends LuceneAssembly {
    private final RunFiles runs;

    Merge(Job job) throws IOException {
      super(job, check, codec);
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
      Job job = job();
      job.progress().enter(Stage.MERGE);
      MergeSpace.require(job.directory().root(), runs, job.space(), STORED_GROWTH);
      long encodedBytes = job.plan().encodedBytes();
      List<SegmentWriter> written;
      try (Workers workers = Workers.givingWay("merge", job.threads());
          StoredDocuments documents = documents();
          Columns columns =
              Columns.join(job.directory().runs(), runs.columns(), job.schema().columns());
          OpenRuns open =
              OpenRuns.open(
                  runs,
                  job.schema(),
                  workers,
                  OpenRuns.Limits.of(job.threads(), job.plan().mergeBytes() - encodedBytes))) {
        // Outside of the heap, the memory that runs were made in is free.
        MergedSegments.Memory memory =
            new MergedSegments.Memory(encodedBytes, job.threads() * job.plan().runBytes());
        written =
            new MergedSegments(
                    open,
                    job.schema(),
                    new MergedSegments.Documents(documents, columns),
                    index(),
                    job.threads(),
                    memory)
                .write(segments, job.clock(), job.progress());
      }
      job.log().endPhase("merge");
      commit(written, runs.runs().size());
    }

    private @Nullable StoredDocuments documents() throws IOException {
      return job().schema().fields().stream().anyMatch(Field::stored)
          ? StoredDocuments.join(job().directory().runs(), runs.documents(), job().schema())
          : null;
    }
  }
}
