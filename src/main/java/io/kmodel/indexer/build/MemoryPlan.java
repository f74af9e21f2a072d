package io.kmodel.indexer.build;

import io.kmodel.indexer.build.BuildOptions.Resources;

/**
 * How the one memory budget of a build is divided. The Java heap's maximum is fixed when the
 * process starts (the launcher derives it from the budget) and is taken off first; what is left is
 * off-heap: while parsing, one run per thread; while merging, the buffers of the runs' readers.
 * What the JVM needs besides (code, classes, stacks: some 200 MiB) is not counted.
 *
 * @param heapBytes the heap's maximum
 * @param runBytes what one thread's run may take, its sorter's scratch included
 * @param mergeBytes what all readers of all term ranges may take together
 * @param documentHeapBytes heap that documents being parsed may take together
 */
record MemoryPlan(long heapBytes, long runBytes, long mergeBytes, long documentHeapBytes) {
  /** A run below this would hold too few postings to be worth a file. */
  private static final long MIN_RUN_BYTES = 24L << 20;

  /** Heap that is not for documents: buffers, the crawl's listing, analyzers, garbage. */
  private static final long HEAP_BASE_BYTES = 64L << 20;

  static MemoryPlan of(Resources resources) {
    return of(resources, Runtime.getRuntime().maxMemory());
  }

  /**
   * Divides the budget.
   *
   * @throws IllegalArgumentException with what to change, if it does not suffice
   */
  static MemoryPlan of(Resources resources, long heapBytes) {
    long offHeap = resources.memoryBytes() - heapBytes;
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
}
