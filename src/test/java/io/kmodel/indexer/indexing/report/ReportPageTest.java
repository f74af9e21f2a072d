package io.kmodel.indexer.indexing.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableMap;
import io.kmodel.indexer.index.model.TermDistribution;
import io.kmodel.indexer.indexing.report.BuildSampler.Sample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The figures in the page; how they are drawn is tested by {@link ReportPageIT}. */
class ReportPageTest {
  private static final String DATA = "{\"report\":";
  private static final String SCRIPT_END = "</script>";

  @TempDir Path directory;
  private final Timeline timeline = new Timeline();

  @Test
  void theReportIsInThePageWhateverItsTextsAre() throws IOException {
    for (BuildReport report : List.of(ReportJsonTest.REPORT, report(0.5, "</script><!--&amp;"))) {
      assertThat(figures(report, List.of()).get("report"))
          .isEqualTo(Json.MAPPER.readTree(ReportJson.of(report)));
    }
    assertThat(Files.readString(directory.resolve(ReportPage.FILE_NAME)))
        .doesNotContain("/*style*/", "/*script*/", "{\"data\":0}", "&amp;");
  }

  /** Up to 512 of the narrowest, that are 1,048,576 nanoseconds wide. */
  @ParameterizedTest
  @CsvSource({"0.5, 1", "0.536, 1", "0.537, 2", "1.073, 2", "1.074, 4", "100, 256"})
  void binsAreAsWideAsHalfAThousandMustBeForAllOfTheBuild(double seconds, int widths)
      throws IOException {
    timeline.spent(Activity.READ, timeline.origin(), timeline.origin() + 5);
    JsonNode figures = figures(report(seconds, ""), List.of());
    assertThat(figures.get("binSeconds").asDouble()).isEqualTo(widths * Lane.LEAST_WIDTH / 1e9);
  }

  @Test
  void aLaneTellsWhatPercentOfEachBinItSpentUpToTheLastThatIsNotEmpty() throws IOException {
    long bin = 2 * Lane.LEAST_WIDTH;
    long origin = timeline.origin();
    timeline.spent(Activity.READ, origin, origin + bin + bin / 2);
    timeline.spent(Activity.SORT, origin + 3 * bin, origin + 3 * bin + 1);
    JsonNode lanes = figures(report(1, ""), List.of()).get("lanes");
    assertThat(lanes).hasSize(1);
    assertThat(lanes.get(0).get("name").asText()).isEqualTo(Thread.currentThread().getName());
    assertThat(lanes.get(0).get("spent"))
        .isEqualTo(
            Json.MAPPER.readTree(
                "{\"%s\":[100,50],\"%s\":[0,0,0,1]}"
                    .formatted(Activity.READ.label(), Activity.SORT.label())));
  }

  @Test
  void whatWasSeenOfABuildIsInSecondsSinceItsBeginning() throws IOException {
    long origin = timeline.origin();
    List<Sample> samples =
        List.of(
            new Sample(origin + 500_000_000, 0, 1, 10),
            new Sample(origin + 2_500_000_000L, 5_000_000_000L, 3, 40));
    JsonNode figures = figures(report(3, ""), samples);
    assertThat(figures.get("samples"))
        .isEqualTo(Json.MAPPER.readTree("[[0.5,1.0,10.0],[2.5,3.0,40.0]]"));
    assertThat(figures.get("busy")).isEqualTo(Json.MAPPER.readTree("[[0.5,2.5,2.5,0.0]]"));
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "1, 1", "2000, 1", "2001, 2", "4000, 2", "4001, 3"})
  void noMoreThanTwoThousandRunsAreDrawnAndAllAreCounted(int count, int step) throws IOException {
    List<Integer> expected = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      timeline.run(new Timeline.Run(i, 7, i + 1, i + 2, i + 3));
      if (i % step == 0) {
        expected.add(i);
      }
    }
    JsonNode figures = figures(report(1, ""), List.of());
    assertThat(figures.get("runCount").asInt()).isEqualTo(count);
    List<Integer> splits = new ArrayList<>();
    for (JsonNode run : figures.get("runs")) {
      int split = run.get("split").asInt();
      splits.add(split);
      assertThat(run.get("number").asInt()).isEqualTo(7);
      assertThat(run.get("documents").asInt()).isEqualTo(split + 1);
      assertThat(run.get("tokens").asLong()).isEqualTo(split + 2);
      assertThat(run.get("bytes").asLong()).isEqualTo(split + 3);
    }
    assertThat(splits).isEqualTo(expected).hasSizeLessThanOrEqualTo(2000);
  }

  @Test
  void howOftenTermsOccurIsLeftOutWhereNobodyKnows() throws IOException {
    assertThat(figures(report(1, ""), List.of()).has("terms")).isFalse();
    ReportPage.Drawing drawing =
        new ReportPage.Drawing(timeline, List.of(), new TermDistribution());
    JsonNode terms = figures(report(1, ""), drawing).get("terms");
    assertThat(terms.get("byDocuments")).isEmpty();
    assertThat(terms.get("byOccurrences")).isEmpty();
  }

  private JsonNode figures(BuildReport report, List<Sample> samples) throws IOException {
    return figures(report, new ReportPage.Drawing(timeline, samples, null));
  }

  /** Writes the page, and reads what stands in it up to where a browser sees the element's end. */
  private JsonNode figures(BuildReport report, ReportPage.Drawing drawing) throws IOException {
    ReportPage.write(directory, report, drawing);
    String page = Files.readString(directory.resolve(ReportPage.FILE_NAME));
    int start = page.indexOf(DATA);
    assertThat(start).isPositive();
    return Json.MAPPER.readTree(page.substring(start, page.indexOf(SCRIPT_END, start)));
  }

  private static BuildReport report(double seconds, String option) {
    return ReportJsonTest.empty(seconds, "index", ImmutableMap.of("option", option));
  }
}
