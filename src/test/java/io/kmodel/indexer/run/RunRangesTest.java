package io.kmodel.indexer.run;

import static io.kmodel.indexer.run.RunBuilding.SCHEMA;
import static io.kmodel.indexer.run.RunBuilding.add;
import static io.kmodel.indexer.run.RunBuilding.contents;
import static io.kmodel.indexer.run.RunBuilding.count;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Preconditions;
import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.merge.TermRange;
import io.kmodel.indexer.merge.TermRanges;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.assertj.core.data.Offset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How the terms of runs are cut into ranges for a merge. */
class RunRangesTest {
  private static final int RANGES = 16;
  private static final long TOKENS = 2_000_000;

  @Test
  void rangesHoldEveryTermOnceAndAboutAsMuchOrTaperTowardsTheEnd() throws IOException {
    try (RunBuilder builder = new RunBuilder(SCHEMA, 64 << 20)) {
      SplittableRandom random = new SplittableRandom(7);
      for (int tokens = 0; tokens < TOKENS; tokens += 1000) {
        List<String> terms = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
          terms.add(Integer.toString(random.nextInt(100_000, 400_000)));
        }
        assertThat(add(builder, contents(terms))).isEqualTo(Outcome.ADDED);
      }
      count(builder);
      try (MemoryRun run = Preconditions.checkNotNull(builder.copy(bytes -> true))) {
        long mean = TOKENS / RANGES;
        long[] even = tokens(run, TermRanges.cut(List.of(run), RANGES));
        assertThat(even).hasSize(RANGES);
        assertThat(LongStream.of(even)).allMatch(tokens -> tokens > mean / 2 && tokens < 2 * mean);
        long[] tapering = tokens(run, TermRanges.cutTapering(List.of(run), RANGES));
        assertThat(tapering).hasSize(RANGES);
        assertThat(tapering[0]).isBetween(mean / 4, mean * 3 / 4);
        assertThat(tapering[1]).isBetween(mean * 3 / 4, mean * 5 / 4);
        assertThat(tapering[2]).isBetween(mean * 5 / 4, mean * 7 / 4);
        long last = LongStream.of(tapering).skip(RANGES * 3 / 4).sum();
        assertThat(last).isBetween(TOKENS / 12, TOKENS / 6);
        assertThat(tokens(run, TermRanges.cutTapering(List.of(run), 1))).hasSize(1);
      }
    }
  }

  /** The lists of a term in all runs count together. */
  @Test
  void theBytesOfRangesAreKnownWhereATermIsMuchOfAll() throws IOException {
    List<MemoryRun> runs = new ArrayList<>();
    SplittableRandom random = new SplittableRandom(8);
    try (RunBuilder builder = new RunBuilder(SCHEMA, 64 << 20)) {
      for (int run = 0; run < 6; run++) {
        for (int doc = 0; doc < 800; doc++) {
          List<String> terms = new ArrayList<>();
          for (int i = 0; i < 1000; i++) {
            boolean frequent = i % 4 == 0;
            terms.add(frequent ? "the" : Integer.toString(random.nextInt(100_000, 104_000), 36));
          }
          assertThat(add(builder, contents(terms))).isEqualTo(Outcome.ADDED);
        }
        count(builder);
        runs.add(Preconditions.checkNotNull(builder.copy(bytes -> true)));
        builder.reset();
      }
      for (List<TermRange> ranges :
          List.of(
              TermRanges.cut(List.copyOf(runs), RANGES),
              TermRanges.cutTapering(List.copyOf(runs), RANGES))) {
        long all = runs.stream().mapToLong(MemoryRun::listBytes).sum();
        assertThat(ranges.stream().mapToLong(TermRange::bytes).sum()).isEqualTo(all);
        assertThat(ranges).hasSizeBetween(RANGES / 2, RANGES);
        for (TermRange range : ranges) {
          long bytes = 0;
          for (MemoryRun run : runs) {
            bytes += bytes(run, range);
          }
          assertThat(range.bytes()).isCloseTo(bytes, Offset.offset(2L * runs.size() * (1 << 14)));
        }
        long most = ranges.stream().mapToLong(TermRange::bytes).max().orElseThrow();
        assertThat(most).isBetween(all / 5, all / 3);
      }
    } finally {
      runs.forEach(MemoryRun::close);
    }
  }

  @Test
  void aRangeThatIsFullToTheByteTakesNoMore() {
    List<TermSample> samples = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      byte[] key = i == 0 ? new byte[0] : new byte[] {0, (byte) ('a' + i)};
      samples.add(new TermSample(key, 0, 0, 100L * i));
    }
    List<TermRange> ranges =
        TermRanges.cut(List.of(new Samples(ImmutableList.copyOf(samples), 800)), 4);
    assertThat(ranges).extracting(TermRange::bytes).containsExactly(200L, 200L, 200L, 200L);
    assertThat(ranges)
        .extracting(TermRange::from)
        .containsExactly(null, samples.get(2).key(), samples.get(4).key(), samples.get(6).key());
    assertThat(ranges)
        .extracting(TermRange::to)
        .containsExactly(samples.get(2).key(), samples.get(4).key(), samples.get(6).key(), null);
  }

  /** The data of a run that are known before its lists are read. */
  private record Samples(ImmutableList<TermSample> samples, long listBytes) implements SortedRun {
    @Override
    public int documentCount() {
      return 1;
    }

    @Override
    public PostingsCursor cursor(byte @Nullable [] from, byte @Nullable [] to, int bufferBytes) {
      throw new UnsupportedOperationException();
    }

    @Override
    public LengthsReader lengths(int field) {
      throw new UnsupportedOperationException();
    }
  }

  /** The bytes as in {@link MemoryRun#listBytes}. */
  private static long bytes(MemoryRun run, TermRange range) throws IOException {
    long bytes = 0;
    try (PostingsCursor cursor = run.cursor(range.from(), range.to(), 0)) {
      while (cursor.nextTerm()) {
        bytes += 4 + cursor.termLength() + 6 * cursor.totalTermFreq() / 4;
      }
    }
    return bytes;
  }

  /** By range. Their sum is that of all, and each range starts where the previous one ends. */
  private static long[] tokens(MemoryRun run, List<TermRange> ranges) throws IOException {
    long[] tokens = new long[ranges.size()];
    for (int i = 0; i < tokens.length; i++) {
      TermRange range = ranges.get(i);
      assertThat(range.from()).isEqualTo(i == 0 ? null : ranges.get(i - 1).to());
      try (PostingsCursor cursor = run.cursor(range.from(), range.to(), 0)) {
        while (cursor.nextTerm()) {
          tokens[i] += cursor.totalTermFreq();
        }
      }
    }
    assertThat(ranges.getLast().to()).isNull();
    assertThat(LongStream.of(tokens).sum()).isEqualTo(TOKENS);
    return tokens;
  }
}
