package io.kmodel.indexer.indexing.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kmodel.indexer.indexing.report.BuildSampler.Sample;
import io.kmodel.indexer.indexing.report.BusyCores.Interval;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** What is recorded of a build while it goes on. */
class TimelineTest {
  private static final long WIDTH = Lane.LEAST_WIDTH;

  @Test
  void thePageHasAColourForEveryActivityInBothThemes() throws IOException {
    try (InputStream css = ReportPage.class.getResourceAsStream("report.css")) {
      String style = new String(css.readAllBytes(), StandardCharsets.UTF_8);
      for (Activity activity : Activity.values()) {
        String property = "--" + activity.label().replace(' ', '-') + ": #";
        assertThat(style.split(property, -1)).as(property).hasSize(3);
      }
    }
  }

  @Test
  void timeGoesIntoTheBinsThatItTouches() {
    Lane lane = new Lane("a", 1000);
    lane.add(Activity.READ, 1000 + WIDTH / 2, 1000 + 2 * WIDTH + 7);
    lane.add(Activity.READ, 0, 1000 + 5);
    assertThat(lane.spent(Activity.READ)).startsWith(WIDTH / 2 + 5, WIDTH, 7, 0);
    assertThat(lane.spent(Activity.PARSE)).isNull();
  }

  @Test
  void binsBecomeWiderAndLoseNothing() {
    Lane lane = new Lane("a", 0);
    lane.add(Activity.SORT, 0, 3 * WIDTH);
    lane.add(Activity.SORT, 5 * WIDTH * Lane.BINS - 1, 5 * WIDTH * Lane.BINS);
    assertThat(lane.width()).isEqualTo(8 * WIDTH);
    long[] spent = lane.spent(Activity.SORT);
    assertThat(spent).hasSize(Lane.BINS).startsWith(3 * WIDTH, 0);
    assertThat(sum(spent)).isEqualTo(3 * WIDTH + 1);
  }

  @Property
  void noTimeIsLostHoweverItComes(
      @ForAll List<@LongRange(min = 1, max = 1L << 34) Long> durations) {
    Lane lane = new Lane("a", 0);
    Lane other = new Lane("a", 0);
    long at = 0;
    for (long duration : durations) {
      (at % 2 == 0 ? lane : other).add(Activity.MERGE, at, at + duration);
      at += duration + 13;
    }
    lane.addAll(other);
    long[] spent = lane.spent(Activity.MERGE);
    assertThat(spent == null ? 0 : sum(spent))
        .isEqualTo(durations.stream().mapToLong(Long::longValue).sum());
    assertThat(spent == null ? 0 : Arrays.stream(spent).max().orElse(0))
        .isLessThanOrEqualTo(lane.width());
  }

  @Test
  void threadsOfOneNameAreOneLaneAndAllHaveBinsOfOneWidth() throws InterruptedException {
    Timeline timeline = new Timeline();
    for (String name : List.of("parse-10", "parse-2", "merge-1", "parse-2")) {
      Thread thread =
          new Thread(
              () -> {
                long start = timeline.origin();
                long end = start + (name.equals("merge-1") ? 3000 * WIDTH : 10);
                timeline.spent(Activity.PARSE, start, end);
              },
              name);
      thread.start();
      thread.join();
    }
    List<Lane> lanes = timeline.lanes();
    assertThat(lanes).extracting(Lane::name).containsExactly("merge-1", "parse-2", "parse-10");
    assertThat(lanes).extracting(Lane::width).containsOnly(4 * WIDTH);
    assertThat(lanes.get(1).spent(Activity.PARSE)).startsWith(20, 0);
  }

  @Test
  void runsOfASplitThatIsReadAgainCountOnce() {
    Timeline timeline = new Timeline();
    timeline.run(new Timeline.Run(1, 0, 5, 50, 500));
    timeline.run(new Timeline.Run(0, 1, 4, 40, 400));
    timeline.run(new Timeline.Run(0, 0, 3, 30, 300));
    timeline.run(new Timeline.Run(2, 0, 1, 1, 1));
    timeline.forgetRuns(0);
    timeline.run(new Timeline.Run(0, 0, 2, 20, 200));
    assertThat(timeline.runs())
        .containsExactly(
            new Timeline.Run(0, 0, 2, 20, 200),
            new Timeline.Run(1, 0, 5, 50, 500),
            new Timeline.Run(2, 0, 1, 1, 1));
  }

  @Test
  void theLongestStretchWithOneBusyCoreIsFound() {
    assertThat(BusyCores.longestWithOne(List.of())).isEqualTo(new BuildReport.Stretch(0, 0));
    List<Interval> intervals =
        List.of(
            new Interval(0, 1_000_000_000, 0.9, 0),
            new Interval(1_000_000_000, 2_000_000_000, 1, 2),
            new Interval(2_000_000_000, 3_000_000_000L, 0.3, 1.2),
            new Interval(3_000_000_000L, 4_500_000_000L, 0.1, 0.1),
            new Interval(4_500_000_000L, 5_000_000_000L, 1.6, 1));
    assertThat(BusyCores.longestWithOne(intervals)).isEqualTo(new BuildReport.Stretch(2, 4.5));
  }

  @Test
  void coresAreBusyByTheClockOrByWhatThreadsHaveNoted() {
    Lane lane = new Lane("a", 0);
    lane.add(Activity.READ, 0, 4 * WIDTH);
    lane.add(Activity.WAIT, 4 * WIDTH, 8 * WIDTH);
    Lane device = new Lane("gpu-0.1", 0);
    device.add(Activity.DEVICE_SORT, 0, 8 * WIDTH);
    List<Interval> busy =
        BusyCores.of(
            List.of(
                new Sample(0, 0, 0, 0),
                new Sample(4 * WIDTH, WIDTH, 1, 1),
                new Sample(8 * WIDTH, 9 * WIDTH, 1, 1)),
            List.of(lane, device),
            0);
    assertThat(busy).hasSize(2);
    assertThat(busy.get(0).cores()).isCloseTo(0.25, within(1e-9));
    assertThat(busy.get(0).threads()).isCloseTo(1, within(1e-9));
    assertThat(busy.get(0).working()).isCloseTo(1, within(1e-9));
    assertThat(busy.get(1).threads()).isCloseTo(0, within(1e-9));
    assertThat(busy.get(1).working()).isCloseTo(2, within(1e-9));
  }

  @Test
  void samplesAreThinnedToEveryOtherOne() {
    for (int count : new int[] {2, 5, BuildSampler.MOST + 1}) {
      List<Sample> samples = new ArrayList<>();
      LongStream.range(0, count).forEach(i -> samples.add(new Sample(i, 0, 0, 0)));
      BuildSampler.thin(samples);
      assertThat(samples)
          .extracting(Sample::nanos)
          .containsExactlyElementsOf(
              LongStream.range(0, count).filter(i -> i % 2 == 0).boxed().toList());
    }
  }

  @Test
  void nothingInTheDataOfAPageIsMarkup() {
    assertThat(ReportPage.withoutMarkup("[\"</script><!--&amp;\u2028\"]"))
        .isEqualTo("[\"\\u003c/script\\u003e\\u003c!--\\u0026amp;\u2028\"]");
  }

  private static long sum(long[] values) {
    return Arrays.stream(values).sum();
  }
}
