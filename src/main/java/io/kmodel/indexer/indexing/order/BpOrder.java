package io.kmodel.indexer.indexing.order;

import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.ProgressListener;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.task.Workers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The order of an index's documents by {@link GraphBisection} of the postings of all fields. It
 * depends on the lists alone, never on threads or memory.
 *
 * <p>Terms in few documents are left out: they are many and say little. The heap holds {@value
 * #DOCUMENT_BYTES} bytes per document, some per term that counts, and partitions of the forward
 * index, as large as the rest allows. The forward index is in a file.
 */
public final class BpOrder {
  /**
   * The lowest document frequency that counts in a small index. For 127,201 documents with 27
   * million postings, log2 of a gap is 3 % larger with 32, and 1 % smaller with 4.
   */
  private static final int LEAST_DOC_FREQ = 8;

  /** In larger indexes it is this share of the documents, so that a million terms may count. */
  private static final int SHARE = 1 << 14;

  /** But at most that of the papers and of Lucene. */
  private static final int MOST_DOC_FREQ = 1 << 12;

  /** The forward index, its documents in their order, their gains, and the order that results. */
  private static final int DOCUMENT_BYTES =
      FileForward.DOCUMENT_BYTES + Long.BYTES + DocumentOrder.BYTES;

  /** Document frequencies and gains in both halves. */
  private static final int TERM_BYTES = 4 * Integer.BYTES;

  /** A thread counts a partition's terms, and the documents that change places. */
  private static final int TERM_BYTES_OF_THREAD = 2 * Integer.BYTES;

  private static final long LEAST_SHARE = 1 << 20;

  private final InvertedIndex index;
  private final Workers workers;
  private final int threads;
  private final long heapBytes;

  /**
   * Prepares.
   *
   * @param workers threads that do nothing else meanwhile
   * @param heapBytes heap that may be used
   */
  public BpOrder(InvertedIndex index, Workers workers, int threads, long heapBytes) {
    this.index = index;
    this.workers = workers;
    this.threads = threads;
    this.heapBytes = heapBytes;
  }

  static int leastDocFreq(int documents) {
    return Math.clamp(documents / SHARE, LEAST_DOC_FREQ, MOST_DOC_FREQ);
  }

  /**
   * Computes the order.
   *
   * @param temporary directory for the forward index, one or two bytes per posting; the file is
   *     deleted afterwards
   * @throws BuildException if there is not enough heap
   */
  public DocumentOrder compute(Path temporary, ProgressListener progress)
      throws IOException, InterruptedException {
    int leastDocFreq = leastDocFreq(index.documentCount());
    Path path = temporary.resolve("forward");
    try (FileForward all = FileForward.of(index, leastDocFreq, path, workers, threads, share(0))) {
      return new DocumentOrder(
          new GraphBisection(all, workers, threads, share(all.terms()), progress).order());
    } finally {
      Files.deleteIfExists(path);
    }
  }

  /** Heap for the partitions of a thread. */
  private long share(int terms) {
    long fixed =
        (long) DOCUMENT_BYTES * index.documentCount()
            + (TERM_BYTES + (long) TERM_BYTES_OF_THREAD * threads) * terms;
    long share = (heapBytes - fixed) / threads;
    if (share < LEAST_SHARE) {
      throw new BuildException(
          ("the order bp of %,d documents and %,d terms needs %d MiB of heap with %d threads; it may"
                  + " use %d MiB: raise --memory or lower --threads")
              .formatted(
                  index.documentCount(),
                  terms,
                  ((fixed + threads * LEAST_SHARE) >> 20) + 1,
                  threads,
                  heapBytes >> 20));
    }
    return share;
  }
}
