package io.kmodel.indexer.indexing;

import io.kmodel.indexer.export.lucene.IndexCheck;
import io.kmodel.indexer.export.lucene.segment.ExportCodec;
import io.kmodel.indexer.indexing.documents.BuildOutput;
import io.kmodel.indexer.indexing.documents.RunSegments;
import java.io.IOException;

/**
 * A Lucene index with a segment for each run, written from the memory that the run was sorted in.
 * No run is written and nothing is merged, so there is nothing to resume from.
 */
record LucenePerRun(IndexCheck check, ExportCodec codec) implements LuceneTarget {
  @Override
  public int segments() {
    return SEGMENT_PER_RUN;
  }

  @Override
  public Assembly assemble(Job job) throws IOException {
    return new Segments(job);
  }

  private final class Segments extends LuceneAssembly {
    private final RunSegments runs;

    Segments(Job job) throws IOException {
      super(job, check, codec);
      this.runs = new RunSegments(index(), job.schema(), job.directory().runs(), job.clock());
    }

    @Override
    public BuildOutput runs() {
      return runs;
    }

    @Override
    public void merge() throws IOException {
      commit(runs.segments(), runs.segments().size());
    }
  }
}
