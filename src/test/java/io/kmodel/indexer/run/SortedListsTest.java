package io.kmodel.indexer.run;

import static io.kmodel.indexer.run.RunBuilding.ID;
import static io.kmodel.indexer.run.RunBuilding.SCHEMA;
import static io.kmodel.indexer.run.RunBuilding.SMALLEST;
import static io.kmodel.indexer.run.RunBuilding.WITHOUT_POSITIONS;
import static io.kmodel.indexer.run.RunBuilding.WITH_OFFSETS;
import static io.kmodel.indexer.run.RunBuilding.add;
import static io.kmodel.indexer.run.RunBuilding.assertLists;
import static io.kmodel.indexer.run.RunBuilding.assertRun;
import static io.kmodel.indexer.run.RunBuilding.begin;
import static io.kmodel.indexer.run.RunBuilding.contents;
import static io.kmodel.indexer.run.RunBuilding.token;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.run.RecordedPostings.Token;
import io.kmodel.indexer.sort.KeySorter;
import io.kmodel.indexer.sort.RadixKeySorter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.ObjLongConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Detects failures of sorters, and finds the ends of lists and blocks. */
class SortedListsTest {
  @Test
  void aSorterThatFailsIsFoundOut() {
    assertFoundOut(SCHEMA, (keys, count) -> {}, "keys out of order", "at key 2");
    assertFoundOut(SCHEMA, SortedListsTest::swapFirst, "keys out of order", "at key 1");
  }

  /** In both layouts, for arbitrary bits of a key. */
  @Test
  void keysThatNoTermHasAreFoundOut() {
    for (Schema schema : List.of(SCHEMA, WITHOUT_POSITIONS)) {
      KeyLayout layout = KeyLayout.usual(schema);
      for (long bad :
          new long[] {
            layout.pack(2, 0, 0), 1L << 62, 3L << 62, Long.MAX_VALUE, -1, Long.MIN_VALUE,
          }) {
        String first = "termID " + (bad >>> layout.termShift()) + " ";
        assertFoundOut(schema, (keys, count) -> put(keys, count, 0, bad), first);
        assertFoundOut(
            schema,
            (keys, count) -> put(keys, count, count - 1, bad),
            bad < 0 ? "keys out of order" : first);
      }
    }
  }

  /** Uses the terms "a", "b" and "a" again, sorted or not. */
  private static void assertFoundOut(
      Schema schema, ObjLongConsumer<MemorySegment> sorting, String... saying) {
    KeySorter broken =
        new KeySorter() {
          @Override
          public void sort(
              MemorySegment keys, long count, MemorySegment scratch, int lowBit, int highBit) {
            sorting.accept(keys, count);
          }

          @Override
          public boolean isStable() {
            return true;
          }
        };
    try (RunBuilder builder = new RunBuilder(schema, SMALLEST)) {
      assertThat(add(schema, builder, contents(List.of("a", "b", "a")))).isEqualTo(Outcome.ADDED);
      builder.sort(broken);
      assertTimeoutPreemptively(
          Duration.ofSeconds(20),
          () -> {
            assertThatThrownBy(builder::checkOrder)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll(saying);
            assertThatThrownBy(() -> builder.cursor().nextTerm())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll(saying);
          });
    }
  }

  /** Sorts, then replaces one key. */
  private static void put(MemorySegment keys, long count, long place, long key) {
    sort(keys, count);
    keys.setAtIndex(ValueLayout.JAVA_LONG, place, key);
  }

  /** Order is checked within a term, too: both keys have the first term. */
  private static void swapFirst(MemorySegment keys, long count) {
    sort(keys, count);
    long first = keys.getAtIndex(ValueLayout.JAVA_LONG, 0);
    keys.setAtIndex(ValueLayout.JAVA_LONG, 0, keys.getAtIndex(ValueLayout.JAVA_LONG, 1));
    keys.setAtIndex(ValueLayout.JAVA_LONG, 1, first);
  }

  private static void sort(MemorySegment keys, long count) {
    new RadixKeySorter().sort(keys, count, keys.asSlice(8 * count), 0, 62);
  }

  /** The scratch has the order of terms, and the end of each term's keys. */
  @Test
  void theScratchHoldsAsManyTermsAsThereMayBe() throws IOException {
    for (long bytes = 98_368; bytes < 98_368 + 640; bytes += 64) {
      long most = SortedLists.maxTerms(RunMemory.of(WITH_OFFSETS, bytes).keysBytes());
      try (RunBuilder builder = new RunBuilder(WITH_OFFSETS, bytes)) {
        List<List<Token>> documents = new ArrayList<>();
        List<Token> document;
        do {
          // Documents of ten terms, because there is room for fewer documents than terms.
          int first = 10 * documents.size();
          document = contents(IntStream.range(first, first + 10).mapToObj(i -> "t" + i).toList());
          documents.add(document);
        } while (add(WITH_OFFSETS, builder, document) == Outcome.ADDED);
        documents.removeLast();
        assertThat(builder.distinctTerms()).isEqualTo((int) most);
        assertRun(WITH_OFFSETS, builder, new RadixKeySorter(), documents);
      }
    }
  }

  @Test
  void whatWasNotedOfARunIsForgottenWithIt() throws IOException {
    try (RunBuilder builder = new RunBuilder(SCHEMA, SMALLEST)) {
      add(builder, contents(List.of("a", "b", "c", "c")));
      builder.sort(new RadixKeySorter());
      builder.checkOrder();
      builder.reset();
      List<Token> document = contents(List.of("c", "c", "c", "a", "b"));
      add(builder, document);
      builder.sort(new RadixKeySorter());
      assertLists(builder, List.of(document));
    }
  }

  @Test
  void termsOfDocumentsThatWereGivenUpHaveNoLists() throws IOException {
    try (RunBuilder builder = new RunBuilder(SCHEMA, SMALLEST)) {
      List<List<Token>> documents = new ArrayList<>();
      for (String words : List.of("-x y", "b a", "-z x", "c y b", "-q w", "-r")) {
        boolean givenUp = words.startsWith("-");
        List<Token> document = contents(List.of(words.substring(givenUp ? 1 : 0).split(" ")));
        if (givenUp) {
          begin(SCHEMA, builder, document);
          builder.abandonDocument();
        } else {
          assertThat(add(builder, document)).isEqualTo(Outcome.ADDED);
          documents.add(document);
        }
      }
      assertThat(builder.distinctTerms()).isGreaterThan(4);
      assertRun(SCHEMA, builder, new RadixKeySorter(), documents);
    }
  }

  /** A cursor returns 256 documents or positions at a time. */
  @Test
  void documentsKeepAllTheirTokensWhereverABlockEnds() throws IOException {
    for (Schema schema : List.of(SCHEMA, WITHOUT_POSITIONS, WITH_OFFSETS)) {
      try (RunBuilder builder = new RunBuilder(schema, 4 << 20)) {
        List<List<Token>> documents = new ArrayList<>();
        for (int doc = 0; doc < 1100; doc++) {
          int times = doc % 256 == 255 ? 600 : doc % 256 == 0 ? 257 : 1 + doc % 3;
          List<String> words = new ArrayList<>(Collections.nCopies(times, "a"));
          words.addAll(Collections.nCopies(doc % 2, "b"));
          List<Token> document = contents(words);
          // In a field without frequencies, too.
          document.add(token(ID, "i", 0));
          document.add(token(ID, "i", 1));
          documents.add(document);
          assertThat(add(schema, builder, documents.getLast())).isEqualTo(Outcome.ADDED);
        }
        assertRun(schema, builder, new RadixKeySorter(), documents);
      }
    }
  }
}
