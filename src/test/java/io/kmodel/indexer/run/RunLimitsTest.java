package io.kmodel.indexer.run;

import static io.kmodel.indexer.run.RunBuilding.CONTENTS;
import static io.kmodel.indexer.run.RunBuilding.SCHEMA;
import static io.kmodel.indexer.run.RunBuilding.SMALLEST;
import static io.kmodel.indexer.run.RunBuilding.WITHOUT_POSITIONS;
import static io.kmodel.indexer.run.RunBuilding.WITH_OFFSETS;
import static io.kmodel.indexer.run.RunBuilding.add;
import static io.kmodel.indexer.run.RunBuilding.assertRun;
import static io.kmodel.indexer.run.RunBuilding.begin;
import static io.kmodel.indexer.run.RunBuilding.contents;
import static io.kmodel.indexer.run.RunBuilding.token;
import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.Tier;
import io.kmodel.indexer.run.RecordedPostings.Token;
import io.kmodel.indexer.sort.RadixKeySorter;
import io.kmodel.indexer.store.LittleEndian;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** When a run is full, and which documents get a separate run or do not fit any. */
class RunLimitsTest {
  @Test
  void aRunEndsWhenItsKeysAreFullAndTheDocumentGoesIntoTheNext() throws IOException {
    try (RunBuilder builder = new RunBuilder(SCHEMA, SMALLEST)) {
      List<Token> document = contents(IntStream.range(0, 500).mapToObj(i -> "w" + i % 10).toList());
      List<List<Token>> run = new ArrayList<>();
      while (add(builder, document) == Outcome.ADDED) {
        run.add(document);
      }
      assertThat(run).hasSizeBetween(3, 10);
      assertThat(builder.tokenCount()).isEqualTo(500L * run.size());
      assertThat(builder.distinctTerms()).isEqualTo(10);
      assertRun(SCHEMA, builder, new RadixKeySorter(), run);
      builder.reset();
      assertThat(builder.documentCount()).isZero();
      assertThat(add(builder, document)).isEqualTo(Outcome.ADDED);
      assertRun(SCHEMA, builder, new RadixKeySorter(), List.of(document));
    }
  }

  @Test
  void aRunEndsWhenItsDictionaryIsFull() throws IOException {
    try (RunBuilder builder = new RunBuilder(SCHEMA, SMALLEST)) {
      List<List<Token>> run = new ArrayList<>();
      int terms = 0;
      while (true) {
        int first = terms;
        List<Token> document =
            contents(
                IntStream.range(first, first + 20).mapToObj(i -> "a longer word " + i).toList());
        if (add(builder, document) == Outcome.RUN_FULL) {
          break;
        }
        run.add(document);
        terms += 20;
      }
      assertThat(terms).isBetween(100, 1000);
      assertThat(builder.tokenCount()).isEqualTo(terms);
      assertRun(SCHEMA, builder, new RadixKeySorter(), run);
    }
  }

  @Test
  void aRunEndsWhenTheLengthsOfItsDocumentsAreFull() throws IOException {
    try (RunBuilder builder = new RunBuilder(SCHEMA, SMALLEST)) {
      List<List<Token>> run = new ArrayList<>();
      List<Token> empty = List.of();
      while (add(builder, empty) == Outcome.ADDED) {
        run.add(empty);
      }
      assertThat((long) run.size()).isEqualTo(RunMemory.of(SCHEMA, SMALLEST).lengthsBytes() / 8);
      assertRun(SCHEMA, builder, new RadixKeySorter(), run);
      builder.reset();
      assertThat(add(builder, empty)).isEqualTo(Outcome.ADDED);
    }
  }

  @Test
  void aRunEndsWhenItsDocumentNumbersAreUsedUp() throws IOException {
    try (RunBuilder builder = new RunBuilder(SCHEMA, 256 << 20)) {
      List<Token> document = contents(List.of("a"));
      int documents = 0;
      while (add(builder, document) == Outcome.ADDED) {
        documents++;
      }
      assertThat(documents).isEqualTo(1 << 20);
      builder.sort(new RadixKeySorter());
      builder.checkOrder();
    }
  }

