package io.kmodel.indexer.indexing.options;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.kmodel.indexer.indexing.options.BuildOptions.Resources;
import io.kmodel.indexer.parse.metadata.TextLanguage;
import io.kmodel.indexer.source.HeapGuard;
import java.lang.management.ManagementFactory;
import java.util.function.Predicate;

/**
 * How the memory budget of a build is divided. The maximum of the Java heap is fixed when the
 * process starts (the launcher derives it from the budget). It is subtracted first, with what the
 * collector needs besides. The rest is off-heap. While parsing, it holds one run per thread, a
 * large window of a decoder, decompressed data shared by threads, and runs that wait for the merge.
 * While Lucene segments are merged, the lengths of their documents take the place of the runs. Not
 * counted are the JVM's other memory (code, classes, stacks: some 200 MiB) and windows of usual
 * size.
 *
 * @param heapBytes maximum of the heap
 * @param runBytes off-heap, for the runs of one thread and the scratch of their sorter; see {@link
 *     #usualRunBytes}
 * @param mergeBytes heap for merging: readers, and {@link #heldBytes} or {@link #encodedBytes}
 * @param documentHeapBytes heap for all documents that are being parsed
 * @param keptBytes off-heap, for all runs that wait for the merge in memory
 * @param windowBytes off-heap, for the unusually large windows of one thread's decoders
 * @param aheadBytes off-heap, for data that is decompressed ahead of its readers
 * @param heapPerTextByte heap for each byte of a file of text in UTF-8
 */
