package io.kmodel.indexer.indexing.documents;

import io.kmodel.indexer.export.lucene.postings.PackedLists;
import io.kmodel.indexer.export.lucene.postings.PostingsRanges;
import io.kmodel.indexer.export.lucene.schema.DocumentLengths;
import io.kmodel.indexer.export.lucene.segment.SegmentWriter;
import io.kmodel.indexer.export.lucene.segment.SegmentedIndex;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.indexing.journal.Reading;
import io.kmodel.indexer.indexing.report.Activity;
import io.kmodel.indexer.indexing.report.StageClock;
import io.kmodel.indexer.indexing.report.Timeline;
import io.kmodel.indexer.inversion.InvertedRun;
import io.kmodel.indexer.inversion.ListForm;
import io.kmodel.indexer.run.OrderedRun;
import java.io.IOException;
import java.util.List;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes each run as a segment of a Lucene index from the memory in which it was sorted: no run is
 * written and nothing is merged.
 */
public final class RunSegments implements BuildOutput {
  private final SegmentedIndex index;
  private final StageClock clock;

  /** By split and run, as the halves of a long. */
  private final NavigableMap<Long, SegmentWriter> segments = new ConcurrentSkipListMap<>();

  public RunSegments(SegmentedIndex index, StageClock clock) {
    this.index = index;
    this.clock = clock;
  }

  /** In document order. */
  public List<SegmentWriter> segments() {
    return List.copyOf(segments.values());
  }

  @Override
  public ListForm form() {
    return ListForm.LUCENE;
  }

  @Override
  public SplitOutput split(Reading reading) {
    return new OfSplit(reading.split());
  }

  @Override
  public void drop(int ordinal) throws IOException {
    long first = (long) ordinal << 32;
    for (SegmentWriter segment : segments.subMap(first, first + (1L << 32)).values()) {
      index.drop(segment);
    }
    segments.subMap(first, first + (1L << 32)).clear();
    clock.timeline().forgetRuns(ordinal);
  }

  private final class OfSplit implements SplitOutput {
    private final int split;

    /** The segment of the current run; null before its first document. */
    private @Nullable SegmentWriter segment;

    private int runs;

    OfSplit(int split) {
      this.split = split;
    }

    @Override
    public void startDocument(long unit) throws IOException {
      segment().startDocument();
    }

    @Override
    public void value(int field, byte[] utf8, int offset, int length) throws IOException {
      segment().stored(field, utf8, offset, length);
    }

    @Override
    public void finishDocument() throws IOException {
      segment().finishDocument();
    }

    @Override
    public Run endRun() throws IOException {
      Run run = new OfRun(segment(), (long) split << 32 | runs++);
      segment = null;
      return run;
    }

    @Override
    public void finish() {}

    @Override
    public void close() throws IOException {
      if (segment != null) {
        segment.close();
      }
    }

    private SegmentWriter segment() throws IOException {
      SegmentWriter current = segment;
      if (current == null) {
        current = index.newSegment();
        segment = current;
      }
      return current;
    }
  }

  /** A segment that has its documents and waits for its postings. */
  private final class OfRun implements SplitOutput.Run {
    private final SegmentWriter writer;
    private final long place;
    private boolean complete;

    OfRun(SegmentWriter writer, long place) {
      this.writer = writer;
      this.place = place;
    }

    @Override
    public void postings(OrderedRun sorted) throws IOException {
      DocumentLengths lengths = new RunLengths(sorted);
      PackedLists packed = sorted instanceof InvertedRun inverted ? inverted.packed() : null;
      if (packed != null) {
        PostingsCursor others = ((InvertedRun) sorted).others();
        clock.time(Activity.EXPORT, () -> writer.write(lengths, others, packed));
      } else {
        // Moves counted keys to their lists.
        PostingsCursor postings = clock.timed(Activity.SORT, sorted::cursor);
        clock.time(Activity.EXPORT, () -> writer.write(lengths, PostingsRanges.single(postings)));
      }
      segments.put(place, writer);
      complete = true;
      clock
          .timeline()
          .run(
              new Timeline.Run(
                  (int) (place >>> 32),
                  (int) place,
                  sorted.documentCount(),
                  sorted.tokenCount(),
                  -1));
    }

    @Override
    public void close() throws IOException {
      if (!complete) {
        writer.close();
      }
    }
  }

  /** The lengths of a run's documents. */
  private record RunLengths(OrderedRun run) implements DocumentLengths {
    @Override
    public int count() {
      return run.documentCount();
    }

    @Override
    public int length(int field, int docId) {
      return run.length(field, docId);
    }
  }
}