  @Test
  void aDocumentWithAHugePositionGetsARunOfItsOwn() throws IOException {
    try (RunBuilder builder = new RunBuilder(SCHEMA, SMALLEST)) {
      List<Token> usual = contents(List.of("a", "b", "a"));
      List<Token> atLimit = List.of(token(CONTENTS, "a", 5), token(CONTENTS, "a", (1 << 20) - 1));
      List<Token> huge =
          List.of(
              token(CONTENTS, "a", 5),
              token(CONTENTS, "a", 1 << 20),
              token(CONTENTS, "c", Integer.MAX_VALUE));
      assertThat(add(builder, usual)).isEqualTo(Outcome.ADDED);
      assertThat(add(builder, atLimit)).isEqualTo(Outcome.ADDED);
      assertThat(add(builder, huge)).isEqualTo(Outcome.RUN_FULL);
      assertRun(SCHEMA, builder, new RadixKeySorter(), List.of(usual, atLimit));
      builder.reset();
      assertThat(add(builder, huge)).isEqualTo(Outcome.ADDED);
      assertThat(add(builder, usual)).isEqualTo(Outcome.RUN_FULL);
      assertRun(SCHEMA, builder, new RadixKeySorter(), List.of(huge));
      builder.reset();
      assertThat(add(builder, usual)).isEqualTo(Outcome.ADDED);
      assertThat(add(builder, usual)).as("the usual layout again").isEqualTo(Outcome.ADDED);
    }
  }

  @Test
  void aDocumentWithMoreTermsThanUsualRunsHoldGetsARunOfItsOwn() throws IOException {
    int terms = (1 << 22) + 1;
    try (RunBuilder builder = new RunBuilder(SCHEMA, 1L << 30)) {
      assertThat(add(builder, contents(List.of("a")))).isEqualTo(Outcome.ADDED);
      assertThat(addNumbers(builder, terms)).as("beside another").isEqualTo(Outcome.RUN_FULL);
      builder.reset();
      assertThat(addNumbers(builder, terms)).as("alone").isEqualTo(Outcome.RUN_FULL);
      builder.reset();
      assertThat(addNumbers(builder, terms)).as("in the wide layout").isEqualTo(Outcome.ADDED);
      assertThat(builder.tokenCount()).isEqualTo(terms);
      builder.sort(new RadixKeySorter());
      builder.checkOrder();
      builder.reset();
      assertThat(addNumbers(builder, terms - 1)).isEqualTo(Outcome.ADDED);
      assertThat(add(builder, contents(List.of("1")))).as("usual").isEqualTo(Outcome.RUN_FULL);
    }
  }

  @Test
  void aHugeFirstDocumentAsksForOneResetWithoutARun() throws IOException {
    try (RunBuilder builder = new RunBuilder(SCHEMA, SMALLEST)) {
      List<Token> huge = List.of(token(CONTENTS, "a", 1 << 20));
      assertThat(add(builder, huge)).isEqualTo(Outcome.RUN_FULL);
      assertThat(builder.documentCount()).isZero();
      builder.reset();
      assertThat(add(builder, huge)).isEqualTo(Outcome.ADDED);
    }
  }

  @Test
  void positionsOfFieldsWithoutPositionsHaveNoLimit() throws IOException {
    List<Token> document =
        List.of(token(0, "a", Integer.MAX_VALUE - 1), token(0, "a", Integer.MAX_VALUE));
    try (RunBuilder builder = new RunBuilder(WITHOUT_POSITIONS, SMALLEST)) {
      assertThat(add(builder, document)).isEqualTo(Outcome.ADDED);
      assertRun(WITHOUT_POSITIONS, builder, new RadixKeySorter(), List.of(document));
    }
  }

  @Test
  void aDocumentThatFitsNoRunLeavesTheBuilderAsItWas() throws IOException {
    try (RunBuilder builder = new RunBuilder(SCHEMA, SMALLEST)) {
      List<Token> tooLong = contents(IntStream.range(0, 5000).mapToObj(i -> "w").toList());
      List<Token> tooRich = contents(IntStream.range(0, 2000).mapToObj(i -> "w" + i).toList());
      List<Token> both = new ArrayList<>(List.of(token(CONTENTS, "w", 0)));
      IntStream.range(0, 5000).forEach(i -> both.add(token(CONTENTS, "w", (1 << 20) + i)));
      List<Token> usual = contents(List.of("a", "b"));
      assertThat(add(builder, tooLong)).isEqualTo(Outcome.TOO_LARGE);
      assertThat(add(builder, tooRich)).isEqualTo(Outcome.TOO_LARGE);
      assertThat(builder.distinctTerms()).isZero();
      assertThat(add(builder, both)).isEqualTo(Outcome.RUN_FULL);
      builder.reset();
      assertThat(add(builder, both)).isEqualTo(Outcome.TOO_LARGE);
      assertThat(add(builder, usual)).isEqualTo(Outcome.ADDED);
      assertThat(add(builder, usual)).isEqualTo(Outcome.ADDED);
      assertThat(add(builder, tooLong)).isEqualTo(Outcome.RUN_FULL);
      assertRun(SCHEMA, builder, new RadixKeySorter(), List.of(usual, usual));
      builder.reset();
      assertThat(add(builder, tooLong)).isEqualTo(Outcome.TOO_LARGE);
    }
  }

