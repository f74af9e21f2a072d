package io.kmodel.indexer.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.sort.RadixKeySorter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs of weighted terms, compared with a TreeMap. */
class WeightedRunTest {
  private static final Schema SCHEMA =
      Schema.of(
          List.of(
              new Field("contents", Detail.IMPACTS, true, false),
              new Field("id", Detail.DOCUMENTS, false, true)));
  private static final int CONTENTS = 0;
  private static final int ID = 1;

  @TempDir Path directory;

  /** A weighted term. */
  private record Weighted(String term, int weight) {}

  private static Outcome add(RunBuilder builder, String id, List<Weighted> vector) {
    builder.startDocument();
    builder.add(ID, id.getBytes(UTF_8), 0, id.length(), 0);
    for (Weighted of : vector) {
      byte[] term = of.term.getBytes(UTF_8);
      builder.addWeight(CONTENTS, term, 0, term.length, of.weight);
    }
    return builder.finishDocument();
  }

  /** By field and term: weights by document. */
  private static Map<String, Map<Integer, Integer>> postings(PostingsCursor cursor)
      throws IOException {
    Map<String, Map<Integer, Integer>> all = new TreeMap<>();
    int[] docs = new int[PostingsCursor.BLOCK];
    int[] freqs = new int[PostingsCursor.BLOCK];
    try (cursor) {
      while (cursor.nextTerm()) {
        String key =
            cursor.term()[0] + new String(cursor.term(), 1, cursor.termLength() - 1, UTF_8);
        Map<Integer, Integer> list = all.computeIfAbsent(key, k -> new TreeMap<>());
        for (int n; (n = cursor.nextDocs(docs, freqs)) > 0; ) {
          for (int i = 0; i < n; i++) {
            assertThat(list.put(docs[i], freqs[i])).isNull();
          }
          assertThat(cursor.nextPositions(docs)).isZero();
        }
        assertThat(cursor.docFreq()).isEqualTo(list.size());
        assertThat(cursor.totalTermFreq())
            .isEqualTo(list.values().stream().mapToLong(Integer::longValue).sum());
      }
    }
    return all;
  }

  private static void put(
      Map<String, Map<Integer, Integer>> model, int doc, List<Weighted> vector) {
    model.computeIfAbsent(ID + "d" + doc, k -> new TreeMap<>()).put(doc, 1);
    for (Weighted of : vector) {
      model
          .computeIfAbsent(CONTENTS + of.term, k -> new TreeMap<>())
          .merge(doc, of.weight, Integer::sum);
    }
  }

  private static List<Weighted> random(SplittableRandom random, int most) {
    List<Weighted> vector = new ArrayList<>();
    for (int i = random.nextInt(12); i > 0; i--) {
      // Few terms, so that some vectors name a term twice.
      vector.add(new Weighted("t" + random.nextInt(40), 1 + random.nextInt(most)));
    }
    return vector;
  }

  @Test
  void runsHoldTheSumsOfWeights() throws IOException {
    int files = 0;
    for (int most : new int[] {3, 255, 500_000}) {
      SplittableRandom random = new SplittableRandom(most);
      Map<String, Map<Integer, Integer>> model = new TreeMap<>();
      try (RunBuilder sorted = new RunBuilder(SCHEMA, 1 << 20);
          RunBuilder counted = new RunBuilder(SCHEMA, 1 << 20)) {
        for (int doc = 0; doc < 700; doc++) {
          List<Weighted> vector = random(random, most);
          if (vector.stream().mapToLong(Weighted::weight).sum() > 1 << 19) {
            vector = vector.subList(0, 1);
          }
          assertThat(add(sorted, "d" + doc, vector)).isEqualTo(Outcome.ADDED);
          assertThat(add(counted, "d" + doc, vector)).isEqualTo(Outcome.ADDED);
          put(model, doc, vector);
          assertThat(sorted.length(CONTENTS, doc)).isEqualTo(vector.isEmpty() ? 0 : 1);
        }
        sorted.sort(new RadixKeySorter());
        RunBuilding.count(counted);
        for (RunBuilder builder : List.of(sorted, counted)) {
          builder.checkOrder();
          assertThat(postings(builder.cursor())).isEqualTo(model);
          Path file = directory.resolve("run-" + files++);
          builder.writeRun(file);
          try (RunReader reader = RunReader.open(file)) {
            reader.verify();
            assertThat(postings(reader.cursor(null, null, 0))).isEqualTo(model);
          }
          try (MemoryRun copy = builder.copy(bytes -> true)) {
            assertThat(copy).isNotNull();
            assertThat(postings(copy.cursor(null, null, 0))).isEqualTo(model);
          }
        }
      }
    }
  }

