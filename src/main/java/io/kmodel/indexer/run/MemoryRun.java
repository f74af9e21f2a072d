package io.kmodel.indexer.run;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.index.PostingsCursor;
import io.kmodel.indexer.index.Schema;
import io.kmodel.indexer.sort.OffHeap;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A run in memory of its own, where it waits for the merge: encoding it for a file and decoding it
 * again takes some 30 ns a key, putting it here half of that. Its lists lie one after the other in
 * order of terms, so that a merge reads them front to back.
 *
 * <pre>
 * list := termLength:u32 docFreq:u32 keys:u32 term bytes, key*
 * key  := docID and position as the {@link KeyLayout} has them, in whole bytes
 * </pre>
 *
 * <p>Memory, off-heap: 5 bytes a key in runs of the usual layouts with positions, 4 in others, 12
 * and the term key for each term, the documents' lengths; on the heap a {@link TermSample} for
 * every 64 KiB that they would take in a file. Safe for many threads, each with cursors of its own,
 * until it is closed, which frees the memory.
 */
public final class MemoryRun implements SortedRun, AutoCloseable {
  /** What a list takes in a file, about: its head beside the term, and four keys in bytes. */
  private static final int FILE_HEAD_BYTES = 4;

  private static final int FILE_BYTES_PER_FOUR_KEYS = 6;

  private static final int HEAD_BYTES = 12;

  /** Terms and keys are written as longs, the bytes of which that are too many the next covers. */
  private static final int SLACK_BYTES = Long.BYTES;

  private final Schema schema;
  private final KeyLayout layout;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory;
  private final int documents;
  private final RunDocuments lengths;
  private final long listsEnd;

  /** Of the lists so far, in the end of all. */
  private long fileBytes;

  private final ImmutableList<TermSample> samples;

  /** What a run is, besides its keys. */
  record Content(int documents, RunDocuments lengths, long keys) {}

  /**
   * Copies a run.
   *
   * @param bytes at least what {@link #bytes} says
   * @throws IllegalArgumentException if it has offsets
   * @throws OutOfMemoryError if the system has no memory
   */
  MemoryRun(SortedKeys sorted, Content content, long bytes) {
    if (sorted.schema.hasOffsets()) {
      throw new IllegalArgumentException("keys with offsets are not all that there is of a run");
    }
    this.schema = sorted.schema;
    this.layout = sorted.layout;
    this.documents = content.documents;
    try {
      this.memory = OffHeap.allocate(bytes, arena);
      this.lengths = content.lengths.copy(memory.address(), documents);
      ImmutableList.Builder<TermSample> found = ImmutableList.builder();
      this.listsEnd = copyLists(sorted, memory.address() + lengths.bytes(documents), found);
      this.samples = found.build();
    } catch (RuntimeException | Error e) {
      arena.close();
      throw e;
    }
  }

  /** The most that a run takes. */
  static long bytes(KeyLayout layout, Content content, TermDictionary dictionary) {
    return content.lengths.bytes(content.documents)
        + (long) HEAD_BYTES * dictionary.size()
        + dictionary.termKeyBytes()
        + keyBytes(layout) * content.keys
        + SLACK_BYTES;
  }

  private static int keyBytes(KeyLayout layout) {
    return Math.ceilDiv(layout.termShift(), Byte.SIZE);
  }

  /** Returns where they end. */
  private long copyLists(SortedKeys sorted, long start, ImmutableList.Builder<TermSample> found) {
    long at = start;
    long sampled = -RunWriter.SAMPLE_BYTES;
    while (sorted.nextTerm()) {
      if (fileBytes - sampled >= RunWriter.SAMPLE_BYTES) {
        byte[] key = Arrays.copyOf(sorted.term(), fileBytes == 0 ? 0 : sorted.termLength());
        found.add(new TermSample(key, at, 0, fileBytes));
        sampled = fileBytes;
      }
      fileBytes += inFile(sorted.termLength(), sorted.keyCount());
      at = copyList(sorted, at);
    }
    return at;
  }

  /** Without positions, a document has no more than its gap, and few of its keys have one. */
  private long inFile(int termLength, long keys) {
    long ofKeys = FILE_BYTES_PER_FOUR_KEYS * keys / (layout.positionBits() == 0 ? 8 : 4);
    return FILE_HEAD_BYTES + termLength + ofKeys;
  }

  private long copyList(SortedKeys sorted, long head) {
    int termLength = sorted.termLength();
    int count = sorted.keyCount();
    OffHeap.putInt(head, termLength);
    OffHeap.putInt(head + 8, count);
    OffHeap.copyWords(sorted.term(), 0, head + HEAD_BYTES, termLength);
    int keyBytes = keyBytes(layout);
    long at = head + HEAD_BYTES + termLength;
    int docFreq = 0;
    int doc = -1;
    for (int i = 0; i < count; i++) {
      long key = sorted.key(i);
      OffHeap.putLong(at, key);
      at += keyBytes;
      int other = layout.doc(key);
      docFreq += other == doc ? 0 : 1;
      doc = other;
    }
    OffHeap.putInt(head + 4, docFreq);
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
    return new Cursor(sample < 0 ? listsEnd : samples.get(sample).offset(), from, to);
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
    private final byte @Nullable [] from;
    private final byte @Nullable [] to;

    /** Where the next list begins. */
    private long next;

    private int docFreq;

    Cursor(long start, byte @Nullable [] from, byte @Nullable [] to) {
      super(MemoryRun.this.schema, MemoryRun.this.layout, keyBytes(MemoryRun.this.layout));
      this.next = start;
      this.from = from;
      this.to = to;
    }

    @Override
    public boolean nextTerm() {
      while (next < listsEnd) {
        long head = next;
        int length = OffHeap.getInt(head);
        byte[] term = startTerm(length);
        OffHeap.copyWords(head + HEAD_BYTES, term, 0, length);
        if (to != null && Arrays.compareUnsigned(term, 0, length, to, 0, to.length) >= 0) {
          break;
        }
        docFreq = OffHeap.getInt(head + 4);
        int count = OffHeap.getInt(head + 8);
        long list = head + HEAD_BYTES + length;
        next = list + (long) keyBytes * count;
        startList(list, count);
        if (from == null || Arrays.compareUnsigned(term, 0, length, from, 0, from.length) >= 0) {
          return true;
        }
      }
      next = listsEnd;
      startList(listsEnd, 0);
      return false;
    }

    @Override
    public int docFreq() {
      return docFreq;
    }
  }
}
