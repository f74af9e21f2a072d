package io.kmodel.indexer.run;

import static io.kmodel.indexer.run.RunBuilding.CONTENTS;
import static io.kmodel.indexer.run.RunBuilding.SCHEMA;
import static io.kmodel.indexer.run.RunBuilding.WITH_OFFSETS;
import static io.kmodel.indexer.run.RunBuilding.add;
import static io.kmodel.indexer.run.RunBuilding.contents;
import static io.kmodel.indexer.run.RunBuilding.token;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.base.Preconditions;
import io.kmodel.indexer.Tier;
import io.kmodel.indexer.sort.RadixKeySorter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@link RunBuilding#assertRun} does not check: ranges and memory. */
class MemoryRunTest {
  private static final int TOKENS = 150_000;

  private final RunBuilder builder = new RunBuilder(SCHEMA, 16 << 20);

  @TempDir private Path directory;

  @AfterEach
  void close() {
    builder.close();
  }

  @Test
  void anyRangeOfTermsIsThatOfTheFile() throws IOException {
    fill();
    Path file = directory.resolve("run.postings");
    builder.writeRun(file);
    try (MemoryRun run = Preconditions.checkNotNull(builder.copy(bytes -> true));
        RunReader reader = RunReader.open(file)) {
      assertThat(run.samples()).hasSize(1 + (int) (run.listBytes() >> 14));
      assertThat(run.listBytes()).isBetween(reader.listBytes() / 2, 2 * reader.listBytes());
      SplittableRandom random = new SplittableRandom(1);
      for (int i = 0; i < Tier.pick(12, 60); i++) {
        byte[] from = i % 7 == 0 ? null : border(run, random);
        byte[] to = i % 5 == 0 ? null : border(run, random);
        if (from != null && to != null && Arrays.compareUnsigned(from, to) > 0) {
          byte[] swap = from;
          from = to;
          to = swap;
        }
        List<String> expected = RecordedPostings.of(reader.cursor(from, to, 0), SCHEMA);
        assertThat(RecordedPostings.of(run.cursor(from, to, 0), SCHEMA)).isEqualTo(expected);
      }
    }
  }

  /** The last list has one key, so that bytes written after it are in the slack. */
  @Test
  void termsOfEveryLengthAndAnyNumberOfThemComeBack() throws IOException {
    List<String> terms = new ArrayList<>();
    for (int length = 1; length <= 80; length++) {
      terms.add("a".repeat(length));
      List<String> first = new ArrayList<>(terms);
      first.add("z".repeat(length));
      List<List<RecordedPostings.Token>> documents = List.of(contents(terms), contents(first));
      for (List<RecordedPostings.Token> document : documents) {
        add(builder, document);
      }
      RunBuilding.assertRun(SCHEMA, builder, new RadixKeySorter(), documents);
      builder.reset();
    }
  }

  /** The key of a sample, of a term, or an unknown key. */
  private static byte[] border(MemoryRun run, SplittableRandom random) {
    byte[] key = run.samples().get(random.nextInt(run.samples().size())).key();
    return key.length > 0 && random.nextBoolean() ? key : ("\0" + term(random)).getBytes(UTF_8);
  }

  @Test
  void samplesPartTheListsBeforeThemFromThoseAfter() throws IOException {
    fill();
    try (MemoryRun run = Preconditions.checkNotNull(builder.copy(bytes -> true))) {
      List<String> all = RecordedPostings.of(run.cursor(null, null, 0), SCHEMA);
      List<String> parts = new ArrayList<>();
      List<TermSample> samples = run.samples();
      for (int i = 0; i < samples.size(); i++) {
        byte[] from = samples.get(i).key();
        byte[] to = i + 1 < samples.size() ? samples.get(i + 1).key() : null;
        List<String> part = RecordedPostings.of(run.cursor(from, to, 0), SCHEMA);
        assertThat(part).isNotEmpty();
        parts.addAll(part);
      }
      assertThat(parts).isEqualTo(all);
      assertThat(samples.getFirst().key()).isEmpty();
      assertThat(samples.getFirst().bytesBefore()).isZero();
      assertThat(samples.getLast().bytesBefore()).isLessThan(run.listBytes());
    }
  }

