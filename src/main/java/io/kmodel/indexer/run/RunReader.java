package io.kmodel.indexer.run;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.index.PostingsCursor;
import io.kmodel.indexer.run.RunTail.FieldPart;
import io.kmodel.indexer.store.ByteReader;
import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.store.InputFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads a run file (see {@link RunWriter}) through one file descriptor. Memory: the tail (see
 * {@link RunTail}), and a buffer per cursor. What cannot be right is a {@link
 * CorruptIndexException}; {@link #verify} finds every altered byte. Safe for many threads, each
 * with cursors of its own.
 */
public final class RunReader implements AutoCloseable {
  /** What decoding a block needs. */
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

  /** Bytes of all lists. */
  public long listBytes() {
    return tail.lists().end() - file.bodyStart();
  }

  /**
   * The sparse index, ascending: where the lists can be cut into ranges of known size. Its first
   * entry has an empty key and no bytes before it; the others are 64 KiB and more apart.
   */
  public ImmutableList<TermSample> samples() {
    return tail.lists().samples();
  }

  /**
   * The postings of the term keys in [from, to), docIDs counted from the run's first document.
   *
   * @param from null for the first
   * @param to null for the end
   * @param bufferBytes memory for reading, less where the range is less; at least 4 KiB
   */
  public PostingsCursor cursor(byte @Nullable [] from, byte @Nullable [] to, int bufferBytes)
      throws IOException {
    long start = tail.lists().end();
    int longLists = 0;
    for (int low = 0, high = samples().size(); low < high; ) {
      int middle = (low + high) >>> 1;
      TermSample sample = samples().get(middle);
      if (middle > 0 && (from == null || Arrays.compareUnsigned(sample.key(), from) > 0)) {
        high = middle;
      } else {
        start = sample.offset();
        longLists = sample.longLists();
        low = middle + 1;
      }
    }
    long end = end(to);
    int buffer = (int) Math.max(MIN_BUFFER_BYTES, Math.min(bufferBytes, end - start));
    return new RunCursor(file.reader(start, end, buffer), tail, longLists, from, to);
  }

  /** Where reading may end: at the first sample from which on all terms are beyond the range. */
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

  /** The lengths of all documents in a tokenized field. */
  public LengthsReader lengths(int field) throws IOException {
    FieldPart part = tail.fields().get(field);
    if (!part.tokenized()) {
      throw new IllegalArgumentException("field " + field + " has no lengths");
    }
    ByteReader in = file.reader(part.lengthsStart(), tail.lengthsEnd(field), MIN_BUFFER_BYTES);
    return new LengthsReader(in, documentCount());
  }

  /**
   * Reads the whole file and compares its checksum.
   *
   * @throws CorruptIndexException if a byte was altered
   */
  public void verify() throws IOException {
    file.verify();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
