package io.kmodel.indexer.indexing.merge;

import io.kmodel.indexer.index.model.IndexFiles;
import io.kmodel.indexer.store.ByteReader;
import io.kmodel.indexer.store.InputFile;
import io.kmodel.indexer.store.OutputFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * A postings list that is too long for memory: its chunks, each sorted, in one file, from which
 * they are merged.
 *
 * <pre>
 * body     := chunk*
 * chunk    := document*
 * document := doc:vint freq:vint value:vint*       values of positions as in {@link ListChunk}
 * </pre>
 *
 * Example: document 3, twice, at the positions 5 and 9, is {@code 03 02 05 04}.
 *
 * <p>Memory: a buffer for each chunk. Closing deletes the file. Not thread-safe.
 */
final class ListRuns implements Closeable {
  private static final String FORMAT = "list";
  private static final int LEAST_BUFFER = 1 << 10;
  private static final int LARGEST_BUFFER = 1 << 16;

  private final Path path;
  private final OutputFile out;
  private final List<Long> ends = new ArrayList<>();
  private final PriorityQueue<Run> runs =
      new PriorityQueue<>(Comparator.comparingInt((Run run) -> run.doc));
  private @Nullable InputFile in;

  /** A chunk that is read. */
  private static final class Run {
    private final ByteReader reader;
    private int doc;

    Run(ByteReader reader) {
      this.reader = reader;
    }

    /** Moves to the next document; returns false at the end. */
    boolean next() throws IOException {
      if (reader.remaining() == 0) {
        return false;
      }
      doc = reader.readVInt();
      return true;
    }
  }

  /** Starts a file. */
  ListRuns(Path path) throws IOException {
    this.path = path;
    this.out = OutputFile.create(path, FORMAT, IndexFiles.VERSION);
    ends.add(out.position());
  }

  /** Writes a sorted chunk. */
  void write(ListChunk chunk) throws IOException {
    for (int place = 0; place < chunk.count(); place++) {
      out.writeVInt(chunk.doc(place));
      out.writeVInt(chunk.freq(place));
      int values = chunk.valueCount(place);
      for (int i = 0; i < values; i++) {
        out.writeVInt(chunk.value(place, i));
      }
    }
    ends.add(out.position());
  }

  /**
   * Ends writing and starts to merge.
   *
   * @param bytes heap for the buffers
   */
  void merge(long bytes) throws IOException {
    out.commitUnforced();
    InputFile file = InputFile.map(path, FORMAT, IndexFiles.VERSION);
    in = file;
    int count = ends.size() - 1;
    int buffer = Math.clamp(bytes / count, LEAST_BUFFER, LARGEST_BUFFER);
    for (int i = 0; i < count; i++) {
      Run run = new Run(file.reader(ends.get(i), ends.get(i + 1), buffer));
      if (run.next()) {
        runs.add(run);
      }
    }
  }

  /**
   * Reads the next documents into an empty chunk, in order.
   *
   * @param docs at most so many
   * @param bytes no more than this, but one document at least
   * @param columns values per position; 0 without positions
   */
  void read(ListChunk into, int docs, long bytes, int columns) throws IOException {
    for (int n = 0; n < docs && !runs.isEmpty() && (n == 0 || into.bytes() < bytes); n++) {
      Run run = runs.remove();
      int freq = run.reader.readVInt();
      into.add(run.doc, freq);
      for (long left = (long) columns * freq; left > 0; left--) {
        into.addValue(run.reader.readVInt());
      }
      if (run.next()) {
        runs.add(run);
      }
    }
  }

  @Override
  public void close() throws IOException {
    try (out) {
      InputFile file = in;
      if (file != null) {
        file.close();
      }
    } finally {
      Files.deleteIfExists(path);
    }
  }
}
