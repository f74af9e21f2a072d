package io.kmodel.indexer.indexing.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.export.lucene.view.IndexLeafReader;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.model.ProgressListener;
import io.kmodel.indexer.index.postings.GapBits;
import io.kmodel.indexer.indexing.TopicDocuments;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.options.Store;
import io.kmodel.indexer.task.Workers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.SlowCodecReaderWrapper;
import org.apache.lucene.index.Sorter;
import org.apache.lucene.misc.index.BPIndexReorderer;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents in the order of graph bisection, compared with Lucene's and with others. */
class BpOrderTest {
  private static final long MUCH_HEAP = 256 << 20;

  @TempDir Path directory;

  private InvertedIndex index(int documents, int words) throws Exception {
    Path collection =
        TopicDocuments.write(directory.resolve("c.jsonl"), documents, documents, words);
    return InvertedIndex.open(
        TopicDocuments.build(collection, directory.resolve("index"), Detail.FREQUENCIES, Store.ID));
  }

  private DocumentOrder order(InvertedIndex index, int threads, long heapBytes) throws Exception {
    Path temporary = Files.createTempDirectory(directory, "temporary");
    AtomicLong done = new AtomicLong();
    ProgressListener progress =
        (now, total) -> {
          assertThat(now).isBetween(0L, total);
          done.accumulateAndGet(now, Math::max);
        };
    try (Workers workers = new Workers("order", threads)) {
      DocumentOrder order =
          new BpOrder(index, workers, threads, heapBytes).compute(temporary, progress);
      try (Stream<Path> files = Files.list(temporary)) {
        assertThat(files).isEmpty();
      }
      return order;
    }
  }

  private static int[] olds(DocumentOrder order) {
    return IntStream.range(0, order.size()).map(order::oldDoc).toArray();
  }

  /** LogGap of all lists if documents have these numbers. */
  private static double logGap(InvertedIndex index, DocumentOrder order) throws IOException {
    GapBits gaps = new GapBits();
    int[] docs = new int[PostingsCursor.BLOCK];
    int[] freqs = new int[PostingsCursor.BLOCK];
    try (PostingsCursor lists = index.cursor()) {
      while (lists.nextTerm()) {
        int[] list = new int[lists.docFreq()];
        int end = 0;
        for (int n = lists.nextDocs(docs, freqs); n > 0; n = lists.nextDocs(docs, freqs)) {
          for (int i = 0; i < n; i++) {
            list[end++] = order.newDoc(docs[i]);
          }
        }
        Arrays.sort(list);
        gaps.add(list, end);
        gaps.finishTerm();
      }
    }
    return gaps.logGap();
  }

  private static DocumentOrder ofLucene(InvertedIndex index) throws IOException {
    BPIndexReorderer reorderer = new BPIndexReorderer();
    reorderer.setMinDocFreq(BpOrder.leastDocFreq(index.documentCount()));
    Executor here = Runnable::run;
    try (IndexLeafReader leaf = new IndexLeafReader(index);
        Directory temporary = new ByteBuffersDirectory()) {
      CodecReader reader = SlowCodecReaderWrapper.wrap(leaf);
      Sorter.DocMap order = reorderer.computeDocMap(reader, temporary, here);
      return new DocumentOrder(
          IntStream.range(0, index.documentCount()).map(order::newToOld).toArray());
    }
  }

  private static DocumentOrder shuffled(int documents) {
    List<Integer> docs = new ArrayList<>(IntStream.range(0, documents).boxed().toList());
    Collections.shuffle(docs, new Random(5));
    return new DocumentOrder(docs.stream().mapToInt(i -> i).toArray());
  }

  @Test
  void gapsAreAsShortAsInTheOrderOfLucene() throws Exception {
    try (InvertedIndex index = index(2500, 40)) {
      double ours = logGap(index, order(index, 2, MUCH_HEAP));
      double lucene = logGap(index, ofLucene(index));
      double random = logGap(index, shuffled(index.documentCount()));
      assertThat(ours).as("Lucene's order gives %s", lucene).isLessThan(1.03 * lucene);
      assertThat(ours).as("a random order gives %s", random).isLessThan(0.75 * random);
    }
  }

  /** With little heap, partitions are split by all threads, from the file. */
  @Test
  void theOrderDependsNeitherOnThreadsNorOnMemory() throws Exception {
    try (InvertedIndex index = index(6000, 60)) {
      int[] expected = olds(order(index, 1, MUCH_HEAP));
      assertThat(olds(order(index, 3, MUCH_HEAP))).isEqualTo(expected);
      long least = 3 << 20;
      assertThat(olds(order(index, 1, least / 2))).isEqualTo(expected);
      assertThat(olds(order(index, 2, least))).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 15, 16, 17, 33, 100})
  void fewDocumentsHaveAnOrderToo(int documents) throws Exception {
    try (InvertedIndex index = index(documents, 20)) {
      assertThat(order(index, 2, MUCH_HEAP).size()).isEqualTo(documents);
    }
  }

  @Test
  void tooLittleHeapIsAnErrorThatNamesWhatIsNeeded() throws Exception {
    try (InvertedIndex index = index(1000, 10)) {
      assertThatThrownBy(() -> order(index, 4, 1 << 20))
          .isInstanceOf(BuildException.class)
          .hasMessageMatching(
              "the order bp of 1,000 documents .* needs \\d+ MiB of heap with 4 threads; .*"
                  + "raise --memory or lower --threads");
    }
  }

  @Test
  void termsOfFewDocumentsCountInSmallIndexesOnly() {
    assertThat(BpOrder.leastDocFreq(1000)).isEqualTo(8);
    assertThat(BpOrder.leastDocFreq(1 << 20)).isEqualTo(64);
    assertThat(BpOrder.leastDocFreq(Integer.MAX_VALUE - 1)).isEqualTo(4096);
  }

  @Test
  void aPermutationHasEveryDocumentOnce() {
    DocumentOrder order = new DocumentOrder(new int[] {2, 1, 0, 3});
    assertThat(IntStream.range(0, 4).map(order::newDoc)).containsExactly(2, 1, 0, 3);
    assertThat(order.moved()).isEqualTo(2);
    for (int[] wrong : new int[][] {{0, 0}, {0, 2}, {-1, 0}}) {
      assertThatThrownBy(() -> new DocumentOrder(wrong))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
