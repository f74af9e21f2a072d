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

import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.run.RecordedPostings.Token;
import io.kmodel.indexer.sort.AlteredCpuStage;
import io.kmodel.indexer.sort.CountedKeys;
import io.kmodel.indexer.sort.CountingOrder;
import io.kmodel.indexer.sort.CpuSortStage;
import io.kmodel.indexer.sort.KeyOrder;
import io.kmodel.indexer.sort.KeySorter;
import io.kmodel.indexer.sort.OrderedKeys;
import io.kmodel.indexer.sort.RadixKeySorter;
import io.kmodel.indexer.sort.SortStages;
import io.kmodel.indexer.sort.SortedKeys;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What {@link RunBuilding#assertRun} does not check: when keys are counted, and how often. */
class CountedListsTest {
  /** Counts keys when they are awaited, or sorts them into the scratch; a test can reach them. */
  private static final class Late extends AlteredCpuStage {
    private @Nullable MemorySegment keys;
    private boolean hadCounters;
    private boolean sortsAside;

    @Override
    public Ticket submit(Job job) {
      keys = job.keys();
      hadCounters = job.counters() != null;
      return new Ticket() {
        @Override
        public OrderedKeys await() throws InterruptedException {
          return sortsAside ? aside(job) : new CountingOrder().submit(job).await();
        }

        @Override
        public void settle() {}
      };
    }

    private static OrderedKeys aside(Job job) {
      new RadixKeySorter()
          .sort(job.keys(), job.count(), job.scratch(), job.orderedBits(), job.highBit());
      MemorySegment.copy(job.keys(), 0, job.scratch(), 0, 8 * job.count());
      return new SortedKeys(
          /* keys= */ job.scratch(), /* scratch= */ job.keys(), /* byDevice= */ true);
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
  }

  /** A list with one key fewer than counted contains a key of another term, or garbage. */
  @Test
  void keysThatChangeAfterTheyWereCountedAreFoundOut() throws Exception {
    for (Schema schema : List.of(SCHEMA, WITHOUT_POSITIONS)) {
      KeyLayout layout = KeyLayout.usual(schema);
      try (RunBuilder builder = new RunBuilder(schema, SMALLEST)) {
        Late stage = new Late();
        add(schema, builder, contents(List.of("b", "a", "b", "c")));
        builder.startSort(stage);
        builder.finishSort();
        assertThat(stage.hadCounters).isTrue();
        assertThat(stage.keys).isNotNull();
        // The second "b" becomes an "a".
        stage.keys.setAtIndex(ValueLayout.JAVA_LONG, 2, layout.pack(1, 0, 0));
        PostingsCursor lists = builder.cursor();
        assertThatThrownBy(lists::nextTerm)
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("1 keys of a term were counted, but others were moved");
        assertThatThrownBy(() -> builder.copy(bytes -> true))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("keys of a term were counted, but others were moved");
      }
    }
  }

  /** The ends of the two lists are swapped, so that a plain sum of the ends would not change. */
  @Test
  void aTermThatLosesItsOnlyKeyToTheOneBeforeItIsFoundOut() throws Exception {
    try (RunBuilder builder = new RunBuilder(SCHEMA, SMALLEST)) {
      Late stage = new Late();
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
          .hasMessageContaining("2 keys of a term were counted, but others were moved");
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

  /** The next run starts afresh, even if it is sorted instead of counted. */
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
        CpuSortStage stage = new CpuSortStage(SortStages.onCpu(sorter))) {
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
      Late asked = new Late();
      builder.startSort(asked);
      assertThat(asked.hadCounters).isFalse();
      assertThatThrownBy(builder::finishSort)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("keys without counters cannot be counted");
    }
  }

  @Test
  void aKeyOfATermThatThereIsNotIsFoundOutWhenItIsCounted() {
    for (long key : new long[] {-1, KeyLayout.POSITIONS.pack(2, 0, 0)}) {
      try (RunBuilder builder = new RunBuilder(SCHEMA, SMALLEST)) {
        add(builder, contents(List.of("a", "b")));
        Late stage = new Late();
        builder.startSort(stage);
        assertThat(stage.keys).isNotNull();
        stage.keys.setAtIndex(ValueLayout.JAVA_LONG, 1, key);
        assertThatThrownBy(builder::finishSort)
            .isInstanceOf(IllegalStateException.class)
            .hasMessage("a key has termID %d, but there are only 2 terms", key >>> 40);
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

  /** One stage counts, the next one sorts into the scratch, like a device. */
  @Test
  void keysAndScratchMayChangePlacesBetweenRunsThatAreCounted() throws Exception {
    try (RunBuilder builder = new RunBuilder(SCHEMA, SMALLEST)) {
      for (int round = 0; round < 4; round++) {
        List<List<Token>> documents = fill(builder, 3, 20 + round, 30);
        Late stage = new Late();
        stage.sortsAside = round % 2 == 1;
        builder.startSort(stage);
        assertThat(stage.hadCounters).isTrue();
        assertThat(builder.finishSort()).isEqualTo(stage.sortsAside);
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
  void wantsItsMemory() throws Exception {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(TermDictionary.MIN_BYTES, 8);
      TermDictionary dictionary = new TermDictionary(memory, 1000, () -> 1);
      while (dictionary.rest().byteSize() >= CountedLists.bytes(dictionary.size())) {
        byte[] term = Integer.toString(dictionary.size()).getBytes(StandardCharsets.UTF_8);
        dictionary.intern(0, term, 0, term.length);
      }
      OffsetLists.Run run = new OffsetLists.Run(SCHEMA, KeyLayout.POSITIONS, dictionary);
      MemorySegment none = arena.allocate(0, 8);
      MemorySegment counters = arena.allocate(CountedLists.counterBytes(dictionary.size()), 8);
      KeyOrder.Job job = new KeyOrder.Job(none, none, 0, 40, 62, counters);
      CountedKeys counted = (CountedKeys) new CountingOrder().submit(job).await();
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new CountedLists(run, counted))
          .withMessage(
              "%d terms need %d bytes to be put in order; got %d"
                  .formatted(
                      dictionary.size(),
                      CountedLists.bytes(dictionary.size()),
                      dictionary.rest().byteSize()));
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
