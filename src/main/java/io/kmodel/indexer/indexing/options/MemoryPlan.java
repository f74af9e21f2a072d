package io.kmodel.indexer.indexing.options;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.kmodel.indexer.indexing.options.BuildOptions.Resources;
import java.lang.management.ManagementFactory;

/**
 * How the one memory budget of a build is divided. The Java heap's maximum is fixed when the
 * process starts (the launcher derives it from the budget) and is taken off first, with what the
 * collector needs beside it; what is left is off-heap: while parsing, one run per thread, a large
 * window of a decoder, what is unpacked for several threads, and runs that wait to be merged; while
 * segments of a Lucene index are merged, their documents' lengths in the place of the runs. What
 * the JVM needs besides (code, classes, stacks: some 200 MiB) is not counted, nor are usual
 * windows.
 *
 * @param heapBytes the heap's maximum
 * @param runBytes what one thread's runs may take, their sorter's scratch included; see {@link
 *     #usualRunBytes}
 * @param mergeBytes heap for merging: readers, and {@link #heldBytes} or {@link #encodedBytes}
 * @param documentHeapBytes heap that documents being parsed may take together
 * @param keptBytes off-heap, what runs may take together that wait for a merge in memory
 * @param windowBytes off-heap, what decoders of one thread may take that are not usual
 * @param aheadBytes off-heap, what packed files may be unpacked ahead of who reads them
 */