  /** If each list of a very long term had a sample, all terms would be on the heap, too. */
  @ParameterizedTest
  @ValueSource(ints = {1000, 2047, 2048, 2049, 10_000, 32_766})
  void samplesOfLongTermsTakeLittleOfTheHeap(int length) throws IOException {
    int terms = (2 << 20) / length;
    for (int i = 0; i < terms; i++) {
      String start = Integer.toString(7919 * i, 36) + "-";
      String term = start + "x".repeat(length - start.length());
      add(builder, contents(List.of(term, "word")));
    }
    builder.sort(new RadixKeySorter());
    Path file = directory.resolve("run.postings");
    builder.writeRun(file);
    try (MemoryRun run = Preconditions.checkNotNull(builder.copy(bytes -> true));
        RunReader reader = RunReader.open(file)) {
      long keys = run.samples().stream().mapToLong(sample -> sample.key().length).sum();
      assertThat(keys).isBetween(1L, run.listBytes() / 8);
      byte[] from = null;
      for (TermSample sample : run.samples().subList(1, run.samples().size())) {
        assertRange(run, reader, from, sample.key());
        from = sample.key();
      }
      assertRange(run, reader, from, null);
    }
  }

  private static void assertRange(
      MemoryRun run, RunReader reader, byte @Nullable [] from, byte @Nullable [] to)
      throws IOException {
    assertThat(RecordedPostings.of(run.cursor(from, to, 0), SCHEMA))
        .isEqualTo(RecordedPostings.of(reader.cursor(from, to, 0), SCHEMA));
  }

  /** A token at a large position makes keys five bytes wide instead of four. */
  @ParameterizedTest
  @CsvSource({"299, 4", "1000000, 5"})
  void asksForTheMemoryThatItTakes(int farthest, int keyBytes) throws IOException {
    for (int i = 0; i < 5000; i++) {
      add(builder, List.of());
    }
    add(builder, List.of(token(CONTENTS, "far", farthest)));
    fill();
    AtomicLong asked = new AtomicLong();
    try (MemoryRun run =
        builder.copy(
            bytes -> {
              asked.set(bytes);
              return true;
            })) {
      assertThat(run).isNotNull();
      assertThat(run.spareBytes()).isNotNegative();
      assertThat(run.usedBytes() + run.spareBytes()).isLessThanOrEqualTo(asked.get());
      long inKeys = (long) keyBytes * TOKENS;
      assertThat(run.usedBytes()).isBetween(inKeys, inKeys + 9L * TOKENS / 10);
    }
    assertThat(builder.copy(bytes -> false)).isNull();
  }

  @Test
  void oneWithOffsetsIsNotCopied() throws IOException {
    try (RunBuilder withOffsets = new RunBuilder(WITH_OFFSETS, 1 << 20)) {
      add(WITH_OFFSETS, withOffsets, contents(List.of("a")));
      withOffsets.sort(new RadixKeySorter());
      assertThat(withOffsets.copy(bytes -> true)).isNull();
    }
  }

  @Test
  void onlyASortedRunIsCopied() {
    assertThatThrownBy(() -> builder.copy(bytes -> true))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("copy");
  }

  private void fill() throws IOException {
    SplittableRandom random = new SplittableRandom(2);
    for (int tokens = 0; tokens < TOKENS; tokens += 300) {
      List<String> terms = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        terms.add(term(random));
      }
      assertThat(add(builder, contents(terms))).isEqualTo(Outcome.ADDED);
    }
    builder.sort(new RadixKeySorter());
  }

  private static String term(SplittableRandom random) {
    return Integer.toString(random.nextInt(1 + random.nextInt(4000)), 36);
  }
}
