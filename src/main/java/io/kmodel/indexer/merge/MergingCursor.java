package io.kmodel.indexer.merge;

import io.kmodel.indexer.index.PostingsCursor;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/**
 * Merges n runs into one stream in term order. A binary heap holds one entry per run, ordered by
 * (term key, run); the lists of the runs that share a term are handed out one after the other in
 * run order, because their document ranges ascend and do not overlap. So the heap is paid once per
 * distinct term per run, never per posting — where the merger of Capannini et al. (§7, Table 2:
 * merging takes 79 % of the indexing time) moves every pair through it.
 *
 * <p>Time: O(T log n) comparisons for T terms over all runs, and one copy of each posting. Memory:
 * a few words per run besides the runs' own cursors, which this cursor owns and closes. Not
 * thread-safe; ranges of terms are merged by one of these each.
 */
public final class MergingCursor implements PostingsCursor {
  /** A run's cursor and the docID of the run's first document in the whole collection. */
  public record Input(PostingsCursor cursor, int docBase) {}

  private static final int WORD = Long.BYTES;

  private static final VarHandle BIG_ENDIAN =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final List<Input> inputs;

  /** Run numbers; heap[0..heapSize) is a binary heap by {@link #precedes}. */
  private final int[] heap;

  private int heapSize;

  /**
   * The first eight bytes of each run's current term key, and the next eight: filled up with zeros,
   * as numbers with the sign bit turned, so that they order as the bytes do. With the lengths they
   * decide nearly all comparisons, those of equal terms included, which most neighbours in the heap
   * have; only of terms of sixteen bytes or more the rest has to be looked at.
   */
  private final long[] firstWords;

  private final long[] secondWords;
  private final int[] lengths;

  /** The runs that hold the current term, ascending. */
  private final int[] group;

  private int groupSize;

  /** Index in {@link #group} of the run whose documents are being handed out. */
  private int current;

  private boolean started;

  public MergingCursor(List<Input> inputs) {
    this.inputs = List.copyOf(inputs);
    this.heap = new int[inputs.size()];
    this.firstWords = new long[inputs.size()];
    this.secondWords = new long[inputs.size()];
    this.lengths = new int[inputs.size()];
    this.group = new int[inputs.size()];
  }

  @Override
  public boolean nextTerm() throws IOException {
    if (!started) {
      started = true;
      for (int run = 0; run < inputs.size(); run++) {
        advance(run);
      }
    } else {
      for (int i = 0; i < groupSize; i++) {
        advance(group[i]);
      }
    }
    groupSize = 0;
    current = 0;
    if (heapSize == 0) {
      return false;
    }
    do {
      group[groupSize++] = pop();
    } while (heapSize > 0 && isSameTerm(heap[0], group[0]));
    return true;
  }

  @Override
  public byte[] term() {
    return cursor(group[0]).term();
  }

  @Override
  public int termLength() {
    return cursor(group[0]).termLength();
  }

  @Override
  public int docFreq() {
    long docFreq = 0;
    for (int i = 0; i < groupSize; i++) {
      docFreq += cursor(group[i]).docFreq();
    }
    return Math.toIntExact(docFreq);
  }

  @Override
  public long totalTermFreq() {
    long totalTermFreq = 0;
    for (int i = 0; i < groupSize; i++) {
      totalTermFreq += cursor(group[i]).totalTermFreq();
    }
    return totalTermFreq;
  }

  @Override
  public int nextDocs(int[] docs, int[] freqs) throws IOException {
    while (current < groupSize) {
      int run = group[current];
      int count = cursor(run).nextDocs(docs, freqs);
      if (count > 0) {
        int base = inputs.get(run).docBase();
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
    return current < groupSize ? cursor(group[current]).nextPositions(deltas) : 0;
  }

  @Override
  public void close() throws IOException {
    IOException failure = null;
    for (Input input : inputs) {
      try {
        input.cursor().close();
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  private PostingsCursor cursor(int run) {
    return inputs.get(run).cursor();
  }

  /** Moves a run to its next term and back into the heap, if it has one. */
  private void advance(int run) throws IOException {
    PostingsCursor cursor = cursor(run);
    if (cursor.nextTerm()) {
      byte[] term = cursor.term();
      int length = cursor.termLength();
      firstWords[run] = length > 0 ? word(term, 0, length) : Long.MIN_VALUE;
      secondWords[run] = length > WORD ? word(term, WORD, length) : Long.MIN_VALUE;
      lengths[run] = length;
      push(run);
    }
  }

  private void push(int run) {
    int hole = heapSize++;
    while (hole > 0) {
      int parent = (hole - 1) >>> 1;
      if (precedes(heap[parent], run)) {
        break;
      }
      heap[hole] = heap[parent];
      hole = parent;
    }
    heap[hole] = run;
  }

  private int pop() {
    int top = heap[0];
    int last = heap[--heapSize];
    int hole = 0;
    for (int child = 1; child < heapSize; child = 2 * hole + 1) {
      if (child + 1 < heapSize && precedes(heap[child + 1], heap[child])) {
        child++;
      }
      if (precedes(last, heap[child])) {
        break;
      }
      heap[hole] = heap[child];
      hole = child;
    }
    heap[hole] = last;
    return top;
  }

  /** Like what it calls for terms that begin alike, in fewer bytecodes than FreqInlineSize. */
  private boolean precedes(int a, int b) {
    long x = firstWords[a];
    long y = firstWords[b];
    return x == y ? precedesByRest(a, b) : x < y;
  }

  private boolean precedesByRest(int a, int b) {
    int order = compareRest(a, b);
    return order != 0 ? order < 0 : a < b;
  }

  private boolean isSameTerm(int a, int b) {
    return firstWords[a] == firstWords[b] && compareRest(a, b) == 0;
  }

  private int compareRest(int a, int b) {
    long x = secondWords[a];
    long y = secondWords[b];
    return x == y ? compareLengths(a, b) : Long.compare(x, y);
  }

  /** Of terms with the same two words: if those have all of it, the longer one has zeros more. */
  private int compareLengths(int a, int b) {
    int x = lengths[a];
    int y = lengths[b];
    return (x | y) < 2 * WORD ? x - y : compareAll(cursor(a), cursor(b));
  }

  private static int compareAll(PostingsCursor x, PostingsCursor y) {
    return Arrays.compareUnsigned(x.term(), 0, x.termLength(), y.term(), 0, y.termLength());
  }

  /** Eight bytes of a term that is longer than {@code from}, as a number; see the fields. */
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
