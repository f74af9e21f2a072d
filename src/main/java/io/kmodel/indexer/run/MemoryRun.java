package io.kmodel.indexer.run;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.index.PostingsCursor;
import io.kmodel.indexer.index.Schema;
import io.kmodel.indexer.memory.OffHeap;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A run in memory of its own, where it waits for the merge: encoding it for a file and decoding it
 * again takes some 30 ns a key, putting sorted keys here half of that, and counted ones a third.
 * Its lists lie one after the other in order of terms, so that a merge reads them front to back.
 *
 * <pre>
 * list := termLength:u32 keys:u32 term bytes, key*
 * key  := docID and position, each as wide as the run's largest wants, in 4 bytes, or 5 if they
 *         have no room there
 * </pre>
 *
 * <p>Memory, off-heap: 4 or 5 bytes a key, 8 and the term key for each term, the documents'
 * lengths; on the heap a {@link TermSample} for every 16 KiB that they would take in a file, and
 * for each list that would take as much, fewer where terms are longer than 2 KiB: at most an eighth
 * of that in all. Safe for many threads, each with cursors of its own, until it is closed, which
 * frees the memory.
 */
public final class MemoryRun implements SortedRun, AutoCloseable {
  /** What a list takes in a file, about: its head beside the term, and four keys in bytes. */
  private static final int FILE_HEAD_BYTES = 4;

  private static final int FILE_BYTES_PER_FOUR_KEYS = 6;

  private static final int HEAD_BYTES = 8;

  /**
   * A quarter of what lies between a file's samples: a cursor goes through the lists from the last
   * sample before its range on, and with 16 threads a range has no more than 30 KiB of a run.
   */
  private static final int SAMPLE_BYTES = 1 << 14;

  /**
   * So many times its key lie between samples, at least: the keys are on the heap, and would take
   * as much there as lists of very long terms do here.
   */
  private static final int SAMPLE_KEYS = 8;

  /** Terms and sorted keys are written as longs, and all keys read so: behind the last, too. */
  private static final int SLACK_BYTES = Long.BYTES;

  private final Schema schema;

  /** Of the keys, which have no terms. */
  private final KeyLayout layout;

  private final int keyBytes;
  private final boolean hasPositions;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory;
  private final int documents;
  private final RunDocuments lengths;
  private final long listsEnd;

  /** Of the lists so far, in the end of all. */
  private long fileBytes;

  /** Where the last sample is, in the bytes of a file. */
  private long sampled = -SAMPLE_BYTES;

  private final ImmutableList<TermSample> samples;

  /**
   * What a run is, besides its keys.
   *
   * @param packed the layout that its keys are to have
   */
  record Content(int documents, RunDocuments lengths, long keys, KeyLayout packed) {}

  /** Puts the lists of a run here, from an address on, and returns where they end. */
  @FunctionalInterface
  private interface Lists {
    long put(MemoryRun run, long start, ImmutableList.Builder<TermSample> found);
  }

  /**
   * Copies a run.
   *
   * @param bytes at least what {@link #bytes} says
   * @throws IllegalArgumentException if it has offsets
   * @throws OutOfMemoryError if the system has no memory
   */
  static MemoryRun of(SortedLists sorted, Content content, long bytes) {
    return new MemoryRun(
        sorted.schema, content, bytes, (run, start, found) -> run.copyLists(sorted, start, found));
  }

  /** The same of keys that are put in order on their way. */
  static MemoryRun of(CountedLists counted, Content content, long bytes) {
    return new MemoryRun(
        counted.schema(),
        content,
        bytes,
        (run, start, found) -> run.moveLists(counted, start, found));
  }

  private MemoryRun(Schema schema, Content content, long bytes, Lists lists) {
    if (schema.hasOffsets()) {
      throw new IllegalArgumentException("keys with offsets are not all that there is of a run");
    }
    this.schema = schema;
    this.layout = content.packed;
    this.keyBytes = layout.packedBytes();
    this.hasPositions = schema.fields().stream().anyMatch(f -> f.detail().hasPositions());
    this.documents = content.documents;
    try {
      this.memory = OffHeap.allocate(bytes, arena);
      this.lengths = content.lengths.copy(memory.address(), documents);
      ImmutableList.Builder<TermSample> found = ImmutableList.builder();
      this.listsEnd = lists.put(this, memory.address() + lengths.bytes(documents), found);
      this.samples = found.build();
    } catch (RuntimeException | Error e) {
      arena.close();
      throw e;
    }
  }

  /** The most that a run takes. */
  static long bytes(Content content, TermDictionary dictionary) {
    return content.lengths.bytes(content.documents)
        + (long) HEAD_BYTES * dictionary.size()
        + dictionary.termKeyBytes()
        + content.packed.packedBytes() * content.keys
        + SLACK_BYTES;
  }

  private long copyLists(SortedLists sorted, long start, ImmutableList.Builder<TermSample> found) {
    long at = start;
    while (sorted.nextTerm()) {
      at = startList(sorted.term(), sorted.termLength(), sorted.keyCount(), at, found);
      at = copyKeys(sorted, at);
    }
    return at;
  }

