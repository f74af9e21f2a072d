package io.kmodel.indexer.indexing.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableMap;
import io.kmodel.indexer.sort.SortReport;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is written member by member is what a mapper finds by itself, in its order. */
final class ReportJsonTest {
  /** No two members have the same value. */
  static final BuildReport REPORT =
      new BuildReport(
          "an \"index\"\\\u20ac",
          ImmutableMap.of("z", "1", "analyzer", "english\n"),
          1.25,
          Long.MAX_VALUE,
          3,
          -1,
          5,
          6,
          7,
          ImmutableMap.of(
              "html", new BuildReport.Source(40, 41), "warc gzip", new BuildReport.Source(42, 43)),
          8,
          9,
          new BuildReport.Html(10, 11, ImmutableMap.of("text in table", 12L)),
          new BuildReport.JsonObjects(62, 63, ImmutableMap.of("name", 64L)),
          new BuildReport.Sorting(
              "auto",
              "overlapped",
              1e-9,
              new SortReport(
                  List.of(
                      new SortReport.Device("first", 13, 14, 15.5, 16.5, 17.5),
                      new SortReport.Device("second", 18, 19, 20.5, 21.5, 22.5)),
                  23,
                  ImmutableMap.of("too large", 24L, "lost", 25L),
                  26.5)),
          27,
          28,
          ImmutableMap.of("unparsable", 29L),
          30,
          ImmutableMap.of("nested", 31L),
          ImmutableMap.of("directory", 32L, "link", 33L),
          ImmutableMap.of("abstract", 61L),
          List.of("year"),
          ImmutableMap.of("unparsable", List.of("a: b", "c: d"), "empty", List.of()),
          new BuildReport.Stretch(34.5, 35.5),
          List.of(new BuildReport.Phase("scan", 36.5), new BuildReport.Phase("parse", 37.5)),
          List.of(new BuildReport.WorkDone("read", 38.5, 39)),
          List.of(new BuildReport.FieldFigures("title", 48, 49, 50, 51)),
          List.of(new BuildReport.TopTerm("title", "a \"term\"", 52, 53)),
          List.of(new BuildReport.FileSize("terms.index", 54)),
          new Execution(
              "0.1",
              "2026-11-28T12:00:00Z",
              "host",
              "25",
              List.of("build", "a b"),
              55,
              56,
              57,
              58.5,
              59,
              60,
              new Execution.Remote(61, 62, 63)),
          new BuildReport.Origin(
              ImmutableMap.of("path 1", "/crawl"), new BuildReport.Input(44, 45, 46, "47")));

  @Test
  void isWhatTheMapperWrites() throws IOException {
    assertThat(ReportJson.of(REPORT))
        .isEqualTo(Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(REPORT));
    BuildReport empty = empty(0, "", Map.of());
    assertThat(ReportJson.of(empty))
        .isEqualTo(Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(empty));
  }

  /** A report of nothing. */
  static BuildReport empty(double seconds, String index, Map<String, String> options) {
    return new BuildReport(
        index,
        options,
        seconds,
        0,
        0,
        0,
        0,
        0,
        0,
        Map.of(),
        0,
        0,
        new BuildReport.Html(0, 0, Map.of()),
        BuildReport.JsonObjects.NONE,
        BuildReport.Sorting.NONE,
        0,
        0,
        Map.of(),
        0,
        Map.of(),
        Map.of(),
        Map.of(),
        List.of(),
        Map.of(),
        new BuildReport.Stretch(0, 0),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        null,
        null);
  }

  @Test
  void isAValueAmongOthers() throws IOException {
    StringWriter json = new StringWriter();
    try (JsonGenerator out = ReportJson.FACTORY.createGenerator(json)) {
      out.writeStartArray();
      out.writeNumber(1);
      ReportJson.write(REPORT, out);
      out.writeEndArray();
    }
    JsonNode read = Json.MAPPER.readTree(json.toString());
    assertThat(read.size()).isEqualTo(2);
    assertThat(Json.MAPPER.treeToValue(read.get(1), BuildReport.class)).isEqualTo(REPORT);
  }
}