public record MemoryPlan(
    long heapBytes,
    long runBytes,
    long mergeBytes,
    long documentHeapBytes,
    long keptBytes,
    long windowBytes,
    long aheadBytes) {
  /** Heap for decoders, all together: half of what is not for documents. */
  public static final long DECODER_HEAP_BYTES = 32L << 20;

  /** A run below this would hold too few postings to be worth a file. */
  private static final long MIN_RUN_BYTES = 24L << 20;

  /**
   * Some 11 million tokens. With larger ones 16 threads took about as long for our own index and
   * longer for Lucene's, in twice the memory.
   */
  private static final long LARGEST_USUAL_RUN_BYTES = 256L << 20;

  /** Heap that is not for documents: buffers, the crawl's listing, analyzers, garbage. */
  private static final long HEAP_BASE_BYTES = 64L << 20;

  /** The same for the reader of each thread: what members of gzip are unpacked in. */
  private static final long READER_HEAP_BYTES = 5L << 18;

  /**
   * Of what is outside of the heap, what a large window may have: no more than zstd --long needs.
   */
  private static final int WINDOW_SHARE = 8;

  private static final long LONG_WINDOW_BYTES = 129L << 20;

  /**
   * Of the same, what is unpacked ahead may have: pieces of 64 MiB for a thread of most budgets.
   */
  private static final int AHEAD_SHARE = 16;

  private static final int LARGEST_WINDOW_SHARE = 16;

  /** The parallel collector's marking bitmaps and card table take about 1/29 of the heap. */
  private static final int COLLECTOR_SHARE = 28;

  /** Of {@link #runBytes}, what a plan with {@link #keptBytes} gives to these. */
  private static final int KEPT_SHARE = 3;

  /** Of {@link #mergeBytes}, what encoded postings have. */
  private static final int ENCODED_SHARE = 4;

  /** Of {@link #mergeBytes}, what parts of the index have, and the most that they need. */
  private static final int HELD_SHARE = 8;

  private static final long MAX_HELD_BYTES = 64L << 20;

  /** A plan by which no run waits in memory. */
  public MemoryPlan(long heapBytes, long runBytes, long mergeBytes, long documentHeapBytes) {
    this(heapBytes, runBytes, mergeBytes, documentHeapBytes, 0);
  }

  /** A plan with no room for a large window. */
  public MemoryPlan(
      long heapBytes, long runBytes, long mergeBytes, long documentHeapBytes, long keptBytes) {
    this(heapBytes, runBytes, mergeBytes, documentHeapBytes, keptBytes, 0, 0);
  }

  public static MemoryPlan of(Resources resources) {
    return of(resources, maxHeapBytes());
  }

  /**
   * The plan of a build.
   *
   * @param merges whether runs are merged: a third of their memory is for those that wait then,
   *     unless they have offsets, which wait in files
   */
  public static MemoryPlan of(BuildOptions options, boolean merges) {
    MemoryPlan plan = of(options.resources());
    return merges && !options.schema().hasOffsets()
        ? plan.keeping(options.resources().threads())
        : plan;
  }

  /**
   * What one run takes where there is so much for it, unless a single document needs more: memory
   * would else grow with the crawl until it is all in use.
   */
  public static long usualRunBytes(long runBytes) {
    return Math.min(runBytes, LARGEST_USUAL_RUN_BYTES);
  }

  /** Heap for the buffers of all readers of all term ranges together. */
  public long readerBytes() {
    return mergeBytes - heldBytes();
  }

  /** Heap in which merged parts of an index may wait until they are appended to it. */
  public long heldBytes() {
    return Math.min(mergeBytes / HELD_SHARE, MAX_HELD_BYTES);
  }

  /**
   * Heap for postings that threads encode for a segment of a Lucene index before they can be
   * written; where that takes more than was thought, for some time twice as much.
   */
  public long encodedBytes() {
    return mergeBytes / ENCODED_SHARE;
  }

  /**
   * Heap for the decoders of a thread, at most: five sixths of the old generation, which is two
   * thirds of the heap, since a dictionary is one array.
   */
  public long largestDictionaryBytes() {
    return heapBytes / 9 * 5;
  }

  /** The same memory, with a share for runs that wait if enough is left for those being made. */
  public MemoryPlan keeping(int threads) {
    long share = Math.min(runBytes / KEPT_SHARE, runBytes - MIN_RUN_BYTES);
    return new MemoryPlan(
        heapBytes,
        runBytes - share,
        mergeBytes,
        documentHeapBytes,
        share * threads,
        windowBytes,
        aheadBytes);
  }

  /**
   * Divides the budget.
   *
   * @throws IllegalArgumentException with what to change, if it does not suffice
   */
  public static MemoryPlan of(Resources resources, long heapBytes) {
    long offHeap = resources.memoryBytes() - heapBytes - heapBytes / COLLECTOR_SHARE;
    long spare = offHeap - resources.threads() * MIN_RUN_BYTES;
    long windowBytes = windowBytes(offHeap, spare);
    long aheadBytes = Math.max(0, Math.min(spare - windowBytes, offHeap / AHEAD_SHARE));
    long runBytes = (offHeap - windowBytes - aheadBytes) / resources.threads();
    if (runBytes < MIN_RUN_BYTES) {
      throw new IllegalArgumentException(
          ("a memory budget of %d MiB leaves %d MiB for each of %d threads beside a heap of %d MiB;"
                  + " %d MiB are needed: raise --memory, lower --threads, or start Java with a"
                  + " smaller -Xmx")
              .formatted(
                  resources.memoryBytes() >> 20,
                  Math.max(0, runBytes) >> 20,
                  resources.threads(),
                  heapBytes >> 20,
                  MIN_RUN_BYTES >> 20));
    }
    // Documents are parsed before the merge, which reads through buffers in the heap.
    long base = HEAP_BASE_BYTES + resources.threads() * READER_HEAP_BYTES;
    long documents = Math.max(heapBytes / 2, heapBytes - base);
    return new MemoryPlan(
        heapBytes, runBytes, heapBytes / 2, documents, 0, windowBytes, aheadBytes);
  }

  /** For a large window, of so much memory outside of the heap, so much of which can be spared. */
  private static long windowBytes(long offHeap, long spare) {
    long wanted =
        Math.max(
            Math.min(offHeap / WINDOW_SHARE, LONG_WINDOW_BYTES), offHeap / LARGEST_WINDOW_SHARE);
    return Math.max(0, Math.min(wanted, spare));
  }

  /** Not Runtime.maxMemory, which leaves out a survivor space under the parallel collector. */
  private static long maxHeapBytes() {
    HotSpotDiagnosticMXBean jvm =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    return jvm == null
        ? Runtime.getRuntime().maxMemory()
        : Long.parseLong(jvm.getVMOption("MaxHeapSize").getValue());
  }
}
