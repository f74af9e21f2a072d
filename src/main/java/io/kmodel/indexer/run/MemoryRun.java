package io.kmodel.indexer.run;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.memory.OffHeap;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A run that stays in memory until it is merged. To encode a key for a file and decode it again
 * takes about 30 ns; to copy a sorted key here takes half of that, and to move a counted key a
 * third. The lists lie one after the other in term order, so a merge reads them front to back.
 *
 * <pre>
 * list := termLength:u32 keys:u32 term bytes, key*
 * key  := docID and position, each as wide as the run's largest needs, in 4 bytes, or in 5 if they
 *         do not fit
 * </pre>
 *
 * <p>Memory, off-heap: 4 or 5 bytes a key, 8 bytes and the term key per term, and the documents'
 * lengths. On the heap a {@link TermSample} for every 16 KiB that the lists would take in a file,
 * and for each list of that size; fewer if terms are longer than 2 KiB. The samples take at most an
 * eighth of the off-heap memory. Safe for many threads, each with its own cursors, until it is
 * closed, which frees the memory.
 */
public final class MemoryRun implements SortedRun, AutoCloseable {
  /** Estimated bytes of a list in a file: its head without the term, and four keys. */
  private static final int FILE_HEAD_BYTES = 4;

  private static final int FILE_BYTES_PER_FOUR_KEYS = 6;

  private static final int HEAD_BYTES = 8;

  /**
   * A quarter of the distance in files. A cursor scans the lists from the last sample before its
   * range on, and with 16 threads a range has at most 30 KiB of a run.
   */
  private static final int SAMPLE_BYTES = 1 << 14;

  /**
   * The least distance of samples, as a multiple of the key's length. The keys are on the heap;
   * without this, those of very long terms would take as much memory there as the lists here.
   */
  private static final int SAMPLE_KEYS = 8;

  /** Terms and keys are written and read as longs, even the last ones. */
  private static final int SLACK_BYTES = Long.BYTES;

  private final Schema schema;

  /** The layout of the keys, which have no terms. */
  private final KeyLayout layout;

  private final int keyBytes;
  private final boolean hasValues;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory;
  private final int documents;
  private final RunDocuments lengths;
  private final long listsEnd;

  /** Estimated bytes in a file of the lists so far; finally of all lists. */
  private long fileBytes;

  /** The value of {@link #fileBytes} at the last sample. */
  private long sampled = -SAMPLE_BYTES;

  private final ImmutableList<TermSample> samples;

  /**
   * The content of a run, except its keys.
   *
   * @param keys number of keys
   * @param packed the layout of the keys in memory
   */
  record Content(int documents, RunDocuments lengths, long keys, KeyLayout packed) {}

  /** Writes the lists of a run to an address and returns where they end. */
  @FunctionalInterface
  private interface Lists {
    long put(MemoryRun run, long start, ImmutableList.Builder<TermSample> found);
  }

  /**
   * Copies a run of sorted keys.
   *
   * @param bytes at least {@link #bytes}
   * @throws IllegalArgumentException if the run has offsets
   * @throws OutOfMemoryError if the system has no memory
   */
  static MemoryRun of(SortedLists sorted, Content content, long bytes) {
    return new MemoryRun(
        sorted.schema, content, bytes, (run, start, found) -> run.copyLists(sorted, start, found));
  }

  /** The same for counted keys, which are put in order as they are moved here. */
  static MemoryRun of(CountedLists counted, Content content, long bytes) {
    return new MemoryRun(
        counted.schema(),
        content,
        bytes,
        (run, start, found) -> run.moveLists(counted, start, found));
  }

  private MemoryRun(Schema schema, Content content, long bytes, Lists lists) {
    if (schema.hasOffsets()) {
      throw new IllegalArgumentException("a run with offsets cannot be kept in memory");
    }
    this.schema = schema;
    this.layout = content.packed;
    this.keyBytes = layout.packedBytes();
    this.hasValues =
        schema.fields().stream()
            .anyMatch(f -> f.detail().hasPositions() || f.detail().hasImpacts());
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

  /** The most bytes that a run takes. */
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

  /** Fails at the first list that does not end where it should. */
  private void requireEnds(CountedLists counted, long start) {
    long end = start;
    counted.rewind();
    while (counted.nextTerm()) {
      end += HEAD_BYTES + counted.termLength() + (long) keyBytes * counted.keyCount();
      counted.requireEnd(end);
    }
  }

  /** Starts a list, possibly with a sample. Returns the address of its first key. */
  private long startList(
      byte[] term, int termLength, int keys, long head, ImmutableList.Builder<TermSample> found) {
    long bytes = inFile(termLength, keys);
    // Every long list gets a sample, so that all runs have samples at the same terms.
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

  /** Without positions or weights only gaps of documents are written, and few keys need one. */
  private long inFile(int termLength, long keys) {
    long ofKeys = FILE_BYTES_PER_FOUR_KEYS * keys / (hasValues ? 4 : 8);
    return FILE_HEAD_BYTES + termLength + ofKeys;
  }

  /** Returns where the keys end. */
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

  /** Bytes that its documents and lists use. */
  public long usedBytes() {
    return listsEnd - memory.address();
  }

  /** Bytes that were allocated but are not used. */
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

    /** Address of the next list. */
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
