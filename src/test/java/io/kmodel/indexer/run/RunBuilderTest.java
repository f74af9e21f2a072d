package io.kmodel.indexer.run;

import static io.kmodel.indexer.run.RunBuilding.CONTENTS;
import static io.kmodel.indexer.run.RunBuilding.ID;
import static io.kmodel.indexer.run.RunBuilding.SCHEMA;
import static io.kmodel.indexer.run.RunBuilding.SMALLEST;
import static io.kmodel.indexer.run.RunBuilding.WITHOUT_POSITIONS;
import static io.kmodel.indexer.run.RunBuilding.WITH_OFFSETS;
import static io.kmodel.indexer.run.RunBuilding.add;
import static io.kmodel.indexer.run.RunBuilding.assertRun;
import static io.kmodel.indexer.run.RunBuilding.contents;
import static io.kmodel.indexer.run.RunBuilding.token;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.base.Preconditions;
import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.run.RecordedPostings.Token;
import io.kmodel.indexer.sort.AlteredCpuStage;
import io.kmodel.indexer.sort.KeySorter;
import io.kmodel.indexer.sort.RadixKeySorter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares runs with a TreeMap, and checks what their builder refuses. */
class RunBuilderTest {
  /** Sorts all requested bits and reverses ties, so that its use is noticed. */
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
        for (int attempt = 0; outcome == Outcome.RUN_FULL; attempt++) {
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
      builder.add(CONTENTS, term, 0, 1, 0, 0, 1);
      builder.finishDocument();
      builder.startDocument();
      builder.add(CONTENTS, term, 0, 1, 0, 0, 1);
      builder.add(CONTENTS, term, 0, 1, 1);
      assertThatThrownBy(builder::finishDocument).isInstanceOf(IllegalStateException.class);
      builder.abandonDocument();
      assertThat(builder.documentCount()).isEqualTo(1);
      assertThat(builder.tokenCount()).isEqualTo(2);
    }
    try (RunBuilder builder = new RunBuilder(SCHEMA, SMALLEST)) {
      builder.startDocument();
      assertThatThrownBy(() -> builder.add(CONTENTS, term, 0, 1, 0, 0, 1))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void callsOutOfOrderAreRefused() throws IOException {
    RunBuilder builder = new RunBuilder(SCHEMA, SMALLEST);
    assertThatThrownBy(() -> builder.add(CONTENTS, new byte[1], 0, 1, 0))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(builder::finishDocument).isInstanceOf(IllegalStateException.class);
    assertRefused(builder::abandonDocument, "abandonDocument while the run is OPEN");
    assertRefused(builder::finishSort, "finishSort while the run is OPEN");
    assertRefused(builder::checkOrder, "checkOrder while the run is OPEN");
    assertRefused(builder::cursor, "cursor while the run is OPEN");
    assertRefused(() -> builder.copy(bytes -> true), "copy while the run is OPEN");
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

  private static void assertRefused(ThrowingCallable call, String message) {
    assertThatThrownBy(call).isInstanceOf(IllegalStateException.class).hasMessage(message);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void memoryIsFreedOnceTheStageLetsItGo(boolean letsGo) throws InterruptedException {
    Holding stage = new Holding(letsGo);
    RunBuilder builder = new RunBuilder(SCHEMA, SMALLEST);
    assertThat(add(builder, contents(List.of("a")))).isEqualTo(Outcome.ADDED);
    builder.startSort(stage);
    builder.finishSort();
    assertThat(stage.memory).isNull();
    builder.close();
    MemorySegment memory = Preconditions.checkNotNull(stage.memory);
    assertThat(memory.byteSize()).isEqualTo(builder.bytes());
    assertThat(memory.scope().isAlive()).isEqualTo(!letsGo);
  }

  /** A CPU stage that decides whether memory may be freed. */
  private static final class Holding extends AlteredCpuStage {
    private final boolean letsGo;
    @Nullable MemorySegment memory;

    Holding(boolean letsGo) {
      this.letsGo = letsGo;
    }

    @Override
    public boolean release(MemorySegment released) {
      memory = released;
      return letsGo;
    }
  }

  @Test
  void aBuilderThatIsClosedInADocumentTakesNoMoreOfIt() {
    RunBuilder builder = new RunBuilder(SCHEMA, SMALLEST);
    builder.startDocument();
    builder.close();
    assertThatThrownBy(() -> builder.add(CONTENTS, new byte[32], 0, 1, 0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("add while the run is CLOSED");
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
}
