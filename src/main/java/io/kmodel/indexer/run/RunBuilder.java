package io.kmodel.indexer.run;

import io.kmodel.indexer.index.PostingsCursor;
import io.kmodel.indexer.index.Schema;
import io.kmodel.indexer.sort.CpuSortStage;
import io.kmodel.indexer.sort.KeySorter;
import io.kmodel.indexer.sort.OffHeap;
import io.kmodel.indexer.sort.SortStage;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Collects a run: packed keys of the tokens of consecutive documents, then sorts and writes them.
 * Used run after run, in this order:
 *
 * <pre>{@code
 * (startDocument add* finishDocument)*  startSort finishSort  copy | writeRun | cursor  reset
 * }</pre>
 *
 * <p>Between startSort and finishSort the keys are the {@link SortStage}'s.
 *
 * <p>Memory: what it is given, off-heap, in one piece, taken from the system as it fills; on the
 * heap a few KiB and a buffer as long as the longest term. The piece begins and ends with a page,
 * so that it can be pinned for a device: up to two pages more than it is given. A run ends when
 * that memory or a width of its {@link KeyLayout} is full. Nothing is allocated per token. One
 * thread at a time. Closing it frees the memory.
 */
public final class RunBuilder implements AutoCloseable {
  private enum State {
    OPEN,
    IN_DOCUMENT,
    FULL,
    SORTING,
    SORTED,
    CLOSED
  }

  private static final int KEY_BYTES = RunKeys.KEY_BYTES;

  private final Schema schema;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment all;
  private final TermDictionary dictionary;
  private final RunDocuments perDocument;
  private final long keyCapacity;

  /** Of fields with offsets; null where there are none. */
  private final @Nullable TokenPlaces places;

  private final FieldStates fields;

  private final KeyLayout usualLayout;

  private final RunKeys keys;

  private KeyLayout layout;
  private KeyLayout nextLayout;
  private State state = State.OPEN;
  private int documents;

  /** The largest recorded position of the run's documents. */
  private int maxPosition;

  /** Of whole documents. */
  private long keyCount;

  /** Why the current document is not added; null if it is. */
  private @Nullable Overflow overflow;

  /** Whether there is a current document that more is added of. */
  private boolean adds;

  /** Where the next key goes, and where there is no more room. */
  private long nextKey;

  private long keysEnd;

  /** What it has of the current document. */
  private long documentBits;

  /** The layout's, since a sum or a shift for each token is many. */
  private int termShift;

  private int positionLimit;
  private int termLimit;

  /**
   * A builder with an empty run.
   *
   * @param memoryBytes what everything it holds may take, at least 64 KiB
   */
  public RunBuilder(Schema schema, long memoryBytes) {
    RunMemory memory = RunMemory.of(schema, memoryBytes);
    this.schema = schema;
    this.keyCapacity = memory.keysBytes() / KEY_BYTES;
    this.fields = new FieldStates(schema);
    this.usualLayout = KeyLayout.usual(schema);
    this.layout = usualLayout;
    this.nextLayout = usualLayout;
    this.all = OffHeap.allocatePages(memory.totalBytes(), arena);
    this.keys =
        new RunKeys(
            all.asSlice(0, memory.keysBytes()),
            all.asSlice(memory.keysBytes(), memory.keysBytes()));
    long rest = 2 * memory.keysBytes();
    long lengths = all.address() + rest + memory.dictionaryBytes();
    this.perDocument = new RunDocuments(schema, lengths, memory.lengthsBytes());
    this.places = TokenPlaces.of(schema, lengths + memory.lengthsBytes());
    this.dictionary =
        new TermDictionary(
            all.asSlice(rest, memory.dictionaryBytes()),
            SortedKeys.maxTerms(memory.keysBytes()),
            new SplittableRandom()::nextLong);
  }

  public void startDocument() {
    require(state == State.OPEN, "startDocument");
    state = State.IN_DOCUMENT;
    nextKey = keys.address() + KEY_BYTES * keyCount;
    keysEnd = keys.address() + KEY_BYTES * keyCapacity;
    documentBits = layout.pack(0, documents, 0);
    termShift = layout.termShift();
    positionLimit = layout.maxPosition();
    termLimit = layout.maxTerm();
    overflow =
        documents > layout.maxDoc() || documents >= perDocument.capacity()
            ? Overflow.DOCUMENTS
            : null;
    adds = overflow == null;
    fields.startDocument();
    if (places != null) {
      places.startDocument();
    }
  }

