package io.kmodel.indexer.run;

import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.memory.OffHeap;
import io.kmodel.indexer.sort.KeyOrder;
import io.kmodel.indexer.sort.SortStage;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Builds a run: collects packed keys of the tokens of consecutive documents, has them put in order
 * ({@link KeyOrder}), and provides the lists. Builds one run after the other, in this order:
 *
 * <pre>{@code
 * (startDocument add* finishDocument)*  startSort finishSort  copy | writeRun | cursor  reset
 * }</pre>
 *
 * <p>Between startSort and finishSort the keys belong to the {@link SortStage}.
 *
 * <p>Memory: what it is given, off-heap, in one piece, committed as it fills; on the heap a few KiB
 * and a buffer as long as the longest term; with weights also 4 bytes per term. The piece consists
 * of whole pages, up to two more than it is given, so that it can be pinned for a device. A run is
 * full when that memory, or a width of its {@link KeyLayout}, is. Nothing is allocated per token.
 * For one thread at a time. Closing it frees the memory.
 */
public final class RunBuilder implements OrderedRun, AutoCloseable {
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

  /** Of tokens in fields with offsets; null if there are no such fields. */
  private final @Nullable TokenPlaces places;

  private final FieldStates fields;

  private final boolean hasImpacts;

  /**
   * By termID: which key of the current document has the term, counted from 1, in fields with
   * weights; 0 if it lacks the term.
   */
  private int[] weighted = new int[1 << 9];

  private final KeyLayout usualLayout;

  private final RunKeys keys;

  private KeyLayout layout;
  private KeyLayout nextLayout;
  private State state = State.OPEN;
  private int documents;

  /** The largest recorded position or weight in the run. */
  private int maxPosition;

  /** Keys of the completed documents. */
  private long keyCount;

  /** Why the current document does not fit; null if it fits. */
  private @Nullable Overflow overflow;

  /** Whether tokens of the current document are added; false without one or if it overflowed. */
  private boolean adds;

  /** Tokens of the last document that did not fit, before it was full and from then on. */
  private long tokensAdded;

  private long tokensLeftOut;

  /** Address of the next key, and the end of the memory for keys. */
  private long nextKey;

  private long keysEnd;

  /** The bits of the current document in a key. */
  private long documentBits;

  /** Copies of the layout's values, to save sums and shifts per token. */
  private int termShift;

  private int positionLimit;
  private int termLimit;

  /**
   * A builder with an empty run.
   *
   * @param memoryBytes the memory of everything it holds, at least 64 KiB
   */
  public RunBuilder(Schema schema, long memoryBytes) {
    this(schema, memoryBytes, KeyLayout.usual(schema));
  }

