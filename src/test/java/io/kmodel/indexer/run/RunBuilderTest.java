package io.kmodel.indexer.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.index.Detail;
import io.kmodel.indexer.index.Field;
import io.kmodel.indexer.index.PostingsCursor;
import io.kmodel.indexer.index.PostingsSource;
import io.kmodel.indexer.index.Schema;
import io.kmodel.indexer.run.RecordedPostings.Token;
import io.kmodel.indexer.run.RunBuilder.Outcome;
import io.kmodel.indexer.sort.KeySorter;
import io.kmodel.indexer.sort.RadixKeySorter;
import io.kmodel.indexer.store.LittleEndian;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunBuilderTest {
  private static final Schema SCHEMA =
      Schema.of(
          List.of(
              new Field("contents", Detail.POSITIONS, true, false),
              new Field("id", Detail.DOCUMENTS, false, true),
              new Field("tags", Detail.FREQUENCIES, true, false)));
  private static final Schema WITHOUT_POSITIONS =
      Schema.of(
          List.of(
              new Field("contents", Detail.FREQUENCIES, true, false),
              new Field("id", Detail.DOCUMENTS, false, true)));
  private static final Schema WITH_OFFSETS =
      Schema.of(
          List.of(
              new Field("contents", Detail.OFFSETS, true, false),
              new Field("id", Detail.DOCUMENTS, false, true),
              new Field("tags", Detail.FREQUENCIES, true, false),
              new Field("title", Detail.POSITIONS, true, false)));
  private static final int CONTENTS = 0;
  private static final int ID = 1;
  private static final long SMALLEST = RunMemory.MIN_BYTES;

  /** Sorts all bits it is asked for, and leaves ties in the reverse order to show itself. */
  private static final class UnstableSorter implements KeySorter {
    @Override
    public void sort(
        MemorySegment keys, long count, MemorySegment scratch, int lowBit, int highBit) {
      assertThat(lowBit).isZero();
      long[] values = keys.asSlice(0, 8 * count).toArray(ValueLayout.JAVA_LONG);
      Arrays.sort(values);
      MemorySegment.copy(values, 0, keys, ValueLayout.JAVA_LONG, 0, values.length);
      scratch.fill((byte) 0x33);
    }

    @Override
    public boolean isStable() {
      return false;
    }

    @Override
    public String name() {
      return "unstable";
    }
  }

  @Property(tries = 20)
  void runsHoldWhatATreeMapHoldsWhateverOverflows(@ForAll long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    Schema schema = List.of(WITHOUT_POSITIONS, SCHEMA, WITH_OFFSETS).get(random.nextInt(3));
    KeySorter sorter = random.nextBoolean() ? new RadixKeySorter() : new UnstableSorter();
    long memory = SMALLEST + random.nextInt(200_000);
    try (RunBuilder builder = new RunBuilder(schema, memory)) {
      List<List<Token>> run = new ArrayList<>();
      for (int i = 0; i < 150; i++) {
        List<Token> document = randomDocument(schema, random);
        Outcome outcome = add(schema, builder, document);
        for (int attempt = 0; outcome == Outcome.AGAIN; attempt++) {
          assertThat(attempt).as("attempts").isLessThan(3);
          assertRun(schema, builder, sorter, run);
          run.clear();
          builder.reset();
          outcome = add(schema, builder, document);
        }
        if (outcome == Outcome.ADDED) {
          run.add(document);
        }
        assertThat(builder.documentCount()).isEqualTo(run.size());
      }
      assertRun(schema, builder, sorter, run);
    }
  }

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
        if (add(builder, document) == Outcome.AGAIN) {
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
      assertThat(add(builder, huge)).isEqualTo(Outcome.AGAIN);
      assertRun(SCHEMA, builder, new RadixKeySorter(), List.of(usual, atLimit));
      builder.reset();
      assertThat(add(builder, huge)).isEqualTo(Outcome.ADDED);
      assertThat(add(builder, usual)).isEqualTo(Outcome.AGAIN);
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
      assertThat(addNumbers(builder, terms)).as("beside another").isEqualTo(Outcome.AGAIN);
      builder.reset();
      assertThat(addNumbers(builder, terms)).as("alone").isEqualTo(Outcome.AGAIN);
      builder.reset();
      assertThat(addNumbers(builder, terms)).as("in the wide layout").isEqualTo(Outcome.ADDED);
      assertThat(builder.tokenCount()).isEqualTo(terms);
      builder.sort(new RadixKeySorter());
      builder.checkOrder();
      builder.reset();
      assertThat(addNumbers(builder, terms - 1)).isEqualTo(Outcome.ADDED);
      assertThat(add(builder, contents(List.of("1")))).as("usual").isEqualTo(Outcome.AGAIN);
    }
  }

  @Test
  void aHugeFirstDocumentAsksForOneResetWithoutARun() throws IOException {
    try (RunBuilder builder = new RunBuilder(SCHEMA, SMALLEST)) {
      List<Token> huge = List.of(token(CONTENTS, "a", 1 << 20));
      assertThat(add(builder, huge)).isEqualTo(Outcome.AGAIN);
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
      assertThat(add(builder, both)).isEqualTo(Outcome.AGAIN);
      builder.reset();
      assertThat(add(builder, both)).isEqualTo(Outcome.TOO_LARGE);
      assertThat(add(builder, usual)).isEqualTo(Outcome.ADDED);
      assertThat(add(builder, usual)).isEqualTo(Outcome.ADDED);
      assertThat(add(builder, tooLong)).isEqualTo(Outcome.AGAIN);
      assertRun(SCHEMA, builder, new RadixKeySorter(), List.of(usual, usual));
      builder.reset();
      assertThat(add(builder, tooLong)).isEqualTo(Outcome.TOO_LARGE);
    }
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
      assertThat(add(builder, tooLong)).isEqualTo(Outcome.AGAIN);
      assertThat(builder.tokenCount()).isEqualTo(1);
      assertThat(builder.distinctTerms()).isEqualTo(10);
      assertRun(SCHEMA, builder, new RadixKeySorter(), List.of(usual));
    }
  }

  @Test
  void memoryIsNeverMoreThanGiven() {
    for (Schema schema : List.of(SCHEMA, WITHOUT_POSITIONS)) {
      for (long bytes = SMALLEST; bytes < SMALLEST + 3000; bytes++) {
        assertMemory(schema, bytes);
      }
      for (long bytes = SMALLEST; bytes < 1L << 50; bytes = bytes * 3 + 1) {
        assertMemory(schema, bytes);
      }
    }
  }

  @Test
  void aRunWithTooLittleMemoryIsRefused() {
    assertThatThrownBy(() -> new RunBuilder(SCHEMA, SMALLEST - 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a run needs at least 65536 bytes of memory; got 65535");
  }

  @Test
  void positionsThatDescendOrAreNegativeAreRefused() {
    byte[] term = {'a'};
    for (int[] positions : new int[][] {{-1}, {Integer.MIN_VALUE}, {0, -1}, {7, 6}}) {
      try (RunBuilder builder = new RunBuilder(SCHEMA, SMALLEST)) {
        builder.startDocument();
        int last = positions.length - 1;
        for (int i = 0; i < last; i++) {
          builder.add(CONTENTS, term, 0, 1, positions[i]);
        }
        assertThatThrownBy(() -> builder.add(CONTENTS, term, 0, 1, positions[last]))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageMatching("position must be at least \\d+; got " + positions[last]);
      }
    }
  }

  @Test
  void offsetsThatGoBackwardsAreRefused() {
    byte[] term = {'a'};
    for (int[] offsets : new int[][] {{-1, 3}, {4, 3}, {Integer.MIN_VALUE, 0}}) {
      try (RunBuilder builder = new RunBuilder(WITH_OFFSETS, SMALLEST)) {
        builder.startDocument();
        builder.add(CONTENTS, term, 0, 1, 0, 0, 1);
        assertThatThrownBy(() -> builder.add(CONTENTS, term, 0, 1, 1, offsets[0], offsets[1]))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("offsets must start at 0 or later");
      }
    }
  }

  @Test
  void aRunHasOffsetsOfAllItsTokensOrOfNone() {
    byte[] term = {'a'};
    try (RunBuilder builder = new RunBuilder(WITH_OFFSETS, SMALLEST)) {
      builder.startDocument();
      builder.add(CONTENTS, term, 0, 1, 0, 0, 1);
      builder.add(CONTENTS, term, 0, 1, 1);
      assertThatThrownBy(builder::finishDocument).isInstanceOf(IllegalStateException.class);
    }
    try (RunBuilder builder = new RunBuilder(SCHEMA, SMALLEST)) {
      builder.startDocument();
      assertThatThrownBy(() -> builder.add(CONTENTS, term, 0, 1, 0, 0, 1))
          .isInstanceOf(IllegalStateException.class);
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
      assertThat(add(WITH_OFFSETS, builder, tokens)).isEqualTo(Outcome.AGAIN);
      builder.reset();
      assertThat(add(WITH_OFFSETS, builder, tokens)).isEqualTo(Outcome.ADDED);
      assertRun(WITH_OFFSETS, builder, new RadixKeySorter(), List.of(tokens));
    }
  }

  @Test
  void callsOutOfOrderAreRefused() throws IOException {
    RunBuilder builder = new RunBuilder(SCHEMA, SMALLEST);
    assertThatThrownBy(() -> builder.add(CONTENTS, new byte[1], 0, 1, 0))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(builder::finishDocument).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(builder::checkOrder).isInstanceOf(IllegalStateException.class);
    builder.startDocument();
    assertThatThrownBy(builder::startDocument).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(builder::reset).isInstanceOf(IllegalStateException.class);
    builder.finishDocument();
    builder.sort(new RadixKeySorter());
    assertThatThrownBy(builder::startDocument).isInstanceOf(IllegalStateException.class);
    builder.close();
    builder.close();
    assertThatThrownBy(() -> builder.add(CONTENTS, new byte[1], 0, 1, 0))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(builder::reset)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("reset while the run is CLOSED");
  }

  @Test
  void aSorterThatFailsIsFoundOut() {
    KeySorter broken =
        new KeySorter() {
          @Override
          public void sort(
              MemorySegment keys, long count, MemorySegment scratch, int lowBit, int highBit) {}

          @Override
          public boolean isStable() {
            return true;
          }

          @Override
          public String name() {
            return "broken";
          }
        };
    try (RunBuilder builder = new RunBuilder(SCHEMA, SMALLEST)) {
      assertThat(add(builder, contents(List.of("a", "b", "a")))).isEqualTo(Outcome.ADDED);
      builder.sort(broken);
      assertThatThrownBy(builder::checkOrder)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("at key 2");
      assertThatThrownBy(() -> builder.writeTo(new RecordedPostings()))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("keys out of order");
    }
  }

  @Test
  void lengthsCountPositionsAndNotTokens(@TempDir Path directory) throws IOException {
    Path path = directory.resolve("run-000000.postings");
    try (RunBuilder builder = new RunBuilder(SCHEMA, SMALLEST)) {
      List<Token> overlapping =
          List.of(
              token(CONTENTS, "a", 0),
              token(ID, "one", 0),
              token(CONTENTS, "b", 0),
              token(CONTENTS, "c", 4),
              token(CONTENTS, "d", 4),
              token(2, "tag", 9));
      add(builder, overlapping);
      add(builder, List.of(token(ID, "two", 0)));
      builder.sort(new RadixKeySorter());
      builder.writeRun(path);
    }
    try (RunReader reader = RunReader.open(path)) {
      int[] lengths = new int[256];
      LengthsReader contents = reader.lengths(CONTENTS);
      assertThat(contents.next(lengths)).isEqualTo(2);
      assertThat(lengths).startsWith(2, 0);
      assertThat(contents.next(lengths)).isZero();
      assertThat(reader.lengths(2).next(lengths)).isEqualTo(2);
      assertThat(lengths).startsWith(1, 0);
      assertThatThrownBy(() -> reader.lengths(ID)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  private static void assertMemory(Schema schema, long bytes) {
    RunMemory memory = RunMemory.of(schema, bytes);
    assertThat(memory.totalBytes() + 64).isLessThanOrEqualTo(bytes);
    assertThat(
            ImmutableList.of(memory.keysBytes(), memory.dictionaryBytes(), memory.lengthsBytes()))
        .allMatch(part -> part >= 64 && part % 64 == 0);
    assertThat(memory.placesBytes())
        .isEqualTo(schema.hasOffsets() ? 12 * (memory.keysBytes() / 8) : 0);
    assertThat(memory.keysBytes() / 8).isLessThanOrEqualTo(bytes / RunMemory.perKey(schema));
  }

  /** Sorts and checks what the builder hands on, and what comes back from its file. */
  private static void assertRun(
      Schema schema, RunBuilder builder, KeySorter sorter, List<List<Token>> documents)
      throws IOException {
    List<String> expected = RecordedPostings.oracle(schema, documents);
    builder.sort(sorter);
    builder.checkOrder();
    RecordedPostings recorded = new RecordedPostings(schema);
    builder.writeTo(recorded);
    assertThat(recorded.lines()).isEqualTo(expected);
    assertThat(pushed(schema, (PostingsSource) builder.cursor())).isEqualTo(expected);
    Path directory = Files.createTempDirectory("run");
    Path path = directory.resolve("run-000000.postings");
    try {
      builder.writeRun(path);
      try (RunReader reader = RunReader.open(path)) {
        reader.verify();
        assertThat(RecordedPostings.of(reader.cursor(null, null, 0), schema)).isEqualTo(expected);
        assertThat(reader.documentCount()).isEqualTo(documents.size());
        assertThat(reader.distinctTerms()).isEqualTo(expected.size());
        for (int field = 0; field < schema.size(); field++) {
          if (schema.field(field).tokenized()) {
            assertThat(lengths(reader, field)).isEqualTo(lengths(documents, field));
          }
        }
      }
    } finally {
      Files.deleteIfExists(path);
      Files.delete(directory);
    }
  }

  private static List<Integer> lengths(RunReader reader, int field) throws IOException {
    List<Integer> lengths = new ArrayList<>();
    LengthsReader in = reader.lengths(field);
    int[] block = new int[256];
    for (int n; (n = in.next(block)) > 0; ) {
      IntStream.range(0, n).forEach(i -> lengths.add(block[i]));
    }
    return lengths;
  }

  private static List<Integer> lengths(List<List<Token>> documents, int field) {
    return documents.stream()
        .map(
            tokens ->
                (int)
                    tokens.stream()
                        .filter(token -> token.field() == field)
                        .mapToInt(Token::position)
                        .distinct()
                        .count())
        .toList();
  }

  /** The lists posting by posting, written as chunks of one document. */
  private static List<String> pushed(Schema schema, PostingsSource source) throws IOException {
    RecordedPostings recorded = new RecordedPostings(schema);
    int[] deltas = new int[PostingsCursor.COLUMNS];
    int[] last = new int[2];
    while (source.nextTerm()) {
      recorded.startTerm(source.term(), source.termLength());
      source.push(
          new PostingsSource.Sink() {
            @Override
            public void document(int docId, int freq) {
              recorded.docs(new int[] {docId}, new int[] {freq}, 1);
              Arrays.fill(last, 0);
            }

            @Override
            public void position(int position) {
              occurrence(position, last[1], last[1]);
            }

            @Override
            public void occurrence(int position, int start, int end) {
              deltas[0] = position - last[0];
              deltas[PostingsCursor.STARTS] = start - last[1];
              deltas[PostingsCursor.LENGTHS] = end - start;
              recorded.positions(deltas, 1);
              last[0] = position;
              last[1] = start;
            }

            @Override
            public void endDocument() {}
          });
      recorded.finishTerm();
    }
    return recorded.lines();
  }

  private static Outcome add(RunBuilder builder, List<Token> document) {
    return add(SCHEMA, builder, document);
  }

  private static Outcome add(Schema schema, RunBuilder builder, List<Token> document) {
    builder.startDocument();
    for (Token t : document) {
      byte[] term = t.bytes();
      if (schema.hasOffsets()) {
        builder.add(t.field(), term, 0, term.length, t.position(), t.start(), t.end());
      } else {
        builder.add(t.field(), term, 0, term.length, t.position());
      }
    }
    return builder.finishDocument();
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

  /** Mostly small; sometimes long, rich in terms, or with a huge position. */
  private static List<Token> randomDocument(Schema schema, SplittableRandom random) {
    List<Token> tokens = new ArrayList<>();
    int[] positions = new int[schema.size()];
    int tokenCount = random.nextInt(random.nextInt(20) == 0 ? 6000 : 300);
    int vocabulary = 1 + random.nextInt(random.nextInt(5) == 0 ? 3000 : 60);
    int leap = random.nextInt(15) == 0 ? 1 << 21 : 3;
    tokens.add(token(ID, "doc" + random.nextInt(1 << 20), 0));
    for (int i = 0; i < tokenCount; i++) {
      int field = random.nextInt(schema.size());
      if (field != ID) {
        int gap = random.nextInt(200) == 0 ? random.nextInt(leap) : random.nextInt(3);
        positions[field] += gap;
        String term = Integer.toString(random.nextInt(vocabulary) * 7919, 36);
        tokens.add(token(field, term, positions[field]));
      }
    }
    return tokens;
  }

  private static List<Token> contents(List<String> terms) {
    List<Token> tokens = new ArrayList<>();
    terms.forEach(term -> tokens.add(token(CONTENTS, term, tokens.size())));
    return tokens;
  }

  private static Token token(int field, String term, int position) {
    return new Token(field, term, position);
  }
}