public record MemoryPlan(
    long heapBytes,
    long runBytes,
    long mergeBytes,
    long documentHeapBytes,
    long keptBytes,
    long windowBytes,
    long aheadBytes,
    int heapPerTextByte) {
  /** Heap for all decoders together: half of the heap that is not for documents. */
  public static final long DECODER_HEAP_BYTES = 32L << 20;

  /** Share of the budget that is heap, as the launcher divides it. */
  private static final long HEAP_FIFTHS = 2;

  private static final int MOST_ADVISED_GIBIBYTES = 1024;

  /** A smaller run would hold too few postings to be worth a file. */
  private static final long MIN_RUN_BYTES = 24L << 20;

  /**
   * Some 11 million tokens. With larger runs 16 threads took about as long for our own index and
   * longer for a Lucene index, in twice the memory.
   */
  private static final long LARGEST_USUAL_RUN_BYTES = 256L << 20;

  /** Heap that is not for documents: buffers, the crawl's listing, analyzers, garbage. */
  private static final long HEAP_BASE_BYTES = 64L << 20;

  /** The heap of a budget of 512 MiB, nearly: less leaves too little beside the model. */
  private static final long LEAST_DETECTING_HEAP_BYTES = 192L << 20;

  /** Heap for the reader of each thread, which decompresses gzip members into it. */
  private static final long READER_HEAP_BYTES = 5L << 18;

  /** Share of the off-heap memory for a large window, up to what zstd --long needs. */
  private static final int WINDOW_SHARE = 8;

  private static final long LONG_WINDOW_BYTES = 129L << 20;

  /** Share for data that is decompressed ahead: pieces of 64 MiB for a thread in most budgets. */
  private static final int AHEAD_SHARE = 16;

  private static final int LARGEST_WINDOW_SHARE = 16;

  /** The parallel collector's marking bitmaps and card table take about 1/29 of the heap. */
  private static final int COLLECTOR_SHARE = 28;

  /** Share of {@link #runBytes} that {@link #keeping} takes for runs that wait. */
  private static final int KEPT_SHARE = 3;

  /** Share of {@link #mergeBytes} for encoded postings. */
  private static final int ENCODED_SHARE = 4;

  /** Share of {@link #mergeBytes} for parts of the index, and the most that they need. */
  private static final int HELD_SHARE = 8;

  private static final long MAX_HELD_BYTES = 64L << 20;

  /**
   * Heap for each byte of text in UTF-8, of which only our own index is made: the text, which is
   * used in place, and its compressed form, at most as large, in the old generation, which is two
   * thirds of the heap. Lucene needs several copies to write and check a stored text.
   */
  private static final int OWN_HEAP_PER_TEXT_BYTE = 3;

  /** A plan that grants texts as much heap as other documents. */
  public MemoryPlan(
      long heapBytes,
      long runBytes,
      long mergeBytes,
      long documentHeapBytes,
      long keptBytes,
      long windowBytes,
      long aheadBytes) {
    this(
        heapBytes,
        runBytes,
        mergeBytes,
        documentHeapBytes,
        keptBytes,
        windowBytes,
        aheadBytes,
        HeapGuard.USUAL_PER_BYTE);
  }

  /** A plan in which no run waits in memory. */
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
   * @param merges whether runs are merged; if so, a third of their memory is for runs that wait,
   *     except that runs with offsets wait in files
   */
  public static MemoryPlan of(BuildOptions options, boolean merges) {
    MemoryPlan plan = of(options.resources()).detecting(options);
    return merges && !options.schema().hasOffsets()
        ? plan.keeping(options.resources().threads())
        : plan;
  }

  /**
   * The plan of a build in another program, which takes a share of that program's heap.
   *
   * @throws IllegalArgumentException if the program's heap is smaller than the share
   */
  public static MemoryPlan embedded(BuildOptions options) {
    Resources resources = options.resources();
    long heap = heapShare(resources.memoryBytes());
    if (heap > maxHeapBytes()) {
      throw new IllegalArgumentException(
          "a memory of %d MiB takes %d MiB of Java's heap, which has %d MiB: start Java with a larger -Xmx, or take less memory"
              .formatted(resources.memoryBytes() >> 20, heap >> 20, maxHeapBytes() >> 20));
    }
    MemoryPlan plan = of(resources, heap).detecting(options);
    return options.schema().hasOffsets() ? plan : plan.keeping(resources.threads());
  }

  /**
   * The same budget with heap for the model of languages, if a build needs it.
   *
   * @throws IllegalArgumentException if the heap is too small for that
   */
  private MemoryPlan detecting(BuildOptions options) {
    if (!options.text().metadata().detectsLanguages()) {
      return this;
    }
    if (heapBytes < LEAST_DETECTING_HEAP_BYTES) {
      throw new IllegalArgumentException(
          "detecting languages takes %d MiB of Java's heap of %d MiB: raise --memory to 512m or more"
              .formatted(TextLanguage.HEAP_BYTES >> 20, heapBytes >> 20));
    }
    return withDocumentHeap(documentHeapBytes - TextLanguage.HEAP_BYTES);
  }

  /** The same budget, with half of the heap for documents left to those that wait to be read. */
  public MemoryPlan leavingHalfToWaiting() {
    return withDocumentHeap(documentHeapBytes / 2);
  }

  private MemoryPlan withDocumentHeap(long bytes) {
    return new MemoryPlan(
        heapBytes,
        runBytes,
        mergeBytes,
        bytes,
        keptBytes,
        windowBytes,
        aheadBytes,
        heapPerTextByte);
  }

  private static long heapShare(long memoryBytes) {
    return memoryBytes / 5 * HEAP_FIFTHS;
  }

  /** The most threads that an embedded build with this budget can have. */
  public static int mostEmbeddedThreads(long memoryBytes) {
    return (int) Math.max(1, offHeap(memoryBytes, heapShare(memoryBytes)) / MIN_RUN_BYTES);
  }

  private static long offHeap(long memoryBytes, long heapBytes) {
    return memoryBytes - heapBytes - heapBytes / COLLECTOR_SHARE;
  }

  /** The most memory whose share of the heap this process can give away half of. */
  public static long largestEmbedded() {
    return maxHeapBytes() / (2 * HEAP_FIFTHS) * 5;
  }

  /**
   * The size of a run, unless a single document needs more. Without this limit, memory would grow
   * with the crawl until all of it is used.
   */
  public static long usualRunBytes(long runBytes) {
    return Math.min(runBytes, LARGEST_USUAL_RUN_BYTES);
  }

  /** Heap for the buffers of all readers of all term ranges together. */
  public long readerBytes() {
    return mergeBytes - heldBytes();
  }

  /** Heap in which merged parts of an index wait until they are appended to it. */
  public long heldBytes() {
    return Math.min(mergeBytes / HELD_SHARE, MAX_HELD_BYTES);
  }

  /**
   * Heap for postings that threads encode for a Lucene segment before they are written. If an
   * estimate is too low, it takes up to twice as much for a while.
   */
  public long encodedBytes() {
    return mergeBytes / ENCODED_SHARE;
  }

  /**
   * The most heap that the decoders of a thread can take: five sixths of the old generation, which
   * is two thirds of the heap, because a dictionary is one array.
   */
  public long largestDictionaryBytes() {
    return heapBytes / 9 * 5;
  }

  /** The same budget, of a build of nothing but our own index. */
  public MemoryPlan forOwnIndex() {
    return new MemoryPlan(
        heapBytes,
        runBytes,
        mergeBytes,
        documentHeapBytes,
        keptBytes,
        windowBytes,
        aheadBytes,
        OWN_HEAP_PER_TEXT_BYTE);
  }

  /** The same budget, with a share for runs that wait if enough is left for those being filled. */
  MemoryPlan keeping(int threads) {
    long share = Math.min(runBytes / KEPT_SHARE, runBytes - MIN_RUN_BYTES);
    return new MemoryPlan(
        heapBytes,
        runBytes - share,
        mergeBytes,
        documentHeapBytes,
        share * threads,
        windowBytes,
        aheadBytes,
        heapPerTextByte);
  }

  /**
   * Divides the budget.
   *
   * @throws IllegalArgumentException if it is too small; the message says what to change
   */
  public static MemoryPlan of(Resources resources, long heapBytes) {
    long offHeap = offHeap(resources.memoryBytes(), heapBytes);
    long spare = offHeap - resources.threads() * MIN_RUN_BYTES;
    long windowBytes = windowBytes(offHeap, spare);
    long aheadBytes = Math.max(0, Math.min(spare - windowBytes, offHeap / AHEAD_SHARE));
    long runBytes = (offHeap - windowBytes - aheadBytes) / resources.threads();
    if (runBytes < MIN_RUN_BYTES) {
      throw new IllegalArgumentException(
          ("a memory budget of %d MiB leaves %d MiB for each of %d threads beside a heap of %d MiB;"
                  + " %d MiB are needed: raise --memory, lower --threads, or start Java with a"
                  + " smaller -Xmx, as bin/indexer does")
              .formatted(
                  resources.memoryBytes() >> 20,
                  Math.max(0, runBytes) >> 20,
                  resources.threads(),
                  heapBytes >> 20,
                  MIN_RUN_BYTES >> 20));
    }
    // Documents are parsed before the merge, which reads through buffers on the heap.
    long base = HEAP_BASE_BYTES + resources.threads() * READER_HEAP_BYTES;
    long documents = Math.max(heapBytes / 2, heapBytes - base);
    return new MemoryPlan(
        heapBytes, runBytes, heapBytes / 2, documents, 0, windowBytes, aheadBytes);
  }

  /**
   * Names the budget with which a build of one thread could do something, if the heap is the share
   * that the launcher gives it. So the advice does not depend on the threads of this build.
   *
   * @param suffices whether a plan does
   */
  public static String advice(Predicate<MemoryPlan> suffices) {
    for (long gibibytes = 1; gibibytes <= MOST_ADVISED_GIBIBYTES; gibibytes++) {
      long bytes = gibibytes << 30;
      if (suffices.test(of(new Resources(1, bytes), heapShare(bytes)).keeping(1))) {
        return "--memory %dg --threads 1 would do".formatted(gibibytes);
      }
    }
    return "raise --memory or lower --threads";
  }

  /** Memory for a large window. */
  private static long windowBytes(long offHeap, long spare) {
    long wanted =
        Math.max(
            Math.min(offHeap / WINDOW_SHARE, LONG_WINDOW_BYTES), offHeap / LARGEST_WINDOW_SHARE);
    return Math.max(0, Math.min(wanted, spare));
  }

  /** Not Runtime.maxMemory, which omits a survivor space under the parallel collector. */
  private static long maxHeapBytes() {
    HotSpotDiagnosticMXBean jvm =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    return jvm == null
        ? Runtime.getRuntime().maxMemory()
        : Long.parseLong(jvm.getVMOption("MaxHeapSize").getValue());
  }
}
