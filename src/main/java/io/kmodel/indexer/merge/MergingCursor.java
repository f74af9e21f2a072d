package io.kmodel.indexer.merge;

import io.kmodel.indexer.index.model.PostingsCursor;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/**
 * Merges n runs into one stream in term order. A binary heap holds one entry per run, ordered by
 * term key. If several runs share a term, their lists follow each other in run order, because the
 * document ranges of runs ascend and do not overlap. So the heap costs one step per distinct term
 * per run and none per posting. The merger of Capannini et al. (§7, Table 2: merging takes 79 % of
 * the indexing time) moves every pair through the heap.
 *
 * <p>Time: O(T log n) comparisons for T terms over all runs, and one copy of each posting. Memory:
 * a few words per run. This cursor owns and closes the runs' cursors. Not thread-safe; each range
 * of terms has its own merging cursor.
 */
public final class MergingCursor implements PostingsCursor {
  /** A run's cursor and the docID of the run's first document in the whole collection. */
  public record Input(PostingsCursor cursor, int docBase) {}

  private static final int WORD = Long.BYTES;

  private static final VarHandle BIG_ENDIAN =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  /** By run, like {@link #docBases}. */
  private final PostingsCursor[] cursors;

  private final int[] docBases;

  /** Run numbers; heap[0..heapSize) is a binary heap by {@link #precedes}. */
  private final int[] heap;

  private int heapSize;

  /**
   * Heap indexes of the runs that hold the current term, ascending: the root and, below each of
   * these, the children with an equal term. The runs stay there until they advance, so a term that
   * all runs share costs one sift per run, not a removal and an insertion.
   */
  private final int[] places;

  /**
   * The first eight bytes of each run's current term key, and the next eight, padded with zeros and
   * with the sign bit flipped, so that signed comparison orders them like the bytes. Together with
   * the lengths they decide nearly all comparisons, including those of equal terms, which are
   * frequent between neighbours in the heap. Only terms of sixteen bytes or more need the rest.
   */
  private final long[] firstWords;

  private final long[] secondWords;
  private final int[] lengths;

  /** The runs that hold the current term, ascending. */
  private final int[] group;

  private int groupSize;

  /** A bit for each run of the group, used to put the group in order. */
  private final long[] marks;

  /** Index in {@link #group} of the run whose documents are read. */
  private int current;

  private boolean started;

  public MergingCursor(List<Input> inputs) {
    int runs = inputs.size();
    this.cursors = inputs.stream().map(Input::cursor).toArray(PostingsCursor[]::new);
    this.docBases = inputs.stream().mapToInt(Input::docBase).toArray();
    this.heap = new int[runs];
    this.places = new int[runs];
    this.firstWords = new long[runs];
    this.secondWords = new long[runs];
    this.lengths = new int[runs];
    this.group = new int[runs];
    this.marks = new long[runs / Long.SIZE + 1];
  }

  @Override
  public boolean nextTerm() throws IOException {
    if (started) {
      // Bottom up, so that a run always sinks into a valid heap.
      for (int i = groupSize - 1; i >= 0; i--) {
        advance(places[i]);
      }
    } else {
      started = true;
      fill();
    }
    groupSize = 0;
    current = 0;
    if (heapSize == 0) {
      return false;
    }
    findPlaces();
    orderGroup();
    return true;
  }

  @Override
  public byte[] term() {
    return cursors[group[0]].term();
  }

  @Override
  public int termLength() {
    return cursors[group[0]].termLength();
  }

  @Override
  public int docFreq() {
    long docFreq = 0;
    for (int i = 0; i < groupSize; i++) {
      docFreq += cursors[group[i]].docFreq();
    }
    return Math.toIntExact(docFreq);
  }

  @Override
  public long totalTermFreq() {
    long totalTermFreq = 0;
    for (int i = 0; i < groupSize; i++) {
      totalTermFreq += cursors[group[i]].totalTermFreq();
    }
    return totalTermFreq;
  }

  @Override
  public int nextDocs(int[] docs, int[] freqs) throws IOException {
    while (current < groupSize) {
      int run = group[current];
      int count = cursors[run].nextDocs(docs, freqs);
      if (count > 0) {
        int base = docBases[run];
        for (int i = 0; i < count; i++) {
          docs[i] += base;
        }
        return count;
      }
      current++;
    }
    return 0;
  }

  @Override
  public int nextPositions(int[] deltas) throws IOException {
    return current < groupSize ? cursors[group[current]].nextPositions(deltas) : 0;
  }

