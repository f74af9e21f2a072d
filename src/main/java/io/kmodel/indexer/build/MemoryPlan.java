package io.kmodel.indexer.build;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.kmodel.indexer.build.BuildOptions.Resources;
import java.lang.management.ManagementFactory;

/**
 * How the one memory budget of a build is divided. The Java heap's maximum is fixed when the
 * process starts (the launcher derives it from the budget) and is taken off first, with what the
 * collector needs beside it; what is left is off-heap: while parsing, one run per thread. What the
 * JVM needs besides (code, classes, stacks: some 200 MiB) is not counted.
 *
 * @param heapBytes the heap's maximum
 * @param runBytes what one thread's run may take, its sorter's scratch included
 * @param mergeBytes heap for the buffers of all readers of all term ranges together
 * @param documentHeapBytes heap that documents being parsed may take together
 */
record MemoryPlan(long heapBytes, long runBytes, long mergeBytes, long documentHeapBytes) {
  /** A run below this would hold too few postings to be worth a file. */
  private static final long MIN_RUN_BYTES = 24L << 20;

  /** Heap that is not for documents: buffers, the crawl's listing, analyzers, garbage. */
  private static final long HEAP_BASE_BYTES = 64L << 20;

  /** The parallel collector's marking bitmaps and card table take about 1/29 of the heap. */
  private static final int COLLECTOR_SHARE = 28;

  static MemoryPlan of(Resources resources) {
    return of(resources, maxHeapBytes());
  }

  /**
   * Divides the budget.
   *
   * @throws IllegalArgumentException with what to change, if it does not suffice
   */
  static MemoryPlan of(Resources resources, long heapBytes) {
    long offHeap = resources.memoryBytes() - heapBytes - heapBytes / COLLECTOR_SHARE;
    long runBytes = offHeap / resources.threads();
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
    long documents = Math.max(heapBytes / 2, heapBytes - HEAP_BASE_BYTES);
    return new MemoryPlan(heapBytes, runBytes, heapBytes / 2, documents);
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
