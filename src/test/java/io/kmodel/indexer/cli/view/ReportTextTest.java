package io.kmodel.indexer.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.indexing.report.Execution;
import io.kmodel.indexer.sort.SortReport;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What a build's report says to people. */
class ReportTextTest {
  private static final SortReport.Device DEVICE = new SortReport.Device("gpu:0", 5, 50, 1, 1, 1);
  private static final String FAILED = "gpu:1 cannot be used: cuModuleLoadData: failed";

  @Test
  void ofWhatThereIsNothingNothingIsSaid() {
    SortReport stage = new SortReport(List.of(), 0, Map.of(), 0);
    BuildReport report =
        new BuildReport(
            "i",
            Map.of(),
            0,
            1,
            1,
            -1,
            1,
            1,
            0,
            Map.of(),
            0,
            -1,
            new BuildReport.Html(0, 1, Map.of()),
            new BuildReport.JsonObjects(1, 0, Map.of()),
            new BuildReport.Sorting("cpu", "serial", 0, stage),
            -1,
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
    assertThat(ReportText.of(report).lines())
        .containsExactly(
            "i: an index of 1 document",
            "  time           0.00 s, 1,000,000,000 documents/s, 0 B/s",
            "  content        1 token, 1 posting",
            "  size           0 B read, 0 B in the index, 1 run",
            "  html           0 pages read without a tree, 1 by jsoup",
            "  wall clock     ",
            "  one busy core  0.0 % of the time at a stretch, from 0.00 s to 0.00 s",
            "  work             thread-s        bytes",
            "  skipped        0 documents");
  }

  /** No two numbers are alike, so none stands in the place of another. */
  @Test
  void eachNumberStandsInItsPlace() {
    SortReport.Device device = new SortReport.Device("gpu:0", 12, 13, 1.41, 1.51, 1.61);
    SortReport stage = new SortReport(List.of(device), 17, Map.of("too large", 17L), 1.81);
    BuildReport report =
        new BuildReport(
            "an index",
            Map.of(),
            2.5,
            1_900,
            20_000,
            2_100,
            22_000,
            23,
            24 << 10,
            Map.of("html gzip", new BuildReport.Source(25, 26)),
            27 << 10,
            28 << 20,
            new BuildReport.Html(
                29, 30, new TreeMap<>(Map.of("text in table", 31L, "too deep", 130L))),
            new BuildReport.JsonObjects(131, 132, Map.of("name", 133L)),
            new BuildReport.Sorting("auto", "overlapped", 3.2, stage),
            33,
            34,
            Map.of("binary content", 35L),
            36,
            Map.of("cut at the limit", 37L),
            new TreeMap<>(Map.of("directory", 38L, "link", 39L)),
            Map.of("a\nb", 40L, "abstract", 41L),
            List.of("year", "day"),
            Map.of(
                "binary content", List.of("a\tb"),
                "cut at the limit", List.of("c"),
                "kept in part", List.of("d")),
            new BuildReport.Stretch(1.25, 1.75),
            List.of(new BuildReport.Phase("scan", 0.4), new BuildReport.Phase("parse", 0.41)),
            List.of(
                new BuildReport.WorkDone("read", 4.2, 43), new BuildReport.WorkDone("sort", 44, 0)),
            List.of(),
            List.of(),
            List.of(),
            new Execution(
                "",
                "",
                "",
                "",
                List.of(),
                1,
                1,
                0,
                0,
                1_500,
                20 << 10,
                new Execution.Remote(48, 1, 49 << 10)),
            null);
    assertThat(ReportText.of(report).lines())
        .containsExactly(
            "an index: an index of 1,900 documents",
            "  time           2.50 s, 600 documents/s, 8.00 KiB/s, without 400 documents read before",
            "  content        20,000 tokens, 2,100 distinct terms, 22,000 postings",
            "  size           24.0 KiB read, 27.0 KiB in the index, 23 runs",
            "  read from",
            "    html gzip    25 documents, 26 B",
            "  servers        48 requests, 1 retry, 49.0 KiB received",
            "  html           29 pages read without a tree, 30 by jsoup (text in table: 31, too"
                + " deep: 130)",
            "  json           131 objects read by their bytes, 132 by Jackson (name: 133)",
            "  memory         28.0 MiB at its peak",
            "  sort           12 runs on gpu:0, overlapped: upload 1.41 s, sort 1.51 s, download"
                + " 1.61 s; threads waited 3.20 s, and checked for 1.81 s",
            "  sort           17 runs on the CPU: too large",
            "  wall clock     scan 0.40 s, parse 0.41 s",
            "  one busy core  20.0 % of the time at a stretch, from 1.25 s to 1.75 s",
            "  work             thread-s        bytes",
            "    read               4.20         43 B",
            "    sort              44.00             ",
            "  duplicates     33 documents with the id of an earlier one",
            "  passed over    77 records",
            "    38 directory",
            "    39 link",
            "  not read       81 members of JSON objects",
            "    41 abstract",
            "    40 a\\x0ab",
            "  skipped        34 documents",
            "    35 binary content",
            "      a\\x09b",
            "  noted          cut at the limit: 37 documents",
            "      c",
            "  noted          no document has a value for year, day",
            "  kept in part   36 documents",
            "      d");
  }

  @Test
  void aDeviceThatCouldNotBeOpenedIsNamedThoughTheCpuHasSortedNothing() {
    assertThat(linesBehindTheDevices(List.of(DEVICE), Map.of(FAILED, 0L)))
        .containsExactly("  sort           " + FAILED);
  }

  @Test
  void eachReasonHasItsNumberOfRunsAndNoneIsBlamedForThoseOfAnother() {
    Map<String, Long> reasons = Map.of(FAILED, 0L, "larger than a lane of gpu:0", 1L);
    assertThat(linesBehindTheDevices(List.of(DEVICE), reasons))
        .containsExactly(
            "  sort           1 run on the CPU: larger than a lane of gpu:0",
            "  sort           " + FAILED);
    assertThat(linesBehindTheDevices(List.of(DEVICE), Map.of("a", 1200L, "b", 3L, "c", 0L)))
        .containsExactly(
            "  sort           1,203 runs on the CPU: 1,200 a; 3 b", "  sort           c");
  }

  @Test
  void whereNothingWasSortedNothingIsSaid() {
    assertThat(linesBehindTheDevices(List.of(), Map.of("asked to", 0L))).isEmpty();
    assertThat(linesBehindTheDevices(List.of(), Map.of("asked to", 2L)))
        .containsExactly("  sort           2 runs on the CPU: asked to");
  }

  private static List<String> linesBehindTheDevices(
      List<SortReport.Device> devices, Map<String, Long> reasons) {
    long runs = reasons.values().stream().mapToLong(Long::longValue).sum();
    SortReport stage = new SortReport(devices, runs, new TreeMap<>(reasons), 0);
    StringBuilder text = new StringBuilder();
    try (Formatter out = new Formatter(text, Locale.ROOT)) {
      ReportText.sorting(new BuildReport.Sorting("gpu", "serial", 0, stage), out);
    }
    return text.toString().lines().skip(devices.size()).toList();
  }
}