  @Override
  public void close() throws IOException {
    IOException failure = null;
    for (PostingsCursor cursor : cursors) {
      try {
        cursor.close();
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  private void fill() throws IOException {
    for (int run = 0; run < cursors.length; run++) {
      if (readTerm(run)) {
        heap[heapSize++] = run;
      }
    }
    for (int place = heapSize / 2 - 1; place >= 0; place--) {
      sink(place, heap[place]);
    }
  }

  /** Advances the run at an index of the heap, or removes it from the heap if it has ended. */
  private void advance(int place) throws IOException {
    int run = heap[place];
    if (readTerm(run)) {
      sink(place, run);
    } else {
      heapSize--;
      if (place < heapSize) {
        sink(place, heap[heapSize]);
      }
    }
  }

  private boolean readTerm(int run) throws IOException {
    PostingsCursor cursor = cursors[run];
    if (!cursor.nextTerm()) {
      return false;
    }
    byte[] term = cursor.term();
    int length = cursor.termLength();
    firstWords[run] = length > 0 ? word(term, 0, length) : Long.MIN_VALUE;
    secondWords[run] = length > WORD ? word(term, WORD, length) : Long.MIN_VALUE;
    lengths[run] = length;
    return true;
  }

  /** Puts a run at an index of the heap or below it. Everything below must be a valid heap. */
  private void sink(int place, int run) {
    int hole = place;
    for (int child = 2 * hole + 1; child < heapSize; child = 2 * hole + 1) {
      if (child + 1 < heapSize && precedes(heap[child + 1], heap[child])) {
        child++;
      }
      if (!precedes(heap[child], run)) {
        break;
      }
      heap[hole] = heap[child];
      hole = child;
    }
    heap[hole] = run;
  }

  private void findPlaces() {
    int first = heap[0];
    places[groupSize++] = 0;
    for (int i = 0; i < groupSize; i++) {
      int child = 2 * places[i] + 1;
      int end = Math.min(child + 2, heapSize);
      for (; child < end; child++) {
        if (isSameTerm(heap[child], first)) {
          places[groupSize++] = child;
        }
      }
    }
  }

  private void orderGroup() {
    if (groupSize == 1) {
      group[0] = heap[0];
      return;
    }
    for (int i = 0; i < groupSize; i++) {
      int run = heap[places[i]];
      marks[run / Long.SIZE] |= 1L << run;
    }
    int n = 0;
    for (int word = 0; word < marks.length; word++) {
      for (long left = marks[word]; left != 0; left &= left - 1) {
        group[n++] = Long.SIZE * word + Long.numberOfTrailingZeros(left);
      }
      marks[word] = 0;
    }
  }

  /** Compares first words here and the rest in another method, to stay below FreqInlineSize. */
  private boolean precedes(int a, int b) {
    long x = firstWords[a];
    long y = firstWords[b];
    return x == y ? precedesByRest(a, b) : x < y;
  }

  private boolean precedesByRest(int a, int b) {
    return compareRest(a, b) < 0;
  }

  private boolean isSameTerm(int a, int b) {
    return firstWords[a] == firstWords[b] && compareRest(a, b) == 0;
  }

  private int compareRest(int a, int b) {
    long x = secondWords[a];
    long y = secondWords[b];
    return x == y ? compareLengths(a, b) : Long.compare(x, y);
  }

  /** For equal words: if they hold both terms entirely, the longer term ends in zeros. */
  private int compareLengths(int a, int b) {
    int x = lengths[a];
    int y = lengths[b];
    return (x | y) < 2 * WORD ? x - y : compareAll(cursors[a], cursors[b]);
  }

  private static int compareAll(PostingsCursor x, PostingsCursor y) {
    return Arrays.compareUnsigned(x.term(), 0, x.termLength(), y.term(), 0, y.termLength());
  }

  /** Eight bytes of a term, from {@code from} on, as in {@link #firstWords}. */
  private static long word(byte[] term, int from, int length) {
    int end = from + WORD;
    long bytes = (long) BIG_ENDIAN.get(atLeast(end, term), from);
    int behind = Byte.SIZE * Math.max(0, end - length);
    return (bytes >> behind << behind) ^ Long.MIN_VALUE;
  }

  private static byte[] atLeast(int length, byte[] term) {
    return term.length < length ? Arrays.copyOf(term, length) : term;
  }
}