  @Test
  void aDocumentThatIsAbandonedInAnEmptyRunLeavesItEmpty() throws IOException {
    int most = 2000;
    while (!fits(distinct("w", most))) {
      most -= 10;
    }
    List<Token> largest = distinct("w", most);
    try (RunBuilder builder = new RunBuilder(SCHEMA, SMALLEST)) {
      begin(SCHEMA, builder, distinct("v", most));
      builder.abandonDocument();
      assertThat(builder.distinctTerms()).isZero();
      assertThat(add(builder, largest)).isEqualTo(Outcome.ADDED);
      assertRun(SCHEMA, builder, new RadixKeySorter(), List.of(largest));
    }
  }

  private static boolean fits(List<Token> document) {
    try (RunBuilder builder = new RunBuilder(SCHEMA, SMALLEST)) {
      return add(builder, document) == Outcome.ADDED;
    }
  }

  private static List<Token> distinct(String start, int count) {
    return contents(IntStream.range(0, count).mapToObj(i -> start + i).toList());
  }

  @Test
  void aTermLongerThanTheDictionaryIsTooLarge() throws IOException {
    try (RunBuilder builder = new RunBuilder(SCHEMA, SMALLEST)) {
      List<Token> document = contents(List.of("x".repeat(1 << 15)));
      assertThat(add(builder, document)).isEqualTo(Outcome.TOO_LARGE);
    }
    try (RunBuilder builder = new RunBuilder(SCHEMA, 1 << 20)) {
      List<Token> document = contents(List.of("x".repeat(1 << 15), ""));
      assertThat(add(builder, document)).isEqualTo(Outcome.ADDED);
      assertRun(SCHEMA, builder, new RadixKeySorter(), List.of(document));
    }
  }

  @Test
  void termsOfADocumentThatWasRolledBackAreNotInTheRun() throws IOException {
    try (RunBuilder builder = new RunBuilder(SCHEMA, SMALLEST)) {
      List<Token> usual = contents(List.of("kept"));
      List<Token> tooLong =
          contents(IntStream.range(0, 5000).mapToObj(i -> "lost" + i % 9).toList());
      assertThat(add(builder, usual)).isEqualTo(Outcome.ADDED);
      assertThat(add(builder, tooLong)).isEqualTo(Outcome.RUN_FULL);
      assertThat(builder.tokenCount()).isEqualTo(1);
      assertThat(builder.distinctTerms()).isEqualTo(10);
      assertRun(SCHEMA, builder, new RadixKeySorter(), List.of(usual));
    }
  }

  @Test
  void aDocumentOfMoreTokensThanTheUsualWidthHasOffsetsToo() throws IOException {
    try (RunBuilder builder = new RunBuilder(WITH_OFFSETS, 64 << 20)) {
      List<Token> tokens = new ArrayList<>();
      for (int i = 0; i < (1 << 20) + 10; i++) {
        tokens.add(token(CONTENTS, "w" + i / 8, i / 2)); // positions alone would fit
      }
      assertThat(add(WITH_OFFSETS, builder, tokens.subList(0, 10))).isEqualTo(Outcome.ADDED);
      assertThat(add(WITH_OFFSETS, builder, tokens)).isEqualTo(Outcome.RUN_FULL);
      builder.reset();
      assertThat(add(WITH_OFFSETS, builder, tokens)).isEqualTo(Outcome.ADDED);
      assertThat(builder.tokenCount()).isEqualTo(tokens.size());
      if (Tier.isThorough()) {
        assertRun(WITH_OFFSETS, builder, new RadixKeySorter(), List.of(tokens));
      }
    }
  }

  /** A document of as many terms, each the four bytes of a number, all at one position. */
  private static Outcome addNumbers(RunBuilder builder, int count) {
    builder.startDocument();
    byte[] term = new byte[4];
    for (int i = 0; i < count; i++) {
      LittleEndian.putInt(term, 0, i);
      builder.add(CONTENTS, term, 0, term.length, 0);
    }
    return builder.finishDocument();
  }
}