  private long moveLists(
      CountedLists counted, long start, ImmutableList.Builder<TermSample> found) {
    byte[] term = new byte[64];
    long at = start;
    counted.startSending();
    while (counted.nextTerm()) {
      int length = counted.termLength();
      if (length > term.length - Long.BYTES) {
        term = new byte[Math.max(length + Long.BYTES, 2 * term.length)];
      }
      counted.copyTerm(term);
      at = startList(term, length, counted.keyCount(), at, found);
      at = counted.sendTo(at, keyBytes);
    }
    counted.move(layout);
    if (!counted.endsAsSent()) {
      requireEnds(counted, start);
    }
    return at;
  }

  /** Says which list does not end where it should. */
  private void requireEnds(CountedLists counted, long start) {
    long end = start;
    counted.rewind();
    while (counted.nextTerm()) {
      end += HEAD_BYTES + counted.termLength() + (long) keyBytes * counted.keyCount();
      counted.requireEnd(end);
    }
  }

  /** Begins a list, with a sample now and then; returns where its keys go. */
  private long startList(
      byte[] term, int termLength, int keys, long head, ImmutableList.Builder<TermSample> found) {
    long bytes = inFile(termLength, keys);
    // A long list has one of its own, so that all runs have one at the same term.
    long least = fileBytes == 0 ? 0 : Math.max(SAMPLE_BYTES, SAMPLE_KEYS * (long) termLength);
    if (Math.max(fileBytes - sampled, bytes) >= least) {
      byte[] key = Arrays.copyOf(term, fileBytes == 0 ? 0 : termLength);
      found.add(new TermSample(key, head, 0, fileBytes));
      sampled = fileBytes;
    }
    fileBytes += bytes;
    OffHeap.putInt(head, termLength);
    OffHeap.putInt(head + Integer.BYTES, keys);
    OffHeap.copyWords(term, 0, head + HEAD_BYTES, termLength);
    return head + HEAD_BYTES + termLength;
  }

  /** Without positions, a document has no more than its gap, and few of its keys have one. */
  private long inFile(int termLength, long keys) {
    long ofKeys = FILE_BYTES_PER_FOUR_KEYS * keys / (hasPositions ? 4 : 8);
    return FILE_HEAD_BYTES + termLength + ofKeys;
  }

  /** Returns where they end. */
  private long copyKeys(SortedLists sorted, long start) {
    KeyLayout from = sorted.layout;
    int count = sorted.keyCount();
    long at = start;
    for (int i = 0; i < count; i++) {
      long key = sorted.key(i);
      OffHeap.putLong(at, layout.pack(0, from.doc(key), from.position(key)));
      at += keyBytes;
    }
    return at;
  }

  /** The memory that its documents and lists take. */
  public long usedBytes() {
    return listsEnd - memory.address();
  }

  /** What it was given too much of, and has not touched. */
  public long spareBytes() {
    return memory.address() + memory.byteSize() - listsEnd - SLACK_BYTES;
  }

  @Override
  public int documentCount() {
    return documents;
  }

  @Override
  public long listBytes() {
    return fileBytes;
  }

  @Override
  public ImmutableList<TermSample> samples() {
    return samples;
  }

  @Override
  public PostingsCursor cursor(byte @Nullable [] from, byte @Nullable [] to, int bufferBytes) {
    int sample = TermSample.lastUpTo(samples, from);
    long start = sample < 0 ? listsEnd : samples.get(sample).offset();
    return new Cursor(start, new TermBounds(samples, from, to));
  }

  @Override
  public LengthsReader lengths(int field) {
    return lengths.reader(field, documents);
  }

  /** Writes the run file (see {@link RunWriter}). */
  public void write(Path path) throws IOException {
    RunWriter.write(path, schema, cursor(null, null, 0), lengths, documents);
  }

  @Override
  public void close() {
    arena.close();
  }

  /** The lists of a range of term keys. */
  private final class Cursor extends KeyLists {
    private final TermBounds bounds;

    /** Where the next list begins. */
    private long next;

    Cursor(long start, TermBounds bounds) {
      super(MemoryRun.this.schema, MemoryRun.this.layout, MemoryRun.this.keyBytes);
      this.next = start;
      this.bounds = bounds;
    }

    @Override
    public boolean nextTerm() {
      while (next < listsEnd) {
        long head = next;
        int length = OffHeap.getInt(head);
        byte[] term = startTerm(length);
        OffHeap.copyWords(head + HEAD_BYTES, term, 0, length);
        if (bounds.isBeyond(head, term, length)) {
          break;
        }
        int count = OffHeap.getInt(head + Integer.BYTES);
        long list = head + HEAD_BYTES + length;
        next = list + (long) keyBytes * count;
        startList(list, count);
        if (!bounds.isBefore(term, length)) {
          return true;
        }
      }
      next = listsEnd;
      startList(listsEnd, 0);
      return false;
    }
  }
}
