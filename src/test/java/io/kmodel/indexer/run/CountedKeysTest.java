package io.kmodel.indexer.run;

import static io.kmodel.indexer.run.RunBuilding.CONTENTS;
import static io.kmodel.indexer.run.RunBuilding.SCHEMA;
import static io.kmodel.indexer.run.RunBuilding.SMALLEST;
import static io.kmodel.indexer.run.RunBuilding.WITHOUT_POSITIONS;
import static io.kmodel.indexer.run.RunBuilding.WITH_OFFSETS;
import static io.kmodel.indexer.run.RunBuilding.add;
import static io.kmodel.indexer.run.RunBuilding.assertLists;
import static io.kmodel.indexer.run.RunBuilding.assertRun;
import static io.kmodel.indexer.run.RunBuilding.begin;
import static io.kmodel.indexer.run.RunBuilding.contents;
import static io.kmodel.indexer.run.RunBuilding.count;
import static io.kmodel.indexer.run.RunBuilding.token;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.index.PostingsCursor;
import io.kmodel.indexer.index.Schema;
import io.kmodel.indexer.run.RecordedPostings.Token;
import io.kmodel.indexer.sort.AlteredCpuStage;
import io.kmodel.indexer.sort.CpuSortStage;
import io.kmodel.indexer.sort.KeySorter;
import io.kmodel.indexer.sort.RadixKeySorter;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What {@link RunBuilding#assertRun} does not look at: who counts, how often, and what if not. */
class CountedKeysTest {
  /** A stage that leaves all keys, or sorts them into the scratch; a test can get at them. */
  private static final class Leaving extends AlteredCpuStage {
    private @Nullable MemorySegment keys;
    private boolean wasAllowed;
    private boolean sortsAside;

    @Override
    public Ticket submit(Job job) {
      keys = job.keys();
      wasAllowed = job.mayBeLeft();
      Sorted sorted = sortsAside ? aside(job) : new Sorted(job.keys(), job.scratch(), true);
      return new Ticket() {
        @Override
        public Sorted await() {
          return sorted;
        }

        @Override
        public void settle() {}
      };
    }

    private static Sorted aside(Job job) {
      new RadixKeySorter()
          .sort(job.keys(), job.count(), job.scratch(), job.orderedBits(), job.highBit());
      MemorySegment.copy(job.keys(), 0, job.scratch(), 0, 8 * job.count());
      return new Sorted(/* keys= */ job.scratch(), /* scratch= */ job.keys());
    }
  }

  private static final class Sorting implements KeySorter {
    private final KeySorter radix = new RadixKeySorter();
    private int sorts;

    @Override
    public void sort(
        MemorySegment keys, long count, MemorySegment scratch, int lowBit, int highBit) {
      sorts++;
      radix.sort(keys, count, scratch, lowBit, highBit);
    }

    @Override
    public boolean isStable() {
      return true;
    }

    @Override
    public String name() {
      return "counted";
    }
  }

  /** A list that has one key less than were counted has one of another, or of nothing. */
  @Test
  void keysThatChangeAfterTheyWereCountedAreFoundOut() throws Exception {
    for (Schema schema : List.of(SCHEMA, WITHOUT_POSITIONS)) {
      KeyLayout layout = KeyLayout.usual(schema);
      try (RunBuilder builder = new RunBuilder(schema, SMALLEST)) {
        Leaving stage = new Leaving();
        add(schema, builder, contents(List.of("b", "a", "b", "c")));
        builder.startSort(stage);
        builder.finishSort();
        assertThat(stage.wasAllowed).isTrue();
        assertThat(stage.keys).isNotNull();
        // The second "b" becomes an "a".
        stage.keys.setAtIndex(ValueLayout.JAVA_LONG, 2, layout.pack(1, 0, 0));
        PostingsCursor lists = builder.cursor();
        assertThatThrownBy(lists::nextTerm)
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("1 keys of a term were counted, and others moved");
        assertThatThrownBy(() -> builder.copy(bytes -> true))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("keys of a term were counted, and others moved");
      }
    }
  }

  /** The lists' ends change places then: the sum of where they are would be the same. */
  @Test
  void aTermThatLosesItsOnlyKeyToTheOneBeforeItIsFoundOut() throws Exception {
    try (RunBuilder builder = new RunBuilder(SCHEMA, SMALLEST)) {
      Leaving stage = new Leaving();
      add(builder, contents(List.of("c", "b", "a", "b")));
      builder.startSort(stage);
      builder.finishSort();
      assertThat(stage.keys).isNotNull();
      // The "c" becomes a "b".
      stage.keys.setAtIndex(ValueLayout.JAVA_LONG, 0, KeyLayout.POSITIONS.pack(1, 0, 0));
      PostingsCursor lists = builder.cursor();
      assertThat(lists.nextTerm()).isTrue();
      assertThatThrownBy(lists::nextTerm)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("2 keys of a term were counted, and others moved");
      assertThatThrownBy(() -> builder.copy(bytes -> true))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void listsAreMovedAsOftenAsTheyAreWanted() throws IOException {
    try (RunBuilder builder = new RunBuilder(SCHEMA, 4 << 20)) {
      List<List<Token>> documents = fill(builder, 40, 200, 300);
      count(builder);
      builder.checkOrder();
      List<String> expected = RecordedPostings.oracle(SCHEMA, documents);
      for (int gone = 0; gone < 3; gone++) {
        PostingsCursor left = builder.cursor();
        for (int i = 0; i < 40 * gone; i++) {
          assertThat(left.nextTerm()).isTrue();
        }
        try (MemoryRun copy = builder.copy(bytes -> true)) {
          assertThat(copy).isNotNull();
          assertThat(RecordedPostings.of(copy.cursor(null, null, 0), SCHEMA)).isEqualTo(expected);
        }
        PostingsCursor all = builder.cursor();
        assertThat(RecordedPostings.of(all, SCHEMA)).isEqualTo(expected);
        assertThat(all.nextTerm()).isFalse();
      }
    }
  }

  /** The next run begins without what was known of this one, also if it is sorted. */
  @Test
  void theNextRunHasItsOwn() throws IOException {
    try (RunBuilder builder = new RunBuilder(SCHEMA, SMALLEST)) {
      for (int round = 0; round < 4; round++) {
        List<List<Token>> documents = fill(builder, 3, 20 + round, 30);
        if (round % 2 == 0) {
          count(builder);
        } else {
          builder.sort(new RadixKeySorter());
        }
        assertLists(builder, documents);
        builder.reset();
      }
    }
  }

  /** Every term is new, so the dictionary is full before there are many keys. */
  @Test
  void whereTheDictionaryHasNoRoomLeftTheKeysAreSorted() throws Exception {
    Sorting sorter = new Sorting();
    try (RunBuilder builder = new RunBuilder(SCHEMA, SMALLEST);
        CpuSortStage stage = new CpuSortStage(sorter)) {
      List<List<Token>> documents = new ArrayList<>();
      List<Token> document;
      do {
        int number = documents.size();
        document = contents(List.of("term" + number, "other" + number));
        documents.add(document);
      } while (add(builder, document) == Outcome.ADDED);
      documents.removeLast();
      builder.startSort(stage);
      assertThat(sorter.sorts).isEqualTo(1);
      builder.finishSort();
      assertThat(RecordedPostings.of(builder.cursor(), SCHEMA))
          .isEqualTo(RecordedPostings.oracle(SCHEMA, documents));
    }
  }

  @Test
  void keysWithOffsetsAreSorted() throws Exception {
    try (RunBuilder builder = new RunBuilder(WITH_OFFSETS, 1 << 20)) {
      add(WITH_OFFSETS, builder, contents(List.of("a")));
      Leaving asked = new Leaving();
      builder.startSort(asked);
      assertThat(asked.wasAllowed).isFalse();
      assertThatThrownBy(builder::finishSort)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("keys were left that had to be sorted");
    }
  }

  @Test
  void aKeyOfATermThatThereIsNotIsFoundOutWhenItIsCounted() {
    for (long key : new long[] {-1, KeyLayout.POSITIONS.pack(2, 0, 0)}) {
      try (RunBuilder builder = new RunBuilder(SCHEMA, SMALLEST)) {
        add(builder, contents(List.of("a", "b")));
        Leaving stage = new Leaving();
        builder.startSort(stage);
        assertThat(stage.keys).isNotNull();
        stage.keys.setAtIndex(ValueLayout.JAVA_LONG, 1, key);
        assertThatThrownBy(builder::finishSort)
            .isInstanceOf(IllegalStateException.class)
            .hasMessage("a key with termID %d, where there are 2 terms", key >>> 40);
      }
    }
  }

  @Test
  void termsOfDocumentsThatWereGivenUpHaveNoLists() throws IOException {
    try (RunBuilder builder = new RunBuilder(SCHEMA, SMALLEST)) {
      List<Token> first = contents(List.of("y"));
      add(builder, first);
      begin(SCHEMA, builder, contents(List.of("x", "b")));
      builder.abandonDocument();
      List<Token> document = contents(List.of("c", "b", "a"));
      add(builder, document);
      count(builder);
      assertThat(builder.distinctTerms()).isEqualTo(5);
      assertLists(builder, List.of(first, document));
    }
  }

  /** 4,096 documents and positions of 20 bits fill four bytes; one document more needs five. */
  @Test
  void documentsAndPositionsOfWhichAllBytesOfAKeyTellComeBack() throws IOException {
    for (int others : new int[] {4095, 4096, 9000}) {
      try (RunBuilder builder = new RunBuilder(SCHEMA, 8 << 20)) {
        List<List<Token>> documents = fill(builder, others, 1, 20);
        List<Token> last =
            List.of(
                token(CONTENTS, "w", 3), token(CONTENTS, "w", KeyLayout.POSITIONS.maxPosition()));
        add(builder, last);
        documents.add(last);
        assertRun(SCHEMA, builder, new RadixKeySorter(), documents);
      }
    }
  }

  /** A stage that has sorted into the scratch, as devices do, after one that has left the keys. */
  @Test
  void keysAndScratchMayChangePlacesBetweenRunsThatAreCounted() throws Exception {
    try (RunBuilder builder = new RunBuilder(SCHEMA, SMALLEST)) {
      for (int round = 0; round < 4; round++) {
        List<List<Token>> documents = fill(builder, 3, 20 + round, 30);
        Leaving stage = new Leaving();
        stage.sortsAside = round % 2 == 1;
        builder.startSort(stage);
        assertThat(builder.finishSort()).isEqualTo(round % 2 == 0);
        assertThat(RecordedPostings.of(builder.cursor(), SCHEMA))
            .isEqualTo(RecordedPostings.oracle(SCHEMA, documents));
        builder.reset();
      }
    }
  }

  @Test
  void aRunWithoutTokensHasNoLists() throws IOException {
    try (RunBuilder builder = new RunBuilder(SCHEMA, SMALLEST)) {
      List<List<Token>> documents = List.of(List.of(), List.of());
      documents.forEach(document -> add(builder, document));
      assertRun(SCHEMA, builder, new RadixKeySorter(), documents);
    }
  }

  @Test
  void wantsItsMemory() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(TermDictionary.MIN_BYTES, 8);
      TermDictionary dictionary = new TermDictionary(memory, 100, () -> 1);
      dictionary.intern(0, new byte[] {'a'}, 0, 1);
      OffsetKeys.Run run = new OffsetKeys.Run(SCHEMA, KeyLayout.POSITIONS, dictionary);
      MemorySegment small = arena.allocate(CountedKeys.bytes(1) - 8, 8);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new CountedKeys(run, arena.allocate(0, 8), small))
          .withMessageContaining("1 terms need 24 bytes to be counted; got 16");
    }
  }

  /** Adds random documents, and returns them. */
  private static List<List<Token>> fill(RunBuilder builder, int count, int tokens, int terms) {
    SplittableRandom random = new SplittableRandom(tokens);
    List<List<Token>> documents = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      List<String> words = new ArrayList<>();
      for (int j = 0; j < tokens; j++) {
        words.add("w".repeat(random.nextInt(20)) + random.nextInt(1 + random.nextInt(terms)));
      }
      List<Token> document = contents(words);
      documents.add(document);
      add(builder, document);
    }
    return documents;
  }
}
