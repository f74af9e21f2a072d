package io.kmodel.indexer.merge;

import io.kmodel.indexer.index.PostingsCursor;
import io.kmodel.indexer.index.PostingsSource;
import java.io.IOException;
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
public class MergingCursor implements PostingsCursor {
  /** A run's cursor and the docID of the run's first document in the whole collection. */
  public record Input(PostingsCursor cursor, int docBase) {}

  final List<Input> inputs;

  /** Run numbers; heap[0..heapSize) is a binary heap by {@link #precedes}. */
  private final int[] heap;

  private int heapSize;

  /** First eight bytes of each run's current term key, big-endian: decides most comparisons. */
  private final long[] prefixes;

  /** The runs that hold the current term, ascending. */
  final int[] group;

  int groupSize;

  /** Index in {@link #group} of the run whose documents are being handed out. */
  int current;

  private boolean started;

  public MergingCursor(List<Input> inputs) {
    this.inputs = List.copyOf(inputs);
    this.heap = new int[inputs.size()];
    this.prefixes = new long[inputs.size()];
    this.group = new int[inputs.size()];
  }

  /** Over cursors; a {@link PostingsSource} where all of these are such. */
  public static MergingCursor over(List<Input> inputs) {
    return inputs.stream().allMatch(input -> input.cursor() instanceof PostingsSource)
        ? new MergingSource(inputs)
        : new MergingCursor(inputs);
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
    } while (heapSize > 0 && compareTerms(heap[0], group[0]) == 0);
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
      prefixes[run] = prefix(cursor.term(), cursor.termLength());
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

  private boolean precedes(int a, int b) {
    int order = compareTerms(a, b);
    return order != 0 ? order < 0 : a < b;
  }

  private int compareTerms(int a, int b) {
    if (prefixes[a] != prefixes[b]) {
      return Long.compareUnsigned(prefixes[a], prefixes[b]);
    }
    PostingsCursor x = cursor(a);
    PostingsCursor y = cursor(b);
    return Arrays.compareUnsigned(x.term(), 0, x.termLength(), y.term(), 0, y.termLength());
  }

  /** The first eight bytes as an unsigned number, short terms filled with zeros. */
  private static long prefix(byte[] term, int length) {
    long prefix = 0;
    int n = Math.min(length, 8);
    for (int i = 0; i < n; i++) {
      prefix |= (term[i] & 0xFFL) << (56 - 8 * i);
    }
    return prefix;
  }
}
