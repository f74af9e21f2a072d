package io.kmodel.indexer.index;

import static io.kmodel.indexer.index.IndexModel.CONTENTS;
import static io.kmodel.indexer.index.IndexModel.SCHEMA;
import static io.kmodel.indexer.index.IndexModel.TAGS;
import static io.kmodel.indexer.index.IndexModel.TITLE;
import static io.kmodel.indexer.index.IndexModel.WHERE;
import static io.kmodel.indexer.index.PostingsReading.checkOffsets;
import static io.kmodel.indexer.index.PostingsReading.readAll;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.index.IndexModel.Posting;
import io.kmodel.indexer.index.documents.StoredTexts;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.FieldStatistics;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.postings.PostingList;
import io.kmodel.indexer.index.verify.IndexVerifier;
import io.kmodel.indexer.index.verify.VerificationResult;
import io.kmodel.indexer.store.disk.Directories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written is read back, in every way that an index is read. */
class InvertedIndexTest {
  @Property(tries = 40)
  void whatIsWrittenIsReadBack(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 1500) int documents,
      @ForAll @IntRange(min = 0, max = 120) int terms)
      throws IOException {
    inTemporaryDirectory(
        directory -> {
          IndexModel model = IndexModel.random(seed, documents, terms);
          model.write(directory);
          check(model, directory, seed);
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 255, 256, 257, 511, 512, 513, 4096, 33_000})
  void listsOfEveryLengthAroundABlockAreReadBack(int docFreq, @TempDir Path directory)
      throws IOException {
    IndexModel model = new IndexModel(Math.max(3 * docFreq, 1000));
    Random random = new Random(docFreq);
    for (int field : new int[] {CONTENTS, TAGS, TITLE}) {
      model.add(field, "a".getBytes(UTF_8), model.randomPostings(random, field, docFreq));
      model.add(field, "b".getBytes(UTF_8), model.randomPostings(random, field, docFreq));
    }
    model.write(directory);
    check(model, directory, docFreq);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 31, 32, 33, 63, 64, 65, 1000})
  void vocabulariesOfEverySizeAroundABlockAreReadBack(int terms, @TempDir Path directory)
      throws IOException {
    IndexModel model = new IndexModel(3);
    for (int i = 0; i < terms; i++) {
      byte[] term = "%04d".formatted(i).getBytes(UTF_8);
      model.add(CONTENTS, term, List.of(new Posting(i % 3, 1, i)));
    }
    model.write(directory);
    check(model, directory, terms);
  }

  @Test
  void manyPositionsInOneDocumentAndInFewDocumentsAreReadBack(@TempDir Path directory)
      throws IOException {
    IndexModel model = new IndexModel(5);
    int[] many = new Random(1).ints(100_000, 0, Integer.MAX_VALUE).sorted().toArray();
    model.add(CONTENTS, "all".getBytes(UTF_8), List.of(new Posting(3, many.length, many)));
    model.add(
        CONTENTS,
        "both".getBytes(UTF_8),
        List.of(
            new Posting(0, 256, Arrays.copyOf(many, 256)),
            new Posting(1, 1, Integer.MAX_VALUE),
            new Posting(2, 255, Arrays.copyOf(many, 255)),
            new Posting(4, 512, Arrays.copyOf(many, 512))));
    model.add(TITLE, "max".getBytes(UTF_8), List.of(new Posting(1, Integer.MAX_VALUE)));
    model.write(directory);
    check(model, directory, 1);
  }

  @Test
  void anIndexOfNothingIsReadBack(@TempDir Path directory) throws IOException {
    IndexModel model = new IndexModel(0);
    model.write(directory);
    check(model, directory, 0);
  }

  static void check(IndexModel model, Path directory, long seed) throws IOException {
    Random random = new Random(seed);
    try (InvertedIndex index = InvertedIndex.open(directory)) {
      assertThat(index.schema()).isEqualTo(SCHEMA);
      assertThat(index.documentCount()).isEqualTo(model.documentCount);
      assertThat(index.metadata().options()).containsExactly(Map.entry("analyzer", "standard"));
      checkStatistics(model, index);
      checkLengthsAndDocuments(model, index, random);
      for (int field = 0; field < SCHEMA.size(); field++) {
        checkTerms(model, index, field);
        checkSeeks(model, index, field, random);
      }
      checkPostings(model, index, random);
      checkCursor(model, index);
      checkCursorThatLeavesOff(model, index, random);
    }
    long[] last = new long[2];
    VerificationResult result =
        IndexVerifier.verify(
            directory,
            (done, total) -> {
              assertThat(done).isBetween(last[0], total);
              last[0] = done;
              last[1] = total;
            });
    assertThat(last[0]).isEqualTo(last[1]);
    assertThat(result.terms()).isEqualTo(model.terms.size());
  }

  private static void checkStatistics(IndexModel model, InvertedIndex index) {
    for (int field = 0; field < SCHEMA.size(); field++) {
      long terms = 0;
      long postings = 0;
      long tokens = 0;
      TreeSet<Integer> documents = new TreeSet<>();
      for (var entry : termsOf(model, field).entrySet()) {
        terms++;
        for (Posting posting : entry.getValue()) {
          documents.add(posting.doc());
          postings++;
          tokens += posting.freq();
        }
      }
      assertThat(index.statistics(field))
          .isEqualTo(new FieldStatistics(terms, documents.size(), postings, tokens));
    }
  }

  private static void checkLengthsAndDocuments(IndexModel model, InvertedIndex index, Random random)
      throws IOException {
    try (StoredTexts documents = index.documents()) {
      for (int doc = 0; doc < model.documentCount; doc++) {
        assertThat(index.length(CONTENTS, doc)).isEqualTo(model.lengths[CONTENTS][doc]);
        assertThat(index.length(TAGS, doc)).isEqualTo(model.lengths[TAGS][doc]);
        assertThat(index.length(TITLE, doc)).isEqualTo(model.lengths[TITLE][doc]);
        assertThat(documents.text(doc, IndexModel.ID)).isEqualTo(IndexModel.id(doc));
      }
      for (int i = 0; i < 20 && model.documentCount > 0; i++) {
        int doc = random.nextInt(model.documentCount);
        assertThat(documents.text(doc, TITLE)).isEqualTo(IndexModel.title(doc));
      }
    }
  }

  private static void checkTerms(IndexModel model, InvertedIndex index, int field)
      throws IOException {
    TermCursor terms = index.terms(field);
    for (var entry : termsOf(model, field).entrySet()) {
      assertThat(terms.next()).isTrue();
      assertThat(term(terms)).isEqualTo(withoutField(entry.getKey()));
      checkTerm(terms, entry.getValue());
    }
    assertThat(terms.next()).isFalse();
    assertThat(terms.next()).isFalse();
    checkNumbers(terms, List.copyOf(termsOf(model, field).keySet()));
  }

  private static void checkNumbers(TermCursor terms, List<byte[]> keys) throws IOException {
    for (int i = keys.size() - 1; i >= 0; i -= 1 + keys.size() / 50) {
      assertThat(terms.seek(i)).isTrue();
      assertThat(terms.ordinal()).isEqualTo(i);
      assertThat(term(terms)).isEqualTo(withoutField(keys.get(i)));
      assertThat(terms.next()).isEqualTo(i + 1 < keys.size());
      assertThat(terms.seek(keys.get(i), 1, keys.get(i).length - 1))
          .isEqualTo(TermCursor.Seek.FOUND);
      assertThat(terms.ordinal()).isEqualTo(i);
    }
    assertThat(terms.seek(keys.size())).isFalse();
    assertThat(terms.seek(-1)).isFalse();
  }

  private static void checkTerm(TermCursor terms, List<Posting> postings) {
    assertThat(terms.docFreq()).isEqualTo(postings.size());
    assertThat(terms.totalTermFreq()).isEqualTo(postings.stream().mapToLong(Posting::freq).sum());
  }

  private static void checkSeeks(IndexModel model, InvertedIndex index, int field, Random random)
      throws IOException {
    NavigableMap<byte[], List<Posting>> expected = termsOf(model, field);
    List<byte[]> keys = new ArrayList<>(expected.keySet());
    TermCursor terms = index.terms(field);
    for (int i = 0; i < 300; i++) {
      byte[] key = IndexModel.key(field);
      if (!keys.isEmpty() && random.nextInt(10) > 0) {
        key = keys.get(random.nextInt(keys.size())).clone();
        int change = random.nextInt(4);
        if (change == 0) {
          key = Arrays.copyOf(key, key.length + 1);
        } else if (change == 1 && key.length > 1) {
          key = Arrays.copyOf(key, key.length - 1);
        } else if (change == 2 && key.length > 1) {
          key[key.length - 1]++;
        }
      }
      byte[] found = expected.ceilingKey(key);
      TermCursor.Seek seek = terms.seek(key, 1, key.length - 1);
      if (found == null) {
        assertThat(seek).isEqualTo(TermCursor.Seek.END);
        assertThat(terms.next()).isEqualTo(!keys.isEmpty());
        continue;
      }
      assertThat(seek)
          .isEqualTo(Arrays.equals(found, key) ? TermCursor.Seek.FOUND : TermCursor.Seek.NOT_FOUND);
      assertThat(term(terms)).isEqualTo(withoutField(found));
      Map.Entry<byte[], List<Posting>> next = expected.higherEntry(found);
      if (random.nextBoolean()) {
        assertThat(terms.next()).isEqualTo(next != null);
        if (next != null) {
          assertThat(term(terms)).isEqualTo(withoutField(next.getKey()));
          checkTerm(terms, next.getValue());
        }
      }
    }
  }

  /** What is known of a list beside its postings. */
  private record Expected(int documentCount, boolean offsets) {}

  private static void checkPostings(IndexModel model, InvertedIndex index, Random random)
      throws IOException {
    PostingList list = null;
    TermCursor[] terms = new TermCursor[SCHEMA.size()];
    for (int field = 0; field < terms.length; field++) {
      terms[field] = index.terms(field);
    }
    for (var entry : model.terms.entrySet()) {
      byte[] key = entry.getKey();
      List<Posting> postings = entry.getValue();
      if (key[0] == IndexModel.ID && random.nextInt(50) > 0) {
        continue;
      }
      TermCursor cursor = terms[key[0]];
      assertThat(cursor.seek(key, 1, key.length - 1)).isEqualTo(TermCursor.Seek.FOUND);
      list = cursor.postings(list, Detail.OFFSETS);
      assertThat(list.cost()).isEqualTo(postings.size());
      assertThat(readAll(list, key[0])).isEqualTo(postings);
      for (int i = 0; i < 3; i++) {
        Detail wanted = random.nextBoolean() ? Detail.OFFSETS : Detail.POSITIONS;
        list = cursor.postings(list, wanted);
        boolean offsets = wanted.hasOffsets() && key[0] == WHERE;
        checkAdvances(list, postings, random, new Expected(model.documentCount, offsets));
      }
    }
  }

  /** Random steps and jumps, against the sorted set of the documents. */
  private static void checkAdvances(
      PostingList list, List<Posting> postings, Random random, Expected of) throws IOException {
    TreeMap<Integer, Posting> oracle = new TreeMap<>();
    postings.forEach(p -> oracle.put(p.doc(), p));
    int reach = 1 << random.nextInt(18);
    while (list.docId() != PostingList.END) {
      int target = list.docId() + 1;
      int found;
      if (random.nextInt(3) == 0) {
        found = list.nextDoc();
      } else {
        target = (int) Math.min(of.documentCount + 5L, (long) target + random.nextInt(reach));
        found = list.advance(target);
      }
      Integer expected = oracle.ceilingKey(target);
      assertThat(found).isEqualTo(expected == null ? PostingList.END : expected);
      assertThat(list.docId()).isEqualTo(found);
      if (expected != null && random.nextBoolean()) {
        checkOccurrences(list, oracle.get(expected), random, of.offsets);
      }
    }
  }

  private static void checkOccurrences(
      PostingList list, @Nullable Posting expected, Random random, boolean offsets)
      throws IOException {
    assertThat(expected).isNotNull();
    if (expected == null) {
      return;
    }
    if (random.nextBoolean()) {
      assertThat(list.freq()).isEqualTo(expected.freq());
    }
    int read = random.nextInt(expected.positions().length() + 1);
    for (int i = 0; i < read; i++) {
      int position = expected.positions().get(i);
      assertThat(list.nextPosition()).isEqualTo(position);
      checkOffsets(list, position, offsets);
    }
  }

  private static void checkCursor(IndexModel model, InvertedIndex index) throws IOException {
    try (PostingsCursor cursor = index.cursor()) {
      for (var entry : model.terms.entrySet()) {
        assertThat(cursor.nextTerm()).isTrue();
        assertThat(Arrays.copyOf(cursor.term(), cursor.termLength())).isEqualTo(entry.getKey());
        assertThat(cursor.docFreq()).isEqualTo(entry.getValue().size());
        assertThat(readAll(cursor, entry.getKey()[0])).isEqualTo(entry.getValue());
      }
      assertThat(cursor.nextTerm()).isFalse();
    }
  }

  private static void checkCursorThatLeavesOff(IndexModel model, InvertedIndex index, Random random)
      throws IOException {
    int[] docs = new int[PostingsCursor.BLOCK];
    int[] freqs = new int[PostingsCursor.BLOCK];
    int[] deltas = new int[PostingsCursor.COLUMNS];
    try (PostingsCursor cursor = index.cursor()) {
      for (var entry : model.terms.entrySet()) {
        assertThat(cursor.nextTerm()).isTrue();
        List<Posting> postings = entry.getValue();
        int read = random.nextInt(postings.size() + 2);
        for (int at = 0; at < read; ) {
          int n = cursor.nextDocs(docs, freqs);
          if (n == 0) {
            assertThat(at).isEqualTo(postings.size());
            break;
          }
          assertThat(docs[0]).isEqualTo(postings.get(at).doc());
          if (random.nextInt(3) == 0 && cursor.nextPositions(deltas) > 0) {
            assertThat(deltas[0]).isEqualTo(postings.get(at).positions().get(0));
          }
          at += n;
        }
      }
    }
  }

  private static NavigableMap<byte[], List<Posting>> termsOf(IndexModel model, int field) {
    return new TreeMap<>(
        model.terms.subMap(IndexModel.key(field), true, IndexModel.key(field + 1), false));
  }

  private static byte[] term(TermCursor terms) {
    return Arrays.copyOfRange(
        terms.term(), terms.termOffset(), terms.termOffset() + terms.termLength());
  }

  private static byte[] withoutField(byte[] key) {
    return Arrays.copyOfRange(key, 1, key.length);
  }

  /** What a test does in a directory. */
  interface Work {
    void in(Path directory) throws IOException;
  }

  /** For properties, each of whose tries wants a directory of its own. */
  static void inTemporaryDirectory(Work work) throws IOException {
    Path directory = Files.createTempDirectory("index");
    try {
      work.in(directory);
    } finally {
      Directories.deleteTree(directory);
    }
  }

  static List<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(f -> f.getFileName().toString()).sorted().toList();
    }
  }
}
