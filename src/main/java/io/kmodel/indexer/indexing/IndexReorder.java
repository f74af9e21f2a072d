package io.kmodel.indexer.indexing;

import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.InvertedIndexWriter;
import io.kmodel.indexer.index.model.FieldStatistics;
import io.kmodel.indexer.index.model.IndexFiles;
import io.kmodel.indexer.index.model.IndexMetadata;
import io.kmodel.indexer.index.model.ProgressListener;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.index.postings.GapBits;
import io.kmodel.indexer.indexing.journal.OutputPlace;
import io.kmodel.indexer.indexing.journal.WorkDirectory;
import io.kmodel.indexer.indexing.merge.DocumentValues;
import io.kmodel.indexer.indexing.merge.ReorderedLists;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.order.BpOrder;
import io.kmodel.indexer.indexing.order.DocumentOrder;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.store.disk.DiskSpace;
import io.kmodel.indexer.store.disk.Places;
import io.kmodel.indexer.store.disk.StagedOutput.Replaceable;
import io.kmodel.indexer.task.Interruption;
import io.kmodel.indexer.task.Workers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes an index of another one, with the documents in another order. Lists, lengths and stored
 * documents follow; everything else stays. The bytes do not depend on threads or memory.
 *
 * <p>Memory on the heap: 8 bytes per document, {@value #HELD_BYTES} bytes for postings, and for
 * each thread at least {@value #LEAST_SORT_BYTES} bytes for lists, then stored documents; to
 * compute the order, see {@link BpOrder} and {@link UrlOrder}. The index appears under its name
 * when it is complete; after a failure nothing is left.
 */
public final class IndexReorder {
  /** An order of documents. */
  public enum Order {
    /** By URL, see {@link UrlOrder}. */
    URL,
    /** By recursive graph bisection, see {@link BpOrder}. */
    BP
  }

  /**
   * What to make.
   *
   * @param overwrite whether an existing index may be replaced
   * @param space whether the disk must have room
   */
  public record Options(
      Path index, Order order, Path output, boolean overwrite, int threads, DiskSpace space) {}

  /**
   * How well the lists of an index are compressed.
   *
   * @param docsBytes size of {@code postings.docs}: documents, frequencies and skip tables
   * @param gapBits mean bits of a gap between documents in it
   * @param logGap mean of log2(gap)
   */
  public record Lists(long docsBytes, double gapBits, double logGap) {
    private static Lists of(IndexMetadata index, GapBits gaps) {
      long bytes =
          index.files().entrySet().stream()
              .filter(file -> file.getKey().equals(IndexFiles.DOCS))
              .mapToLong(file -> file.getValue().bytes())
              .sum();
      return new Lists(bytes, gaps.perGap(), gaps.logGap());
    }
  }

  /**
   * The new index.
   *
   * @param moved documents that have another number than before
   * @param withoutUrl documents without URL in an order by URL
   */
  public record Result(
      int documents, int moved, int withoutUrl, long postings, Lists before, Lists after) {}

  private static final long HELD_BYTES = 32 << 20;

  /** Disk for a posting while documents are put in order; more than enough. */
  private static final long FORWARD_BYTES = 2;

  /** With less, the lists of usual terms would go through files. */
  private static final long LEAST_SORT_BYTES = 2 << 20;

  /** More than this is needed for few lists. */
  private static final long MOST_SORT_BYTES = 256 << 20;

  /** Documents whose lengths are appended at a time. */
  private static final int PIECE = 4096;

  private final Options options;
  private final long mostSortBytes;
  private final ProgressListener progress;

  /**
   * Prepares.
   *
   * @param progress gets the work that is done
   */
  public IndexReorder(Options options, ProgressListener progress) {
    this(options, MOST_SORT_BYTES, progress);
  }

  /** The same with another limit for the heap in which each thread sorts. */
  IndexReorder(Options options, long mostSortBytes, ProgressListener progress) {
    this.options = options;
    this.mostSortBytes = mostSortBytes;
    this.progress = progress;
  }

  /**
   * Makes the index.
   *
   * @throws BuildException if the output cannot be written, the index has no URLs to order by, or
   *     there is too little heap
   * @throws io.kmodel.indexer.store.CorruptIndexException if the index is damaged
   */
  public Result run() throws IOException, InterruptedException {
    @Nullable Replaceable replaceable = options.overwrite() ? Target.ownIndex()::isIndex : null;
    OutputPlace.requireApart(List.of(options.index()), options.output(), replaceable);
    if (Places.meet(options.index(), options.output())) {
      throw new BuildException(
          "the index %s and the output %s must not contain each other"
              .formatted(options.index(), options.output()));
    }
    try (InvertedIndex index = InvertedIndex.open(options.index())) {
      long sortBytes = sortBytes(index.documentCount());
      try (WorkDirectory directory = WorkDirectory.create(options.output(), replaceable);
          Workers workers = Workers.givingWay("reorder", options.threads())) {
        // The index, and a forward index of the postings.
        long bytes = index.metadata().bytes() + FORWARD_BYTES * postings(index);
        options
            .space()
            .require(
                directory.root(),
                bytes,
                "the order (an index of %,d bytes)".formatted(index.metadata().bytes()));
        index.verifyChecksums();
        return run(index, directory, workers, sortBytes);
      }
    }
  }

  /** Half of the heap may be used; the rest is for arrays that grow, and garbage. */
  private static long heapBytes() {
    return Runtime.getRuntime().maxMemory() / 2;
  }

  /** Heap in which each thread sorts lists, and collects stored documents. */
  private long sortBytes(int documents) {
    long fixed = (long) DocumentOrder.BYTES * documents + HELD_BYTES;
    long share = (heapBytes() - fixed) / options.threads() - ReorderedLists.CURSOR_BYTES;
    if (share < LEAST_SORT_BYTES) {
      long needed = fixed + options.threads() * (LEAST_SORT_BYTES + ReorderedLists.CURSOR_BYTES);
      throw new BuildException(
          "%,d documents need a heap of %d MiB with %d threads; it has %d MiB: raise --memory or lower --threads"
              .formatted(
                  documents,
                  (needed >> 19) + 1,
                  options.threads(),
                  Runtime.getRuntime().maxMemory() >> 20));
    }
    return Math.min(share, mostSortBytes);
  }

  private Result run(InvertedIndex index, WorkDirectory directory, Workers workers, long sortBytes)
      throws IOException, InterruptedException {
    int withoutUrl = 0;
    DocumentOrder order;
    if (options.order() == Order.URL) {
      UrlOrder urls = new UrlOrder(index);
      order = urls.compute(directory.runs(), part(0, 0.2));
      withoutUrl = index.documentCount() - urls.withUrl();
    } else {
      order =
          new BpOrder(index, workers, options.threads(), heapBytes())
              .compute(directory.runs(), part(0, 0.6));
    }
    double from = options.order() == Order.URL ? 0.2 : 0.6;
    ReorderedLists lists =
        new ReorderedLists(index, order, directory.runs(), sortBytes, part(from, 0.8));
    IndexMetadata made;
    try (InvertedIndexWriter to =
        new InvertedIndexWriter(directory.index(), index.schema()).holdParts(HELD_BYTES)) {
      lists.write(to, workers, options.threads());
      copyLengths(index, order, to);
      DocumentValues.copyColumns(index, order::oldDoc, to);
      if (IndexFiles.hasStoredFields(index.schema())) {
        new ReorderedDocuments(index, order, directory.runs(), sortBytes / 2)
            .write(to, workers, options.threads(), part(0.8, 1));
      }
      made = to.finish(order.size(), contentOptions(index));
    }
    copySkipped(index, directory.index());
    directory.publish();
    return new Result(
        order.size(),
        order.moved(),
        withoutUrl,
        postings(index),
        Lists.of(index.metadata(), lists.before()),
        Lists.of(made, lists.after()));
  }

  /** Reports a part of the work, between two shares of all. */
  private ProgressListener part(double from, double to) {
    long all = 1 << 20;
    return (done, total) -> {
      double share = total == 0 ? 1 : (double) done / total;
      progress.progress((long) (all * (from + (to - from) * share)), all);
    };
  }

  private static long postings(InvertedIndex index) {
    return index.metadata().statistics().stream().mapToLong(FieldStatistics::postings).sum();
  }

  private Map<String, String> contentOptions(InvertedIndex index) {
    Map<String, String> content = new TreeMap<>(index.metadata().options());
    content.put(DocumentOrder.OPTION, options.order().name().toLowerCase(Locale.ROOT));
    return content;
  }

  private static void copyLengths(InvertedIndex from, DocumentOrder order, InvertedIndexWriter to)
      throws IOException {
    Schema schema = to.schema();
    int[] piece = new int[PIECE];
    for (int field = 0; field < schema.size(); field++) {
      for (int doc = 0; schema.field(field).tokenized() && doc < order.size(); doc += PIECE) {
        Interruption.requireNone();
        int count = Math.min(PIECE, order.size() - doc);
        for (int i = 0; i < count; i++) {
          piece[i] = from.length(field, order.oldDoc(doc + i));
        }
        to.appendLengths(field, piece, count);
      }
    }
  }

  /** Copies the list of documents that were skipped when the index was built. */
  private static void copySkipped(InvertedIndex index, Path directory) throws IOException {
    Path skipped = index.directory().resolve(BuildReport.SKIPPED_FILE_NAME);
    if (Files.exists(skipped)) {
      Files.copy(skipped, directory.resolve(BuildReport.SKIPPED_FILE_NAME));
    }
  }
}
