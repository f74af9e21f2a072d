package io.kmodel.indexer.indexing.report;

import com.fasterxml.jackson.core.JsonGenerator;
import io.kmodel.indexer.index.model.TermDistribution;
import io.kmodel.indexer.indexing.report.BusyCores.Interval;
import io.kmodel.indexer.store.disk.NamingOutput;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The report of a build as a self-contained page of HTML: a frame, a style, a script, and the
 * figures as JSON, in which no character can end the surrounding element. The script creates
 * elements and texts, never markup.
 */
final class ReportPage {
  static final String FILE_NAME = "report.html";

  /** Columns of the drawing; more could not be seen. */
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
            .replace("{\"data\":0}", withoutMarkup(data(report, drawing)));
    NamingOutput.write(index.resolve(FILE_NAME), page.getBytes(StandardCharsets.UTF_8));
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = ReportPage.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the program lacks its resource " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Escapes JSON so that it contains no tag, comment or character reference of HTML. */
  static String withoutMarkup(String json) {
    return json.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026");
  }

  private static String data(BuildReport report, Drawing drawing) throws IOException {
    StringWriter json = new StringWriter();
    try (JsonGenerator out = ReportJson.FACTORY.createGenerator(json)) {
      out.writeStartObject();
      out.writeFieldName("report");
      ReportJson.write(report, out);
      timeline(report, drawing, out);
      TermDistribution distribution = drawing.distribution();
      if (distribution != null) {
        out.writeObjectFieldStart("terms");
        numbers("byDocuments", distribution.byDocuments(), out);
        numbers("byOccurrences", distribution.byOccurrences(), out);
        out.writeEndObject();
      }
      out.writeEndObject();
    }
    return json.toString();
  }

  private static void timeline(BuildReport report, Drawing drawing, JsonGenerator out)
      throws IOException {
    Timeline timeline = drawing.timeline();
    List<Lane> lanes = timeline.lanes();
    long width = lanes.isEmpty() ? Lane.LEAST_WIDTH : lanes.getFirst().width();
    while (report.seconds() * 1e9 > (double) width * MOST_BINS) {
      width *= 2;
    }
    out.writeNumberField("binSeconds", width / 1e9);
    out.writeArrayFieldStart("lanes");
    for (Lane lane : lanes) {
      lane.widenTo(width);
      out.writeStartObject();
      out.writeStringField("name", lane.name());
      shares(lane, out);
      out.writeEndObject();
    }
    out.writeEndArray();
    out.writeArrayFieldStart("busy");
    for (Interval busy : BusyCores.of(drawing.samples(), lanes, timeline.origin())) {
      row(out, busy.from() / 1e9, busy.to() / 1e9, busy.cores(), busy.threads());
    }
    out.writeEndArray();
    out.writeArrayFieldStart("samples");
    for (BuildSampler.Sample sample : drawing.samples()) {
      double at = (sample.nanos() - timeline.origin()) / 1e9;
      row(out, at, (double) sample.documents(), (double) sample.bytes());
    }
    out.writeEndArray();
    runs(timeline.runs(), out);
  }

  private static void row(JsonGenerator out, double... values) throws IOException {
    out.writeArray(values, 0, values.length);
  }

  private static void numbers(String name, long[] values, JsonGenerator out) throws IOException {
    out.writeFieldName(name);
    out.writeArray(values, 0, values.length);
  }

  /** Of each activity that occurs, the share of each bin that it took, in percent. */
  private static void shares(Lane lane, JsonGenerator out) throws IOException {
    out.writeObjectFieldStart("spent");
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
        out.writeFieldName(activity.label());
        out.writeArray(percent, 0, end);
      }
    }
    out.writeEndObject();
  }

  /** How many they are; all of them, or so many, evenly chosen. */
  private static void runs(List<Timeline.Run> runs, JsonGenerator out) throws IOException {
    out.writeNumberField("runCount", runs.size());
    out.writeArrayFieldStart("runs");
    int step = Math.ceilDiv(Math.max(1, runs.size()), MOST_RUNS);
    for (int i = 0; i < runs.size(); i += step) {
      Timeline.Run run = runs.get(i);
      out.writeStartObject();
      out.writeNumberField("split", run.split());
      out.writeNumberField("number", run.number());
      out.writeNumberField("documents", run.documents());
      out.writeNumberField("tokens", run.tokens());
      out.writeNumberField("bytes", run.bytes());
      out.writeEndObject();
    }
    out.writeEndArray();
  }
}
