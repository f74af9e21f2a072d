package io.kmodel.indexer.run;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.run.RunTail.FieldPart;
import io.kmodel.indexer.store.ByteReader;
import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.store.InputFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a run file (see {@link RunWriter}) through one file descriptor. Impossible content throws a
 * {@link CorruptIndexException}; {@link #verify} detects every altered byte. Memory: the tail (see
 * {@link RunTail}), and a buffer per cursor. Safe for many threads, each with its own cursors.
 */
public final class RunReader implements SortedRun, AutoCloseable {
  /** The least that decoding a block needs. */
  private static final int MIN_BUFFER_BYTES = 1 << 12;

  private final InputFile file;
  private final RunTail tail;

  private RunReader(InputFile file, RunTail tail) {
    this.file = file;
    this.tail = tail;
  }

  public static RunReader open(Path path) throws IOException {
    InputFile file = InputFile.open(path, RunWriter.FORMAT, RunWriter.VERSION);
    try {
      return new RunReader(file, RunTail.read(file));
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  @Override
  public int documentCount() {
    return tail.totals().documents();
  }

  /** Occurrences of all terms. */
  public long tokens() {
    return tail.totals().tokens();
  }

  /** Terms with at least one occurrence. */
  public long distinctTerms() {
    return tail.totals().terms();
  }

  @Override
  public long listBytes() {
    return tail.lists().end() - file.bodyStart();
  }

  @Override
  public ImmutableList<TermSample> samples() {
    return tail.lists().samples();
  }

  @Override
  public PostingsCursor cursor(byte @Nullable [] from, byte @Nullable [] to, int bufferBytes)
      throws IOException {
    int first = TermSample.lastUpTo(samples(), from);
    long start = first < 0 ? tail.lists().end() : samples().get(first).offset();
    int longLists = first < 0 ? 0 : samples().get(first).longLists();
    long end = end(to);
    int buffer = (int) Math.max(MIN_BUFFER_BYTES, Math.min(bufferBytes, end - start));
    TermBounds bounds = new TermBounds(List.of(), from, to);
    return new RunCursor(file.reader(start, end, buffer), tail, longLists, bounds);
  }

  /** Where reading may stop: at the first sample whose terms are all beyond the range. */
  private long end(byte @Nullable [] to) {
    int low = 1;
    int high = to == null ? 0 : samples().size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Arrays.compareUnsigned(samples().get(middle).key(), to) >= 0) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return to != null && low < samples().size() ? samples().get(low).offset() : tail.lists().end();
  }

  @Override
  public LengthsReader lengths(int field) throws IOException {
    FieldPart part = tail.fields().get(field);
    if (!part.tokenized()) {
      throw new IllegalArgumentException("field " + field + " has no lengths");
    }
    ByteReader in = file.reader(part.lengthsStart(), tail.lengthsEnd(field), MIN_BUFFER_BYTES);
    return new FileLengths(in, documentCount());
  }

  /**
   * Reads the whole file and verifies its checksum.
   *
   * @throws CorruptIndexException if a byte has been altered
   */
  public void verify() throws IOException {
    file.verify();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
