package io.kmodel.indexer.indexing.merge;

import io.kmodel.indexer.export.lucene.postings.PostingsRanges;
import io.kmodel.indexer.export.lucene.schema.DocumentRange;
import io.kmodel.indexer.export.lucene.schema.NormLengths;
import io.kmodel.indexer.export.lucene.segment.SegmentWriter;
import io.kmodel.indexer.export.lucene.segment.SegmentWriter.Means;
import io.kmodel.indexer.export.lucene.segment.SegmentedIndex;
import io.kmodel.indexer.export.lucene.view.ColumnRange;
import io.kmodel.indexer.index.columns.Columns;
import io.kmodel.indexer.index.documents.StoredDocuments;
import io.kmodel.indexer.index.documents.StoredTexts;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.report.Activity;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.StageClock;
import io.kmodel.indexer.memory.OffHeap;
import io.kmodel.indexer.merge.TermRange;
import io.kmodel.indexer.merge.TermRanges;
import io.kmodel.indexer.run.SortedRun;
import io.kmodel.indexer.task.Workers;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Merges runs into segments of a Lucene index: each segment is made of neighboring runs. Segments
 * are written concurrently, one by each thread. If there are more threads than segments, several
 * threads write one: its terms are cut into ranges that they merge and encode. If few files may be
 * open, fewer segments are written at a time, with more threads each.
 *
 * <p>Memory on the heap: the buffers of the readers, those of Lucene's codec for each segment in
 * progress, and, if several threads write a segment, {@link MemoryPlan#encodedBytes} for all
 * together. Memory off the heap, where runs were: a byte per document for each tokenized field of
 * the segments in progress; if that is too much, fewer segments are written at a time.
 */
public final class MergedSegments {
  /** Bytes of postings that are merged at a time; encoded, they wait in memory. */
  private static final long RANGE_BYTES = 1 << 20;

  /** The same if memory is short. */
  private static final long LEAST_RANGE_BYTES = 128 << 10;

  /** The same for a thread that writes a segment alone. */
  private static final long ALONE_RANGE_BYTES = 8 << 20;

  /** Terms of a single document take some four times as much encoded as in a run. */
  private static final long GROWTH = 4;

  /** Documents between two beats of the progress. */
  private static final int DOCUMENTS_PER_BEAT = 1 << 12;

  /**
   * Memory for all segments in progress.
   *
   * @param encodedBytes heap for postings that are encoded before they can be written
   * @param lengthBytes off-heap, for the lengths of documents
   */
  public record Memory(long encodedBytes, long lengthBytes) {}

  /**
   * The documents of the runs, without their postings.
   *
   * @param stored null if no field is stored
   */
  public record Documents(@Nullable StoredDocuments stored, Columns columns) {}

  private final OpenRuns runs;
  private final Schema schema;
  private final Documents documents;
  private final SegmentedIndex index;
  private final int threads;
  private final Memory memory;

  /**
   * Prepares the merge.
   *
   * @param index gets the segments
   * @param memory for all segments together
   */
  public MergedSegments(
      OpenRuns runs,
      Schema schema,
      Documents documents,
      SegmentedIndex index,
      int threads,
      Memory memory) {
    this.runs = runs;
    this.schema = schema;
    this.documents = documents;
    this.index = index;
    this.threads = threads;
    this.memory = memory;
  }

  /**
   * Writes at most {@code segments} segments with about the same bytes of postings each.
   *
   * @return the segments, in document order
   */
  public List<SegmentWriter> write(int segments, StageClock clock, BuildProgress progress)
      throws IOException, InterruptedException {
    List<List<SortedRun>> groups = groups(runs.runs(), segments);
    List<Long> lengths =
        groups.stream().map(group -> NormLengths.bytes(OpenRuns.documents(group), schema)).toList();
    int wanted = Math.clamp(withRoom(lengths, memory.lengthBytes()), 1, threads);
    int atOnce = index.atOnce(wanted);
    List<Callable<SegmentWriter>> writes = new ArrayList<>();
    int firstDoc = 0;
    for (List<SortedRun> group : groups) {
      // The first segments share the remaining threads.
      int more = writes.size() < threads % atOnce ? 1 : 0;
      long ahead = memory.encodedBytes() / atOnce;
      Means means = new Means(threadsOf(group, threads / atOnce + more, ahead), ahead);
      progress.expectMoreRanges(rangesWanted(group, means.threads()));
      int first = firstDoc;
      writes.add(() -> clock.timed(Activity.EXPORT, () -> write(group, first, means, progress)));
      firstDoc = Math.addExact(firstDoc, OpenRuns.documents(group));
    }
    // Closing waits for the threads, before their inputs are closed.
    try (Workers workers = Workers.givingWay("segment", atOnce)) {
      return workers.runAll(writes);
    }
  }

  private SegmentWriter write(
      List<SortedRun> group, int firstDoc, Means means, BuildProgress progress) throws IOException {
    int wanted = rangesWanted(group, means.threads());
    List<TermRange> cut = TermRanges.cut(group, wanted);
    progress.expectMoreRanges(cut.size() - wanted);
    Ranges terms =
        new Ranges(group, cut, rangeBytes(means.threads()), runs.bufferBytes(), progress);
    int count = OpenRuns.documents(group);
    try (Arena arena = Arena.ofShared()) {
      NormLengths lengths =
          new NormLengths(OffHeap.allocate(NormLengths.bytes(count, schema), arena), count, schema);
      Lengths.copy(group, schema, lengths::add);
      SegmentWriter segment = index.newSegment();
      DocumentRange range = new DocumentRange(firstDoc, firstDoc + count);
      segment.setColumns(new ColumnRange(documents.columns(), range));
      try {
        segment.write(to -> store(to, firstDoc, count, progress), lengths, terms, means);
      } catch (Throwable e) {
        try (segment) {
          throw e;
        }
      }
      return segment;
    }
  }

  /**
   * How many segments can have their lengths in memory at a time, whichever they are.
   *
   * @param bytes of the lengths of each segment
   * @throws IOException if one alone is too large
   */
  static int withRoom(List<Long> bytes, long room) throws IOException {
    int fit = 0;
    long taken = 0;
    for (long next : bytes.stream().sorted(Comparator.reverseOrder()).toList()) {
      taken += next;
      if (taken > room) {
        break;
      }
      fit++;
    }
    if (fit == 0 && !bytes.isEmpty()) {
      throw new IOException(
          "the lengths of the documents of the largest segment take %,d bytes of memory outside of the heap, and there are %,d; raise --memory or --segments"
              .formatted(Collections.max(bytes), room));
    }
    return fit;
  }

  /** Cuts the runs into groups of neighbors with about the same bytes of postings. */
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

  private int rangesWanted(List<SortedRun> group, int threadsOfOne) {
    long bytes = group.stream().mapToLong(SortedRun::listBytes).sum();
    return Math.toIntExact(bytes / rangeBytes(threadsOfOne) + 1);
  }

  private long rangeBytes(int threadsOfOne) {
    return threadsOfOne == 1
        ? ALONE_RANGE_BYTES
        : Math.clamp(memory.encodedBytes() / GROWTH / threads, LEAST_RANGE_BYTES, RANGE_BYTES);
  }

  /**
   * How many threads may write a segment: each encodes a range whose encoded size is unknown. If
   * terms are distributed alike in all runs, their samples coincide, and ranges cannot be cut
   * between them.
   */
  private static int threadsOf(List<SortedRun> group, int wanted, long bytes) {
    long longest =
        group.stream().mapToLong(run -> run.listBytes() / Math.max(1, run.samples().size())).sum();
    return Math.clamp(bytes / GROWTH / Math.max(1, longest), 1, wanted);
  }

  private void store(SegmentWriter segment, int firstDoc, int count, BuildProgress progress)
      throws IOException {
    StoredDocuments stored = documents.stored();
    if (stored == null) {
      for (int doc = 0; doc < count; doc++) {
        segment.startDocument();
        segment.finishDocument();
        beat(doc, progress);
      }
      return;
    }
    int[] fields =
        IntStream.range(0, schema.size()).filter(field -> schema.field(field).stored()).toArray();
    try (StoredTexts texts = stored.texts()) {
      for (int doc = firstDoc; doc < firstDoc + count; doc++) {
        segment.startDocument();
        for (int field : fields) {
          texts.utf8(
              doc, field, (utf8, offset, length) -> segment.stored(field, utf8, offset, length));
        }
        segment.finishDocument();
        beat(doc, progress);
      }
    }
  }

  private static void beat(int doc, BuildProgress progress) {
    if (doc % DOCUMENTS_PER_BEAT == 0) {
      progress.beat();
    }
  }

  /** Ranges of the terms of some runs. */
  private record Ranges(
      List<SortedRun> runs,
      List<TermRange> ranges,
      long rangeBytes,
      int bufferBytes,
      BuildProgress progress)
      implements PostingsRanges {
    @Override
    public int count() {
      return ranges.size();
    }

    /** Ranges are cut to about the same size. */
    @Override
    public long bytes(int range) {
      return rangeBytes;
    }

    /** Counts the range as merged; each is opened once. */
    @Override
    public PostingsCursor open(int range) throws IOException {
      progress.range();
      return OpenRuns.cursor(runs, ranges.get(range), bufferBytes);
    }
  }
}
