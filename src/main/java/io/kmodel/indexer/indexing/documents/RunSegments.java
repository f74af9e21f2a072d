package io.kmodel.indexer.indexing.documents;

import io.kmodel.indexer.export.lucene.postings.PackedLists;
import io.kmodel.indexer.export.lucene.postings.PostingsRanges;
import io.kmodel.indexer.export.lucene.schema.DocumentLengths;
import io.kmodel.indexer.export.lucene.segment.SegmentWriter;
import io.kmodel.indexer.export.lucene.segment.SegmentedIndex;
import io.kmodel.indexer.index.model.ColumnValues;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.indexing.journal.Reading;
import io.kmodel.indexer.indexing.report.Activity;
import io.kmodel.indexer.indexing.report.StageClock;
import io.kmodel.indexer.indexing.report.Timeline;
import io.kmodel.indexer.inversion.InvertedRun;
import io.kmodel.indexer.inversion.ListForm;
import io.kmodel.indexer.run.OrderedRun;
import java.io.IOException;
import java.nio.file.Path;
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
  private final Schema schema;
  private final Path directory;
  private final StageClock clock;

  /** By split and run, as the halves of a long. */
  private final NavigableMap<Long, SegmentWriter> segments = new ConcurrentSkipListMap<>();

  /**
   * Prepares segments.
   *
   * @param directory for columns that wait for their segments
   */
  public RunSegments(SegmentedIndex index, Schema schema, Path directory, StageClock clock) {
    this.index = index;
    this.schema = schema;
    this.directory = directory;
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
    return new OfSplit(reading);
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
    private final Reading reading;

    /** The segment of the current run; null before its first document. */
    private @Nullable SegmentWriter segment;

    /** The columns of the current run; null without columns, or before its first document. */
    private @Nullable RunColumns columns;

    private int runs;

    OfSplit(Reading reading) {
      this.reading = reading;
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
    public void values(ColumnValues values) throws IOException {
      RunColumns current = columns;
      if (current == null) {
        String name = RunFiles.name(reading, "%03d.columns".formatted(runs));
        current = new RunColumns(directory.resolve(name), schema);
        columns = current;
      }
      current.add(values);
    }

    @Override
    public void finishDocument() throws IOException {
      segment().finishDocument();
    }

    @Override
    public Run endRun() throws IOException {
      Run run = new OfRun(segment(), columns, (long) reading.split() << 32 | runs++);
      segment = null;
      columns = null;
      return run;
    }

    @Override
    public void finish() {}

    @Override
    public void close() throws IOException {
      RunColumns values = columns;
      SegmentWriter ofRun = segment;
      try (values) {
        if (ofRun != null) {
          ofRun.close();
        }
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
    private final @Nullable RunColumns columns;
    private final long place;
    private boolean complete;

    OfRun(SegmentWriter writer, @Nullable RunColumns columns, long place) {
      this.writer = writer;
      this.columns = columns;
      this.place = place;
    }

    @Override
    public void postings(OrderedRun sorted) throws IOException {
      if (columns == null) {
        write(sorted);
      } else {
        columns.write(writer, () -> write(sorted));
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

    private void write(OrderedRun sorted) throws IOException {
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
    }

    @Override
    public void close() throws IOException {
      try (columns) {
        if (!complete) {
          writer.close();
        }
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
