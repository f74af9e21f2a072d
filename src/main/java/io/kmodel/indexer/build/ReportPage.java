package io.kmodel.indexer.build;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.google.common.collect.ImmutableMap;
import io.kmodel.indexer.build.BusyCores.Interval;
import io.kmodel.indexer.index.TermDistribution;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The report of a build as a page of HTML that needs nothing beside itself: a frame, a style and a
 * script of our own, and the figures as JSON, in which no character can end the element that they
 * stand in. The script makes elements and texts of them, never markup.
 */
final class ReportPage {
  static final String FILE_NAME = "report.html";

  /** Columns of the drawing; more would not be seen. */
  private static final int MOST_BINS = 512;

  private static final int MOST_RUNS = 2000;

  private ReportPage() {}

  /**
   * What the page shows besides the report.
   *
   * @param distribution of the terms; null where no dictionary holds them all
   */
  record Drawing(
      Timeline timeline,
      List<BuildSampler.Sample> samples,
      @Nullable TermDistribution distribution) {}

  static void write(Path index, BuildReport report, Drawing drawing) throws IOException {
    String page =
        resource("report.html")
            .replace("/*style*/", resource("report.css"))
            .replace("/*script*/", resource("report.js"))
            .replace("{\"data\":0}", json(data(report, drawing)));
    Files.writeString(index.resolve(FILE_NAME), page);
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = ReportPage.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the program lacks its resource " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** JSON in which no tag, comment or character reference of HTML can be. */
  static String json(Object data) {
    try {
      return Json.MAPPER
          .writeValueAsString(data)
          .replace("<", "\\u003c")
          .replace(">", "\\u003e")
          .replace("&", "\\u0026");
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a report cannot be written as JSON", e);
    }
  }

  private static Map<String, Object> data(BuildReport report, Drawing drawing) {
    Timeline timeline = drawing.timeline();
    List<Lane> lanes = timeline.lanes();
    long width = lanes.isEmpty() ? Lane.LEAST_WIDTH : lanes.getFirst().width();
    while (report.seconds() * 1e9 > (double) width * MOST_BINS) {
      width *= 2;
    }
    List<Object> rows = new ArrayList<>();
    for (Lane lane : lanes) {
      lane.widenTo(width);
      rows.add(ImmutableMap.of("name", lane.name(), "spent", shares(lane)));
    }
    List<Interval> busy = BusyCores.of(drawing.samples(), lanes, timeline.origin());
    ImmutableMap.Builder<String, Object> data = ImmutableMap.builder();
    data.put("report", report).put("binSeconds", width / 1e9).put("lanes", rows);
    data.put("busy", busy.stream().map(ReportPage::row).toList());
    data.put("samples", samples(drawing.samples(), timeline.origin()));
    List<Timeline.Run> runs = timeline.runs();
    data.put("runCount", runs.size()).put("runs", some(runs));
    TermDistribution distribution = drawing.distribution();
    if (distribution != null) {
      data.put("terms", distribution);
    }
    return data.buildOrThrow();
  }

  private static double[] row(Interval interval) {
    return new double[] {interval.from() / 1e9, interval.to() / 1e9, interval.cores()};
  }

  private static List<double[]> samples(List<BuildSampler.Sample> samples, long origin) {
    List<double[]> rows = new ArrayList<>();
    for (BuildSampler.Sample sample : samples) {
      rows.add(new double[] {(sample.nanos() - origin) / 1e9, sample.documents(), sample.bytes()});
    }
    return rows;
  }

  /** Of each activity that occurs, the share of each bin that it took, in percent. */
  private static Map<String, int[]> shares(Lane lane) {
    Map<String, int[]> shares = new LinkedHashMap<>();
    for (Activity activity : Activity.values()) {
      long[] spent = lane.spent(activity);
      if (spent != null) {
        int end = spent.length;
        while (end > 0 && spent[end - 1] == 0) {
          end--;
        }
        int[] percent = new int[end];
        for (int i = 0; i < end; i++) {
          percent[i] = (int) Math.ceil(100.0 * spent[i] / lane.width());
        }
        shares.put(activity.label(), percent);
      }
    }
    return shares;
  }

  /** All runs, or so many of them, evenly chosen. */
  private static List<Timeline.Run> some(List<Timeline.Run> runs) {
    int step = Math.ceilDiv(Math.max(1, runs.size()), MOST_RUNS);
    List<Timeline.Run> some = new ArrayList<>();
    for (int i = 0; i < runs.size(); i += step) {
      some.add(runs.get(i));
    }
    return some;
  }
}