  /**
   * Adds a token of the current document. After one for which there was no room, does nothing.
   *
   * @param field the field's ordinal
   * @param bytes holds the term from offset on
   * @param position at least 0, and not below that of the field's last token
   */
  public void add(int field, byte[] bytes, int offset, int length, int position) {
    if (!adds) {
      require(overflow != null, "add");
      return;
    }
    int[] states = fields.ints;
    int at = FieldStates.INTS * field;
    int last = states[at + FieldStates.LAST_POSITION];
    if (position != last) {
      if (position < last) {
        throw new IllegalArgumentException(
            "position must be at least %d; got %d".formatted(Math.max(last, 0), position));
      }
      states[at + FieldStates.LAST_POSITION] = position;
      states[at + FieldStates.LENGTH]++;
    } else if (position < 0) {
      throw new IllegalArgumentException("position must be at least 0; got " + position);
    }
    int recorded = position & states[at + FieldStates.MASK];
    if (recorded > positionLimit) {
      overflow(Overflow.POSITION_WIDTH);
      return;
    }
    int term = dictionary.intern(field, bytes, offset, length);
    long key = nextKey;
    // That there is no term is a number above all limits.
    if (Integer.compareUnsigned(term, termLimit) > 0 || key == keysEnd) {
      overflow(term < 0 || key == keysEnd ? Overflow.MEMORY : Overflow.TERM_WIDTH);
      return;
    }
    OffHeap.putLong(key, (long) term << termShift | documentBits | recorded);
    nextKey = key + KEY_BYTES;
  }

  private void overflow(Overflow why) {
    overflow = why;
    adds = false;
  }

  /**
   * The same where fields have offsets; all tokens must have them then, and those of a field must
   * not start before one another.
   *
   * @param start where in the field's text the token starts, in UTF-16 units
   * @param end where it ends, at least start
   */
  public void add(
      int field, byte[] bytes, int offset, int length, int position, int start, int end) {
    long key = nextKey;
    add(field, bytes, offset, length, position);
    if (nextKey == key) {
      return;
    }
    if (places == null) {
      throw new IllegalStateException("no field has offsets");
    }
    long token = (key - keys.address()) / KEY_BYTES;
    long ordinal = token - keyCount;
    if (ordinal > positionLimit) {
      overflow(Overflow.POSITION_WIDTH);
      return;
    }
    places.put(token, field, position, start, end);
    OffHeap.putLong(key, (OffHeap.getLong(key) & ~positionLimit) | ordinal);
  }

  public Outcome finishDocument() {
    require(state == State.IN_DOCUMENT, "finishDocument");
    adds = false;
    if (overflow == null) {
      long keysNow = (nextKey - keys.address()) / KEY_BYTES;
      perDocument.putLengths(documents, fields);
      if (places != null) {
        require(places.count() == keysNow - keyCount, "a token without offsets");
        perDocument.putFirstToken(documents, keyCount);
      }
      keyCount = keysNow;
      maxPosition = Math.max(maxPosition, fields.largestPosition());
      documents++;
      state = State.OPEN;
      return Outcome.ADDED;
    }
    boolean alone = documents == 0;
    if (isTooLongForLayout(alone)) {
      nextLayout = KeyLayout.ONE_DOCUMENT;
    } else if (alone) {
      clear();
      return Outcome.TOO_LARGE;
    }
    overflow = null;
    state = State.FULL;
    return Outcome.AGAIN;
  }

  /** Drops what was added of the current document; the run is as it was before it. */
  public void abandonDocument() {
    require(state == State.IN_DOCUMENT, "abandonDocument");
    adds = false;
    if (documents == 0) {
      // Its terms, too, or the next document would not have the whole run.
      clear();
      return;
    }
    overflow = null;
    state = State.OPEN;
  }

  /** Documents in the run. */
  public int documentCount() {
    return documents;
  }

  /** Tokens in the run. */
  public long tokenCount() {
    return keyCount;
  }

  /** Distinct terms that were seen, those of documents that were rolled back included. */
  public int distinctTerms() {
    return dictionary.size();
  }

  /** The memory that it has, as {@link RunMemory} shares it out. */
  public long bytes() {
    return all.byteSize();
  }

