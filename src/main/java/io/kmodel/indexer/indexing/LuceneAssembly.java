package io.kmodel.indexer.indexing;

import io.kmodel.indexer.export.lucene.IndexCheck;
import io.kmodel.indexer.export.lucene.LuceneContent;
import io.kmodel.indexer.export.lucene.segment.ExportCodec;
import io.kmodel.indexer.export.lucene.segment.SegmentWriter;
import io.kmodel.indexer.export.lucene.segment.SegmentedIndex;
import io.kmodel.indexer.indexing.report.Activity;
import io.kmodel.indexer.indexing.report.BuildLog;
import io.kmodel.indexer.indexing.report.BuildProgress.Stage;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.store.disk.Directories;
import io.kmodel.indexer.store.disk.FreeFiles;
import io.kmodel.indexer.task.Workers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A Lucene index in the making. Unless it is completed, closing it deletes its files. */
abstract class LuceneAssembly implements Assembly {
  private final Job job;
  private final IndexCheck check;
  private final Path directory;
  private final SegmentedIndex index;
  private int runs;
  private boolean isComplete;

  LuceneAssembly(Job job, IndexCheck check, ExportCodec codec) throws IOException {
    this.job = job;
    this.check = check;
    this.directory = job.directory().index();
    Files.createDirectory(directory);
    this.index =
        new SegmentedIndex(directory, job.schema(), codec, Workers.factoryGivingWay("segment"));
  }

  Job job() {
    return job;
  }

  SegmentedIndex index() {
    return index;
  }

  /** Commits the segments of all documents, in their order, and closes the index's files. */
  void commit(List<SegmentWriter> segments, int runCount) throws IOException {
    runs = runCount;
    job.progress().enter(Stage.FINISH);
    try (index) {
      job.clock().time(Activity.ASSEMBLE, () -> index.commit(segments, job.threads()));
    }
  }

  @Override
  public void verify() throws IOException {
    job.clock().time(Activity.VERIFY, () -> check.run(directory, job.threads()));
    job.log().endPhase("finish");
  }

  @Override
  public Merged merged() throws IOException {
    LuceneContent content = LuceneContent.of(directory, job.schema(), FreeFiles.count());
    if (content.documents() != job.progress().documents()) {
      throw new IllegalStateException(
          "%d documents were indexed; lucene counts %d"
              .formatted(job.progress().documents(), content.documents()));
    }
    job.clock().produced(Activity.EXPORT, Directories.bytes(directory, ""));
    return new Merged(
        new BuildLog.Content(
            content.documents(),
            -1,
            content.terms(),
            content.postings(),
            content.tokens(),
            content.fields().stream().map(LuceneAssembly::figures).toList(),
            List.of(),
            content.emptyColumns()),
        runs,
        null);
  }

  private static BuildReport.FieldFigures figures(LuceneContent.FieldCounts of) {
    return new BuildReport.FieldFigures(
        of.field().name(), of.terms(), of.documents(), of.postings(), of.tokens());
  }

  @Override
  public Path identifyingFile() throws IOException {
    return LuceneContent.commitFile(directory);
  }

  @Override
  public void complete() {
    isComplete = true;
  }

  @Override
  public void close() throws IOException {
    try {
      index.close();
    } finally {
      if (!isComplete) {
        Directories.deleteTree(directory);
      }
    }
  }

  /** At least the checksums: an interrupted build has completed the index some time ago. */
  static void check(IndexCheck check, Path directory, int threads) throws IOException {
    (check == IndexCheck.NONE ? IndexCheck.CHECKSUMS : check).run(directory, threads);
  }
}