  /** The same with another layout, for documents that are known to need it. */
  public RunBuilder(Schema schema, long memoryBytes, KeyLayout usualLayout) {
    RunMemory memory = RunMemory.of(schema, memoryBytes);
    this.schema = schema;
    this.keyCapacity = memory.keysBytes() / KEY_BYTES;
    this.fields = new FieldStates(schema);
    this.hasImpacts = schema.hasImpacts();
    this.usualLayout = usualLayout;
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
            SortedLists.maxTerms(memory.keysBytes()),
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
   * Adds a token of the current document. Does nothing after a token that did not fit.
   *
   * @param field the field's ordinal
   * @param bytes contains the term at {@code offset}
   * @param position at least 0, and at least that of the field's last token
   */
  public void add(int field, byte[] bytes, int offset, int length, int position) {
    if (!adds) {
      require(overflow != null, "add");
      tokensLeftOut++;
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
    // As an unsigned number, TermDictionary.FULL is above all limits.
    if (Integer.compareUnsigned(term, termLimit) > 0 || key == keysEnd) {
      overflow(term < 0 || key == keysEnd ? Overflow.MEMORY : Overflow.TERM_WIDTH);
      return;
    }
    OffHeap.putLong(key, (long) term << termShift | documentBits | recorded);
    nextKey = key + KEY_BYTES;
  }

  /**
   * Adds a term of the current document in a field with weights. If the document has the term
   * already, its weights are added up. Does nothing after a term that did not fit.
   *
   * @param field the field's ordinal
   * @param bytes contains the term at {@code offset}
   * @param weight at least 1
   */
  public void addWeight(int field, byte[] bytes, int offset, int length, int weight) {
    if (!adds) {
      require(overflow != null, "addWeight");
      return;
    }
    if (weight < 1) {
      throw new IllegalArgumentException("weight must be at least 1; got " + weight);
    }
    int term = dictionary.intern(field, bytes, offset, length);
    long key = nextKey;
    // As an unsigned number, TermDictionary.FULL is above all limits.
    if (Integer.compareUnsigned(term, termLimit) > 0 || key == keysEnd) {
      overflow(term < 0 || key == keysEnd ? Overflow.MEMORY : Overflow.TERM_WIDTH);
      return;
    }
    if (term >= weighted.length) {
      weighted = Arrays.copyOf(weighted, Math.max(term + 1, 2 * weighted.length));
    }
    long before = keys.address() + KEY_BYTES * (keyCount - 1);
    boolean again = weighted[term] > 0;
    if (again) {
      key = before + KEY_BYTES * (long) weighted[term];
    }
    long sum = weight + (again ? OffHeap.getLong(key) & positionLimit : 0);
    if (sum > positionLimit) {
      overflow(Overflow.POSITION_WIDTH);
      return;
    }
    if (!again) {
      nextKey = key + KEY_BYTES;
      weighted[term] = (int) ((key - before) / KEY_BYTES);
    }
    OffHeap.putLong(key, (long) term << termShift | documentBits | sum);
    int at = FieldStates.INTS * field;
    fields.ints[at + FieldStates.LAST_POSITION] =
        Math.max(fields.ints[at + FieldStates.LAST_POSITION], (int) sum);
    fields.ints[at + FieldStates.LENGTH] = 1;
  }

  private void overflow(Overflow why) {
    overflow = why;
    adds = false;
    tokensLeftOut = 1;
    tokensAdded = (nextKey - keys.address()) / KEY_BYTES - keyCount;
  }

  /**
   * The same if fields have offsets. Then every token must have offsets, and the starts within a
   * field must not descend.
   *
   * @param start offset of the token in the field's text, in UTF-16 units
   * @param end where the token ends, at least {@code start}
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

  /** Clears the terms of the current document, which its keys name. */
  private void forgetWeighted() {
    if (hasImpacts) {
      for (long key = keys.address() + KEY_BYTES * keyCount; key < nextKey; key += KEY_BYTES) {
        int term = (int) (OffHeap.getLong(key) >>> termShift);
        if (term < weighted.length) {
          weighted[term] = 0;
        }
      }
    }
  }

  public Outcome finishDocument() {
    require(state == State.IN_DOCUMENT, "finishDocument");
    adds = false;
    forgetWeighted();
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
    return Outcome.RUN_FULL;
  }

  /**
   * About the memory with which a run would have held the last document that was too large: in
   * proportion to its tokens.
   */
  public long neededBytes() {
    double tokens = tokensAdded + tokensLeftOut;
    return (long) (bytes() * tokens / Math.max(1, tokensAdded));
  }

  /** Removes the current document; the run is as before it. */
  public void abandonDocument() {
    require(state == State.IN_DOCUMENT, "abandonDocument");
    adds = false;
    forgetWeighted();
    if (documents == 0) {
      // Remove its terms, too, so that the next document has the whole run.
      clear();
      return;
    }
    overflow = null;
    state = State.OPEN;
  }

  @Override
  public int documentCount() {
    return documents;
  }

  @Override
  public long tokenCount() {
    return keyCount;
  }

  /** Distinct terms seen, including those of documents that were removed. */
  public int distinctTerms() {
    return dictionary.size();
  }

  /** The memory it has, which {@link RunMemory} divides. */
  public long bytes() {
    return all.byteSize();
  }

  /**
   * Puts the keys in order in this thread. No documents can be added then until {@link #reset}.
   *
   * @param order one that uses no device
   */
  public void sort(KeyOrder order) {
    require(state == State.OPEN || state == State.FULL, "sort");
    keys.start(order, run());
    state = State.SORTING;
    try {
      finishSort();
    } catch (InterruptedException e) {
      throw new IllegalStateException("a sort in this thread cannot be interrupted", e);
    }
  }

  /** Hands the keys to the stage. No documents can be added then until {@link #reset}. */
  public void startSort(SortStage sorters) {
    require(state == State.OPEN || state == State.FULL, "startSort");
    keys.startSort(sorters, run());
    state = State.SORTING;
  }

  /**
   * Waits until the keys are in order.
   *
   * @return whether a device ordered them, so that this thread only waited
   */
  public boolean finishSort() throws InterruptedException {
    require(state == State.SORTING, "finishSort");
    boolean byDevice = keys.finishSort(run());
    state = State.SORTED;
    return byDevice;
  }

  /**
   * Checks that sorted keys are in order, and notes where each term's keys end, in one pass. If
   * this is not called, the cursor does the same check.
   *
   * @throws IllegalStateException if a sorter failed
   */
  public void checkOrder() {
    require(state == State.SORTED, "checkOrder");
    keys.checkOrder(run());
  }

  /** Only one cursor at a time, because terms or keys are put in order in the scratch. */
  @Override
  public PostingsCursor cursor() {
    require(state == State.SORTED, "cursor");
    return keys.cursor(run());
  }

  @Override
  public int length(int field, int docId) {
    Objects.checkIndex(docId, documents);
    return perDocument.length(field, docId);
  }

  /** Sets the length of a document in a tokenized field whose tokens are not in this run. */
  public void setLength(int field, int docId, int length) {
    Objects.checkIndex(docId, documents);
    perDocument.setLength(field, docId, length);
  }

  @Override
  public void writeRun(Path path) throws IOException {
    writeRun(path, cursor());
  }

  /** Writes a run file with other lists than this run's, for the same documents. */
  public void writeRun(Path path, PostingsCursor lists) throws IOException {
    RunWriter.write(path, schema, lists, perDocument, documents);
  }

  /** Returns null if the run has offsets, too. */
  @Override
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
      // Memory that a lost device may still write to is not freed until the process ends.
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

  /** Whether the document needs another layout, not just an empty run. */
  private boolean isTooLongForLayout(boolean alone) {
    return layout.equals(KeyLayout.POSITIONS)
        && (overflow == Overflow.POSITION_WIDTH || (alone && overflow == Overflow.TERM_WIDTH));
  }

  /** The layout of keys without terms. Keys with offsets have no positions to narrow it by. */
  private KeyLayout packed() {
    return places == null
        ? KeyLayout.withoutTerms(Math.max(0, documents - 1), maxPosition)
        : layout;
  }

  private RunKeys.Run run() {
    return new RunKeys.Run(
        new OffsetLists.Run(schema, layout, dictionary), keyCount, packed(), perDocument, places);
  }

  private void require(boolean allowed, String call) {
    if (!allowed) {
      throw new IllegalStateException(call + " while the run is " + state);
    }
  }
}
