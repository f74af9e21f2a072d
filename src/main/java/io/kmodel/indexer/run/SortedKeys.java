package io.kmodel.indexer.run;

import io.kmodel.indexer.index.Detail;
import io.kmodel.indexer.index.PostingsCursor;
import io.kmodel.indexer.index.PostingsSource;
import io.kmodel.indexer.index.Schema;
import io.kmodel.indexer.sort.OffHeap;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The sorted keys of a run, read as postings. The keys of a term lie together; only the distinct
 * terms are put in byte order, in the sorter's scratch, and each term's slice is decoded where it
 * lies. Memory: a buffer for the longest term. Not thread-safe.
 */
class SortedKeys implements PostingsSource {
  private static final int BLOCK = PostingsCursor.BLOCK;
  private static final int KEY_BYTES = 8;

  final Schema schema;
  final KeyLayout layout;
  private final TermDictionary dictionary;
  private final long keys;
  private final int count;
  private final TermOrder order;

  private byte[] termKey = new byte[64];
  private int termLength;
  private boolean frequencies;

  /** Whether the current term has positions. */
  private boolean positions;

  /** Distinct terms, -1 until they are in order. */
  private int terms = -1;

  /** The current one in the order. */
  private int current = -1;

  private int termId;

  /** The current term's first key. */
  private int termStart;

  /** The first key whose document was not handed out. */
  private int next;

  /** The key of the next position to be handed out, and the end of those of its documents. */
  private int nextPosition;

  private int positionsEnd;

  /** What the next position's gap counts from. */
  private int positionDoc;

  private int previousPosition;

  /**
   * Of a run.
   *
   * @param keys exactly the keys, sorted
   * @param scratch for {@link TermOrder#ELEMENT_BYTES} per term of the dictionary
   */
  SortedKeys(
      Schema schema,
      KeyLayout layout,
      TermDictionary dictionary,
      MemorySegment keys,
      MemorySegment scratch) {
    this.schema = schema;
    this.layout = layout;
    this.dictionary = dictionary;
    this.keys = keys.address();
    this.count = Math.toIntExact(keys.byteSize() / KEY_BYTES);
    this.order = new TermOrder(dictionary, scratch.address());
  }

  void checkOrder() {
    long previous = -1;
    for (int i = 0; i < count; i++) {
      long key = key(i);
      if (key < previous) {
        throw new IllegalStateException(
            "keys out of order after sorting: %#x before %#x at key %d"
                .formatted(previous, key, i));
      }
      previous = key;
    }
  }

  @Override
  public boolean nextTerm() {
    if (terms < 0) {
      terms = findTerms();
      order.sort(terms);
    }
    if (current + 1 >= terms) {
      return false;
    }
    current++;
    long word = order.word(current);
    termLength = dictionary.keyLength(word);
    if (termLength > termKey.length) {
      termKey = new byte[Math.max(termLength, 2 * termKey.length)];
    }
    dictionary.copyKey(word, termKey);
    Detail detail = schema.field(termKey[0] & 0xFF).detail();
    frequencies = detail.hasFrequencies();
    positions = detail.hasPositions();
    termStart = order.start(current);
    termId = layout.term(key(termStart));
    next = termStart;
    nextPosition = termStart;
    positionsEnd = termStart;
    return true;
  }

  @Override
  public byte[] term() {
    return termKey;
  }

  @Override
  public int termLength() {
    return termLength;
  }

  /** Counted by going through the list. */
  @Override
  public int docFreq() {
    int docFreq = 0;
    int doc = -1;
    for (int at = termStart; isOfTerm(at); at++) {
      int other = layout.doc(key(at));
      docFreq += other == doc ? 0 : 1;
      doc = other;
    }
    return docFreq;
  }

  /** Counted by going through the list. */
  @Override
  public long totalTermFreq() {
    if (!frequencies) {
      return docFreq();
    }
    int end = termStart;
    while (isOfTerm(end)) {
      end++;
    }
    return (long) end - termStart;
  }

  /** Puts the terms that have keys, and where those begin, into {@link #order}. */
  private int findTerms() {
    int found = 0;
    int start = 0;
    long word = dictionary.firstWord();
    for (int term = 0; term < dictionary.size(); term++) {
      int end = start;
      while (end < count && layout.term(key(end)) == term) {
        end++;
      }
      if (end > start) {
        order.put(found++, word, start);
        start = end;
      }
      word = dictionary.wordAfter(word);
    }
    if (start < count) {
      throw new IllegalStateException("keys out of order after sorting: at key " + start);
    }
    return found;
  }

  @Override
  public void push(Sink sink) throws IOException {
    int docShift = layout.positionBits();
    int at = termStart;
    while (isOfTerm(at)) {
      long first = key(at);
      int end = at + 1;
      while (end < count && key(end) >>> docShift == first >>> docShift) {
        end++;
      }
      sink.document(layout.doc(first), frequencies ? end - at : 1);
      if (positions) {
        pushPositions(sink, at, end);
      }
      sink.endDocument();
      at = end;
    }
    next = at;
    positionsEnd = at;
    nextPosition = at;
  }

  /** Hands out the positions of a document, of which the keys from one on are. */
  void pushPositions(Sink sink, int from, int end) throws IOException {
    for (int at = from; at < end; at++) {
      sink.position(layout.position(key(at)));
    }
  }

  @Override
  public int nextDocs(int[] docs, int[] freqs) {
    int n = 0;
    int doc = -1;
    int at = next;
    nextPosition = at;
    positionDoc = -1;
    for (; isOfTerm(at); at++) {
      int other = layout.doc(key(at));
      if (other == doc) {
        freqs[n - 1]++;
      } else if (n < BLOCK) {
        doc = other;
        docs[n] = doc;
        freqs[n++] = 1;
      } else {
        break;
      }
    }
    if (!frequencies) {
      Arrays.fill(freqs, 0, n, 1);
    }
    next = at;
    positionsEnd = at;
    return n;
  }

  @Override
  public int nextPositions(int[] deltas) {
    if (!positions) {
      return 0;
    }
    // One bound, that of the array: with a second condition in the loop, C2 hoists a check that
    // fails for every long list, and compiles the method anew, hundreds of times in a build.
    int n = Math.min(positionsEnd - nextPosition, BLOCK);
    decodePositions(deltas, nextPosition, n);
    nextPosition += n;
    return n;
  }

  /** Decodes the positions of so many keys from one on, which follow those of the call before. */
  void decodePositions(int[] deltas, int from, int n) {
    int doc = positionDoc;
    int previous = previousPosition;
    for (int i = 0; i < n; i++) {
      long key = key(from + i);
      int position = layout.position(key);
      if (layout.doc(key) != doc) {
        doc = layout.doc(key);
        previous = 0;
      }
      deltas[i] = position - previous;
      previous = position;
    }
    positionDoc = doc;
    previousPosition = previous;
  }

  /** Nothing: the memory is the run's. */
  @Override
  public void close() {}

  private boolean isOfTerm(int at) {
    return at < count && layout.term(key(at)) == termId;
  }

  final long key(int index) {
    return OffHeap.getLong(keys + (long) KEY_BYTES * index);
  }
}
