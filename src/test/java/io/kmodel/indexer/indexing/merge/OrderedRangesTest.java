package io.kmodel.indexer.indexing.merge;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.Uninterruptibles;
import io.kmodel.indexer.merge.TermRange;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ranges are begun in order, but for long ones near the end, and wanted in order. */
class OrderedRangesTest {
  /** A merged range. */
  private static final class Part implements Closeable {
    final int place;
    boolean closed;

    Part(int place) {
      this.place = place;
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  private final List<Integer> begun = new ArrayList<>();
  private final List<Integer> early = new ArrayList<>();
  private final List<Part> parts = new ArrayList<>();

  @Test
  void aLongRangeNearTheEndIsBegunFirstAndComesInItsTurn() throws Exception {
    List<TermRange> ranges = ranges(10, 10, 10, 10, 10, 10, 60, 10, 5, 5);
    OrderedRanges<Part> ahead = begin(ranges, 0, new OrderedRanges.Limits(4, 8));
    assertThat(begun).startsWith(6, 0, 1).hasSize(8);
    assertThat(early).containsExactly(6);
    assertThat(takeAll(ahead)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    assertThat(begun).doesNotHaveDuplicates().hasSize(10);
  }

  @Test
  void aLongRangeAtTheBeginningIsBegunInItsTurn() throws Exception {
    List<TermRange> ranges = ranges(60, 15, 15, 15, 15, 15, 15, 15, 15, 15);
    OrderedRanges<Part> ahead = begin(ranges, 0, new OrderedRanges.Limits(2, 20));
    assertThat(early).isEmpty();
    assertThat(takeAll(ahead)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
  }

  /** Of a build that goes on, it is not known how long ranges are. */
  @Test
  void whereNothingIsKnownRangesAreBegunInOrder() throws Exception {
    OrderedRanges<Part> ahead = begin(ranges(0, 0, 0, 0, 0, 0), 2, new OrderedRanges.Limits(4, 3));
    assertThat(begun).containsExactly(2, 3, 4);
    assertThat(takeAll(ahead)).containsExactly(2, 3, 4, 5);
    assertThat(begun).containsExactly(2, 3, 4, 5);
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "1, 4", "16, 1", "16, 2", "2, 3", "2, 6", "4, 5", "4, 9", "16, 64"})
  void noMoreThanAllowedAreAheadAndAllCome(int threads, int limit) throws Exception {
    List<TermRange> ranges = ranges(9, 8, 7, 90, 1, 80, 2, 70, 3, 60, 4, 50, 5, 40, 6);
    OrderedRanges<Part> ahead = begin(ranges, 0, new OrderedRanges.Limits(threads, limit));
    List<Integer> taken = new ArrayList<>();
    while (!ahead.isEmpty()) {
      assertThat(begun.size() - taken.size()).isBetween(1, limit);
      taken.add(ahead.element().get().place);
      ahead.remove();
    }
    assertThat(taken).isSorted().hasSize(ranges.size()).doesNotHaveDuplicates();
    assertThat(begun).hasSize(ranges.size()).doesNotHaveDuplicates();
    assertThat(early.size()).isLessThanOrEqualTo(Math.max(0, limit - threads));
  }

  @ParameterizedTest
  @CsvSource({"1, 1, 0", "1, 64, 0", "2, 3, 0", "2, 20, 1", "4, 6, 1", "4, 8, 2", "16, 64, 8"})
  void halfOfTheThreadsAtMostBeginWithLongRanges(int threads, int ahead, int early) {
    assertThat(new OrderedRanges.Limits(threads, ahead).early()).isEqualTo(early);
  }

  @Test
  void aRangeIsLongFromTwiceTheMeanOn() {
    begin(ranges(10, 10, 10, 10, 10, 30, 10, 10, 10), 0, new OrderedRanges.Limits(4, 8));
    assertThat(early).containsExactly(5);
    early.clear();
    begin(ranges(10, 10, 10, 10, 10, 20, 10, 10, 10), 0, new OrderedRanges.Limits(4, 8));
    assertThat(early).isEmpty();
  }

  @Test
  void afterAFailureNothingIsBegunAnyMoreNotEvenLongRanges() throws IOException {
    List<FutureTask<Part>> tasks = new ArrayList<>();
    OrderedRanges<Part> ahead =
        new OrderedRanges<>(
            ranges(10, 10, 10, 10, 10, 10, 60, 10, 5, 5),
            0,
            new OrderedRanges.Limits(4, 6),
            (range, isEarly) -> new Part(0),
            task -> {
              tasks.add(new FutureTask<>(task));
              return tasks.getLast();
            });
    ahead.begin();
    ahead.close();
    assertThat(tasks).hasSize(6).allMatch(FutureTask::isCancelled);
  }

  @Test
  void afterAFailureAllThatIsReadyIsClosed() throws IOException {
    List<TermRange> ranges = ranges(10, 10, 10, 10, 10, 10, 60, 10, 5, 5);
    OrderedRanges<Part> ahead = begin(ranges, 0, new OrderedRanges.Limits(4, 6));
    ahead.remove();
    ahead.close();
    assertThat(early).containsExactly(6);
    assertThat(parts.stream().filter(part -> part.closed).map(part -> part.place))
        .containsExactlyInAnyOrder(6, 1, 2, 3, 4, 5);
  }

  @Test
  void whatIsStillAtWorkIsNotWaitedForAndClosedWhenItIsReady() throws Exception {
    List<FutureTask<Part>> tasks = new ArrayList<>();
    List<TermRange> ranges = ranges(1, 1, 1, 1);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicBoolean interrupted = new AtomicBoolean();
    OrderedRanges<Part> ahead =
        new OrderedRanges<>(
            ranges,
            0,
            new OrderedRanges.Limits(2, 4),
            (range, isEarly) -> {
              Part part = new Part(ranges.indexOf(range));
              if (part.place == 0) {
                throw new IOException("disk full");
              }
              parts.add(part);
              if (part.place == 2) {
                begun.countDown();
                Uninterruptibles.awaitUninterruptibly(goOn);
                interrupted.set(Thread.currentThread().isInterrupted());
              }
              return part;
            },
            task -> {
              tasks.add(new FutureTask<>(task));
              return tasks.getLast();
            });
    ahead.begin();
    tasks.get(0).run();
    tasks.get(1).run();
    Thread atWork = Thread.ofPlatform().start(tasks.get(2));
    begun.await();
    ahead.close();
    assertThat(parts).extracting(part -> part.closed).containsExactly(true, false);
    goOn.countDown();
    atWork.join();
    assertThat(interrupted).as("as files that others read would be closed").isFalse();
    tasks.get(3).run();
    // The last was not begun at all.
    assertThat(parts).extracting(part -> part.closed).containsExactly(true, true);
  }

  @Test
  void whatWasTakenIsNotClosed() throws Exception {
    OrderedRanges<Part> ahead = begin(ranges(1, 1, 1), 0, new OrderedRanges.Limits(1, 2));
    ahead.remove();
    ahead.close();
    assertThat(parts).extracting(part -> part.closed).containsExactly(false, true, true);
  }

  private OrderedRanges<Part> begin(
      List<TermRange> ranges, int first, OrderedRanges.Limits limits) {
    OrderedRanges<Part> ahead =
        new OrderedRanges<>(
            ranges,
            first,
            limits,
            (range, isEarly) -> {
              Part part = new Part(ranges.indexOf(range));
              parts.add(part);
              begun.add(part.place);
              if (isEarly) {
                early.add(part.place);
              }
              return part;
            },
            task -> {
              FutureTask<Part> run = new FutureTask<>(task);
              run.run();
              return run;
            });
    ahead.begin();
    return ahead;
  }

  private static List<Integer> takeAll(OrderedRanges<Part> ahead) throws Exception {
    List<Integer> taken = new ArrayList<>();
    while (!ahead.isEmpty()) {
      taken.add(ahead.element().get().place);
      ahead.remove();
    }
    return taken;
  }

  private static List<TermRange> ranges(long... bytes) {
    List<TermRange> ranges = new ArrayList<>();
    byte[] from = null;
    for (long one : bytes) {
      byte[] to = {(byte) (ranges.size() + 1)};
      ranges.add(new TermRange(from, to, one));
      from = to;
    }
    return ranges;
  }
}