  /** Puts the keys in order, at once. No more documents then until {@link #reset}. */
  public void sort(KeySorter sorter) {
    try (CpuSortStage here = new CpuSortStage(sorter)) {
      startSort(here, false);
      finishSort();
    } catch (InterruptedException e) {
      throw new IllegalStateException("a sort by this thread cannot be interrupted", e);
    }
  }

  /** Hands the keys to the stage. No more documents then until {@link #reset}. */
  public void startSort(SortStage sorters) {
    startSort(sorters, true);
  }

  private void startSort(SortStage sorters, boolean mayBeLeft) {
    require(state == State.OPEN || state == State.FULL, "startSort");
    keys.startSort(sorters, run(), mayBeLeft);
    state = State.SORTING;
  }

  /**
   * Waits for the keys to be in order, or counts them where the stage has left them.
   *
   * @return whether it counted them, in place of waiting
   */
  public boolean finishSort() throws InterruptedException {
    require(state == State.SORTING, "finishSort");
    boolean counted = keys.finishSort(run());
    state = State.SORTED;
    return counted;
  }

  /**
   * Checks that sorted keys are in order, and notes where those of each term end, in one pass. What
   * reads them without it does so itself, and fails likewise.
   *
   * @throws IllegalStateException if a sorter has failed
   */
  public void checkOrder() {
    require(state == State.SORTED, "checkOrder");
    keys.checkOrder(run());
  }

  /**
   * The run's postings where they lie, docIDs counted from the run's first document. Valid until
   * {@link #reset}; one at a time, since it puts terms, or keys, in order in the sorter's scratch.
   */
  public PostingsCursor cursor() {
    require(state == State.SORTED, "cursor");
    return keys.cursor(run());
  }

  /** The length of a document of the run in a tokenized field, in tokens. */
  public int length(int field, int docId) {
    Objects.checkIndex(docId, documents);
    return perDocument.length(field, docId);
  }

  /** Writes the run file (see {@link RunWriter}). */
  public void writeRun(Path path) throws IOException {
    RunWriter.write(path, schema, cursor(), perDocument, documents);
  }

  /**
   * Copies the sorted run to memory of its own; null for one with offsets, or where no room is.
   *
   * @param room whether there is room for so many bytes
   */
  public @Nullable MemoryRun copy(LongPredicate room) {
    require(state == State.SORTED, "copy");
    MemoryRun.Content content = new MemoryRun.Content(documents, perDocument, keyCount, packed());
    long bytes = MemoryRun.bytes(content, dictionary);
    return places == null && room.test(bytes) ? keys.copy(run(), content, bytes) : null;
  }

  /** Starts the next run. */
  public void reset() {
    require(state != State.CLOSED && state != State.IN_DOCUMENT && state != State.SORTING, "reset");
    KeyLayout next = nextLayout;
    clear();
    layout = next;
  }

  @Override
  public void close() {
    if (state != State.CLOSED) {
      state = State.CLOSED;
      overflow = null;
      adds = false;
      // Memory that a lost device may still write to stays until the process ends.
      if (keys.settle(all)) {
        arena.close();
      }
    }
  }

  /** An empty run with the usual layout. */
  private void clear() {
    keys.clear();
    dictionary.clear();
    documents = 0;
    maxPosition = 0;
    keyCount = 0;
    overflow = null;
    adds = false;
    layout = usualLayout;
    nextLayout = usualLayout;
    state = State.OPEN;
  }

  /** Whether the document needs a layout of its own, and not only an empty run. */
  private boolean isTooLongForLayout(boolean alone) {
    return layout.equals(KeyLayout.POSITIONS)
        && (overflow == Overflow.POSITION_WIDTH || (alone && overflow == Overflow.TERM_WIDTH));
  }

  /** Of keys with offsets, which have no positions, nothing narrower is known. */
  private KeyLayout packed() {
    return places == null
        ? KeyLayout.withoutTerms(Math.max(0, documents - 1), maxPosition)
        : layout;
  }

  private RunKeys.Run run() {
    return new RunKeys.Run(
        new OffsetKeys.Run(schema, layout, dictionary), keyCount, packed(), perDocument, places);
  }

  private void require(boolean allowed, String call) {
    if (!allowed) {
      throw new IllegalStateException(call + " while the run is " + state);
    }
  }
}