  @Test
  void aLeftOutDocumentLeavesNothing() throws IOException {
    try (RunBuilder builder = new RunBuilder(SCHEMA, 1 << 20)) {
      List<Weighted> vector = List.of(new Weighted("a", 2), new Weighted("b", 3));
      add(builder, "d0", vector);
      builder.startDocument();
      builder.addWeight(CONTENTS, new byte[] {'a'}, 0, 1, 9);
      builder.abandonDocument();
      add(builder, "d1", vector);
      builder.sort(new RadixKeySorter());
      Map<String, Map<Integer, Integer>> model = new TreeMap<>();
      put(model, 0, vector);
      put(model, 1, vector);
      assertThat(postings(builder.cursor())).isEqualTo(model);
    }
  }

  /** Weights that add up to more than 20 bits get a run of their document alone. */
  @Test
  void aSumBeyondTheUsualLayoutGetsAnotherLayout() throws IOException {
    List<Weighted> large =
        List.of(new Weighted("a", (1 << 20) - 1), new Weighted("b", 1), new Weighted("a", 7));
    try (RunBuilder builder = new RunBuilder(SCHEMA, 1 << 20)) {
      assertThat(add(builder, "d0", List.of(new Weighted("b", 1)))).isEqualTo(Outcome.ADDED);
      assertThat(add(builder, "d1", large)).isEqualTo(Outcome.RUN_FULL);
      builder.reset();
      assertThat(add(builder, "d0", large)).isEqualTo(Outcome.ADDED);
      builder.sort(new RadixKeySorter());
      Map<String, Map<Integer, Integer>> model = new TreeMap<>();
      put(model, 0, large);
      assertThat(postings(builder.cursor())).isEqualTo(model);
    }
  }

  @Test
  void aRunThatIsFullKeepsWhatItHas() throws IOException {
    try (RunBuilder builder = new RunBuilder(SCHEMA, RunMemory.MIN_BYTES)) {
      Map<String, Map<Integer, Integer>> model = new TreeMap<>();
      SplittableRandom random = new SplittableRandom(1);
      int doc = 0;
      List<Weighted> vector = random(random, 9);
      while (add(builder, "d" + doc, vector) == Outcome.ADDED) {
        put(model, doc, vector);
        doc++;
        vector = random(random, 9);
      }
      builder.sort(new RadixKeySorter());
      assertThat(doc).isGreaterThan(20);
      assertThat(postings(builder.cursor())).isEqualTo(model);
    }
  }

  /** However often terms are repeated, each takes the same time. */
  @Test
  void repeatedTermsAreFoundAtOnce() throws IOException {
    int terms = 20_000;
    try (RunBuilder builder = new RunBuilder(SCHEMA, 4 << 20)) {
      builder.startDocument();
      for (int i = 0; i < 20 * terms; i++) {
        byte[] term = ("t" + i % terms).getBytes(UTF_8);
        builder.addWeight(CONTENTS, term, 0, term.length, 1);
      }
      assertThat(builder.finishDocument()).isEqualTo(Outcome.ADDED);
      assertThat(builder.tokenCount()).isEqualTo(terms);
      builder.sort(new RadixKeySorter());
      assertThat(postings(builder.cursor()).values()).allMatch(list -> list.equals(Map.of(0, 20)));
    }
  }

  @Test
  void aWeightIsAtLeastOne() {
    try (RunBuilder builder = new RunBuilder(SCHEMA, 1 << 20)) {
      builder.startDocument();
      assertThatThrownBy(() -> builder.addWeight(CONTENTS, new byte[] {'a'}, 0, 1, 0))
          .hasMessage("weight must be at least 1; got 0");
    }
  }
}
