package io.kmodel.indexer.indexing.merge;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.index.postings.GapBits;
import io.kmodel.indexer.indexing.order.DocumentOrder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Lists with their documents in another order, on the heap and through a file. */
class ReorderedCursorTest {
  private static final int DOCUMENTS = 5_000;

  @TempDir Path directory;

  /**
   * A document of a list.
   *
   * @param values position, start and length of each token
   */
  private record Posting(int doc, int freq, List<List<Integer>> values) {}

  /** A cursor over lists in memory; returns few positions at a time. */
  private static final class Lists implements PostingsCursor {
    private final List<List<Posting>> lists;
    private final int columns;
    private int term = -1;
    private int next;
    private List<List<Integer>> values = List.of();

    Lists(List<List<Posting>> lists, int columns) {
      this.lists = lists;
      this.columns = columns;
    }

    @Override
    public boolean nextTerm() {
      term++;
      next = 0;
      return term < lists.size();
    }

    @Override
    public byte[] term() {
      return "\0term%05d".formatted(term).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public int termLength() {
      return term().length;
    }

    @Override
    public int docFreq() {
      return lists.get(term).size();
    }

    @Override
    public long totalTermFreq() {
      return lists.get(term).stream().mapToLong(Posting::freq).sum();
    }

    @Override
    public int nextDocs(int[] docs, int[] freqs) {
      int n = Math.min(BLOCK, lists.get(term).size() - next);
      values = new ArrayList<>();
      for (int i = 0; i < n; i++) {
        Posting posting = lists.get(term).get(next++);
        docs[i] = posting.doc;
        freqs[i] = posting.freq;
        values.addAll(posting.values);
      }
      return n;
    }

    @Override
    public int nextPositions(int[] deltas) {
      int n = columns == 0 ? 0 : Math.min(100, values.size());
      for (int i = 0; i < n; i++) {
        for (int column = 0; column < columns; column++) {
          deltas[column * BLOCK + i] = values.get(i).get(column);
        }
      }
      values = values.subList(n, values.size());
      return n;
    }

    @Override
    public void close() {}
  }

  private static List<List<Posting>> lists(Random random, Detail detail) {
    List<List<Posting>> lists = new ArrayList<>();
    for (int docFreq : new int[] {1, 2, 256, 257, 3000, DOCUMENTS, 1, 700}) {
      List<Posting> list = new ArrayList<>();
      random
          .ints(0, DOCUMENTS)
          .distinct()
          .limit(docFreq)
          .sorted()
          .forEach(doc -> list.add(posting(random, doc, detail)));
      lists.add(list);
    }
    return lists;
  }

  private static Posting posting(Random random, int doc, Detail detail) {
    int freq = !detail.hasFrequencies() ? 1 : random.nextInt(50) == 0 ? 700 : 1 + doc % 3;
    List<List<Integer>> values = new ArrayList<>();
    for (int i = 0; i < freq && detail.hasPositions(); i++) {
      values.add(List.of(random.nextInt(1 << 20), random.nextInt(300), random.nextInt(9)));
    }
    return new Posting(doc, freq, values);
  }

  private static DocumentOrder shuffled(Random random) {
    List<Integer> docs = new ArrayList<>(IntStream.range(0, DOCUMENTS).boxed().toList());
    Collections.shuffle(docs, random);
    return new DocumentOrder(docs.stream().mapToInt(i -> i).toArray());
  }

  private static int columns(Detail detail) {
    return detail.hasOffsets() ? 3 : detail.hasPositions() ? 1 : 0;
  }

  private static Schema schema(Detail detail) {
    return Schema.of(List.of(new Field("text", detail, true, false)));
  }

  /** Reads a list; checks that all positions come between two calls for documents. */
  private static List<Posting> read(PostingsCursor cursor, int columns) throws IOException {
    List<Posting> list = new ArrayList<>();
    int[] docs = new int[PostingsCursor.BLOCK];
    int[] freqs = new int[PostingsCursor.BLOCK];
    int[] deltas = new int[PostingsCursor.COLUMNS];
    for (int n = cursor.nextDocs(docs, freqs); n > 0; n = cursor.nextDocs(docs, freqs)) {
      List<List<Integer>> values = new ArrayList<>();
      for (int m = cursor.nextPositions(deltas); m > 0; m = cursor.nextPositions(deltas)) {
        for (int i = 0; i < m; i++) {
          int at = i;
          values.add(
              IntStream.range(0, columns)
                  .mapToObj(column -> deltas[column * PostingsCursor.BLOCK + at])
                  .toList());
        }
      }
      int used = 0;
      for (int i = 0; i < n; i++) {
        int end = columns == 0 ? 0 : used + freqs[i];
        list.add(new Posting(docs[i], freqs[i], List.copyOf(values.subList(used, end))));
        used = end;
      }
      assertThat(used).isEqualTo(values.size());
    }
    return list;
  }

  private static List<Posting> expected(List<Posting> list, DocumentOrder order, int columns) {
    TreeMap<Integer, Posting> sorted = new TreeMap<>();
    for (Posting posting : list) {
      int doc = order.newDoc(posting.doc);
      List<List<Integer>> values =
          posting.values.stream().map(value -> value.subList(0, columns)).toList();
      sorted.put(doc, new Posting(doc, posting.freq, values));
    }
    return List.copyOf(sorted.values());
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void everyListFollowsTheOrderWhateverTheMemory(Detail detail) throws Exception {
    Random random = new Random(11);
    List<List<Posting>> lists = lists(random, detail);
    DocumentOrder order = shuffled(random);
    int columns = columns(detail);
    Path file = directory.resolve("list");
    for (long bytes : new long[] {1, 5_000, 50_000, 1 << 28}) {
      boolean spilled = false;
      try (ReorderedCursor cursor =
          new ReorderedCursor(
              new Lists(lists, columns), new GapBits(), schema(detail), order, bytes, file)) {
        for (List<Posting> list : lists) {
          assertThat(cursor.nextTerm()).isTrue();
          assertThat(cursor.docFreq()).isEqualTo(list.size());
          List<Posting> read = read(cursor, columns);
          assertThat(read).isEqualTo(expected(list, order, columns));
          spilled |= !files().isEmpty();
        }
        assertThat(cursor.nextTerm()).isFalse();
      }
      assertThat(spilled).as("files for %d bytes", bytes).isEqualTo(bytes < 1 << 28);
      assertThat(files()).isEmpty();
    }
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    }
  }

  /** As a verifier does that only wants terms, or only documents. */
  @Test
  void listsAndPositionsMayBePassedOver() throws Exception {
    Random random = new Random(12);
    List<List<Posting>> lists = lists(random, Detail.POSITIONS);
    DocumentOrder order = shuffled(random);
    int[] docs = new int[PostingsCursor.BLOCK];
    int[] freqs = new int[PostingsCursor.BLOCK];
    try (ReorderedCursor cursor =
        new ReorderedCursor(
            new Lists(lists, 1),
            new GapBits(),
            schema(Detail.POSITIONS),
            order,
            5_000,
            directory.resolve("list"))) {
      for (List<Posting> list : lists) {
        assertThat(cursor.nextTerm()).isTrue();
        List<Integer> read = new ArrayList<>();
        for (int n = cursor.nextDocs(docs, freqs);
            n > 0 && list.size() < DOCUMENTS;
            n = cursor.nextDocs(docs, freqs)) {
          IntStream.range(0, n).forEach(i -> read.add(docs[i]));
        }
        if (list.size() < DOCUMENTS) {
          assertThat(read).hasSize(list.size()).isSorted();
        }
      }
    }
    assertThat(files()).isEmpty();
  }
}
