package io.kmodel.indexer.indexing.merge;

import io.kmodel.indexer.export.lucene.postings.PostingsRanges;
import io.kmodel.indexer.export.lucene.schema.NormLengths;
import io.kmodel.indexer.export.lucene.segment.SegmentWriter;
import io.kmodel.indexer.export.lucene.segment.SegmentWriter.Means;
import io.kmodel.indexer.export.lucene.segment.SegmentedIndex;
import io.kmodel.indexer.index.documents.StoredDocuments;
import io.kmodel.indexer.index.documents.StoredTexts;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.options.Workers;
import io.kmodel.indexer.indexing.report.Activity;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.StageClock;
import io.kmodel.indexer.memory.OffHeap;
import io.kmodel.indexer.merge.TermRange;
import io.kmodel.indexer.merge.TermRanges;
import io.kmodel.indexer.run.SortedRun;
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
 * Merges runs straight into segments of a Lucene index: neighbouring runs make a segment. Segments
 * are written side by side, one by each thread; where there are more threads than segments, several
 * write one: its terms are cut into ranges that they merge and encode. Where few files may be open,
 * fewer segments are written at a time, with more threads each.
 *
 * <p>Memory: the readers' buffers, the buffers of Lucene's codec for each segment being written,
 * and where several threads write one, {@link MemoryPlan#encodedBytes} for all together; outside of
 * the heap, where runs were, a byte a document for each tokenized field of the segments being
 * written, of which there are fewer at a time where that is more than there is.
 */
public final class MergedSegments {
  /** Postings of a run file that are merged at a time; encoded, they wait in memory. */
  private static final long RANGE_BYTES = 1 << 20;

  /** The same where memory is short. */
  private static final long LEAST_RANGE_BYTES = 128 << 10;

  /** The same for a thread that writes what it merges. */
  private static final long ALONE_RANGE_BYTES = 8 << 20;

  /** Terms of one document each take some four times as much encoded as in a run. */
  private static final long GROWTH = 4;

  /** Documents between two signs of life. */
  private static final int DOCUMENTS_PER_BEAT = 1 << 12;

  /**
   * Memory of the segments that are written at a time.
   *
   * @param encodedBytes heap for postings that are encoded before they can be written
   * @param lengthBytes outside of the heap, for what is known of documents' lengths
   */
  public record Memory(long encodedBytes, long lengthBytes) {}

  private final OpenRuns runs;
  private final Schema schema;
  private final @Nullable StoredDocuments documents;
  private final SegmentedIndex index;
  private final int threads;
  private final Memory memory;

  /**
   * Of some runs.
   *
   * @param memory that there is for all segments together
   */
  public MergedSegments(
      OpenRuns runs,
      Schema schema,
      @Nullable StoredDocuments documents,
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
   * Writes at most so many segments, of about as many postings each.
   *
   * @return them, in document order
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
      // Those that are begun first share the threads that are left.
      int more = writes.size() < threads % atOnce ? 1 : 0;
      long ahead = memory.encodedBytes() / atOnce;
      Means means = new Means(threadsOf(group, threads / atOnce + more, ahead), ahead);
      progress.expectMoreRanges(rangesWanted(group, means.threads()));
      int first = firstDoc;
      writes.add(
          () -> {
            long start = System.nanoTime();
            SegmentWriter written = write(group, first, means, progress);
            clock.lap(Activity.EXPORT, start);
            return written;
          });
      firstDoc = Math.addExact(firstDoc, OpenRuns.documents(group));
    }
    // They have ended before what they read is closed.
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
   * How many of some segments have room for their lengths at a time, whichever these are.
   *
   * @param bytes of the lengths of each
   * @throws IOException if one has not
   */
  public static int withRoom(List<Long> bytes, long room) throws IOException {
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
   * How many threads may write a segment, of those that are wanted: each encodes a range of which
   * it is not known what it takes. Where the terms of all runs are spread alike, these have their
   * samples together, and there are no cuts between them.
   */
  private static int threadsOf(List<SortedRun> group, int wanted, long bytes) {
    long longest =
        group.stream().mapToLong(run -> run.listBytes() / Math.max(1, run.samples().size())).sum();
    return Math.clamp(bytes / GROWTH / Math.max(1, longest), 1, wanted);
  }

  private void store(SegmentWriter segment, int firstDoc, int count, BuildProgress progress)
      throws IOException {
    if (documents == null) {
      for (int doc = 0; doc < count; doc++) {
        segment.startDocument();
        segment.finishDocument();
        beat(doc, progress);
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

    /** They are cut to about the same. */
    @Override
    public long bytes(int range) {
      return rangeBytes;
    }

    /** Each is opened once; it counts from then on. */
    @Override
    public PostingsCursor open(int range) throws IOException {
      progress.range();
      return OpenRuns.cursor(runs, ranges.get(range), bufferBytes);
    }
  }
}
