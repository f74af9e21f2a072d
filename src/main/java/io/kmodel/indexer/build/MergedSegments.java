package io.kmodel.indexer.build;

import io.kmodel.indexer.build.StageClock.Work;
import io.kmodel.indexer.export.lucene.DocumentLengths;
import io.kmodel.indexer.export.lucene.PostingsRanges;
import io.kmodel.indexer.export.lucene.SegmentWriter;
import io.kmodel.indexer.export.lucene.SegmentedIndex;
import io.kmodel.indexer.index.PostingsCursor;
import io.kmodel.indexer.index.Schema;
import io.kmodel.indexer.index.StoredDocuments;
import io.kmodel.indexer.index.StoredTexts;
import io.kmodel.indexer.merge.TermRange;
import io.kmodel.indexer.merge.TermRanges;
import io.kmodel.indexer.run.SortedRun;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Merges runs straight into segments of a Lucene index: neighbouring runs make a segment. As many
 * segments are written side by side as there are threads; where there are fewer segments, the terms
 * of each are cut into ranges that several threads merge and encode. Memory: the readers' buffers,
 * 4 bytes a document for each tokenized field of the segments being written, and what {@link
 * SegmentWriter#write} takes for each of them that several threads write.
 */
final class MergedSegments {
  /** Postings of a run file that are merged at a time; encoded, they wait in memory. */
  private static final long RANGE_BYTES = 1 << 20;

  private final OpenRuns runs;
  private final Schema schema;
  private final @Nullable StoredDocuments documents;
  private final SegmentedIndex index;
  private final int threads;

  MergedSegments(
      OpenRuns runs,
      Schema schema,
      @Nullable StoredDocuments documents,
      SegmentedIndex index,
      int threads) {
    this.runs = runs;
    this.schema = schema;
    this.documents = documents;
    this.index = index;
    this.threads = threads;
  }

  /**
   * Writes at most so many segments, of about as many postings each.
   *
   * @return them, in document order
   */
  List<SegmentWriter> write(int segments, Workers workers, StageClock clock, BuildProgress progress)
      throws IOException, InterruptedException {
    List<List<SortedRun>> groups = groups(runs.runs(), segments);
    progress.expectRanges(groups.size());
    int threadsEach = Math.max(1, threads / Math.max(1, groups.size()));
    List<Callable<SegmentWriter>> writes = new ArrayList<>();
    int firstDoc = 0;
    for (List<SortedRun> group : groups) {
      int first = firstDoc;
      writes.add(
          () -> {
            long start = System.nanoTime();
            SegmentWriter written = write(group, first, threadsEach, progress);
            clock.lap(Work.EXPORT, start);
            progress.range();
            return written;
          });
      firstDoc = Math.addExact(firstDoc, OpenRuns.documents(group));
    }
    return workers.runAll(writes);
  }

  private SegmentWriter write(
      List<SortedRun> group, int firstDoc, int threadsEach, BuildProgress progress)
      throws IOException {
    MergedLengths lengths = MergedLengths.of(group, schema);
    SegmentWriter segment = index.newSegment();
    segment.write(
        to -> store(to, firstDoc, lengths.count()),
        lengths,
        new Ranges(group, ranges(group, threadsEach), runs.bufferBytes(), progress),
        threadsEach);
    return segment;
  }

  /** Runs of neighbours with about the same bytes of postings. */
  static List<List<SortedRun>> groups(List<SortedRun> runs, int count) {
    long total = runs.stream().mapToLong(SortedRun::listBytes).sum();
    List<List<SortedRun>> groups = new ArrayList<>();
    long before = 0;
    for (SortedRun run : runs) {
      // The middle of a run decides which group it is in.
      double middle = before + run.listBytes() / 2.0;
      long due = total == 0 ? 0 : (long) (middle * count / total);
      if (groups.isEmpty() || due >= groups.size()) {
        groups.add(new ArrayList<>());
      }
      groups.getLast().add(run);
      before += run.listBytes();
    }
    return groups;
  }

  private static List<TermRange> ranges(List<SortedRun> group, int threads) {
    long bytes = group.stream().mapToLong(SortedRun::listBytes).sum();
    return TermRanges.cut(
        group, threads == 1 ? 1 : Math.toIntExact(Math.ceilDiv(bytes, RANGE_BYTES) + 1));
  }

  private void store(SegmentWriter segment, int firstDoc, int count) throws IOException {
    if (documents == null) {
      for (int doc = 0; doc < count; doc++) {
        segment.startDocument();
        segment.finishDocument();
      }
      return;
    }
    int[] stored =
        IntStream.range(0, schema.size()).filter(field -> schema.field(field).stored()).toArray();
    try (StoredTexts texts = documents.texts()) {
      for (int doc = firstDoc; doc < firstDoc + count; doc++) {
        segment.startDocument();
        for (int field : stored) {
          segment.stored(field, texts.text(doc, field));
        }
        segment.finishDocument();
      }
    }
  }

  /** Ranges of the terms of some runs. */
  private record Ranges(
      List<SortedRun> runs, List<TermRange> ranges, int bufferBytes, BuildProgress progress)
      implements PostingsRanges {
    @Override
    public int count() {
      return ranges.size();
    }

    /** They are cut to about the same. */
    @Override
    public long bytes(int range) {
      return RANGE_BYTES;
    }

    @Override
    public PostingsCursor open(int range) throws IOException {
      progress.beat();
      return OpenRuns.cursor(runs, ranges.get(range), bufferBytes);
    }
  }

  /** Lengths of the documents of some runs, by field. */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  private record MergedLengths(int count, int[][] byField) implements DocumentLengths {
    static MergedLengths of(List<SortedRun> runs, Schema schema) throws IOException {
      int documents = OpenRuns.documents(runs);
      int[][] byField = new int[schema.size()][];
      int[] filled = new int[schema.size()];
      for (int field = 0; field < schema.size(); field++) {
        byField[field] = new int[schema.field(field).tokenized() ? documents : 0];
      }
      Lengths.copy(
          runs,
          schema,
          (field, lengths, n) -> {
            System.arraycopy(lengths, 0, byField[field], filled[field], n);
            filled[field] += n;
          });
      return new MergedLengths(documents, byField);
    }

    @Override
    public int length(int field, int docId) {
      return byField[field][docId];
    }
  }
}
