package io.kmodel.indexer.indexing.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.Thorough;
import io.kmodel.indexer.export.lucene.IndexCheck;
import io.kmodel.indexer.indexing.Chromium;
import io.kmodel.indexer.indexing.Indexing;
import io.kmodel.indexer.indexing.Target;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.BuildOptions.Resources;
import io.kmodel.indexer.indexing.options.Store;
import io.kmodel.indexer.parse.html.HtmlMode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page that a build leaves in its index, in a browser. */
@Thorough
class ReportPageIT {
  private static final Path SCREENSHOT = Path.of("target/report.png");

  /** What is said of the middle of the first row of the timeline, where the pointer is. */
  private static final String HOVER =
      """
      (() => {
        const svg = document.querySelector('#timeline svg');
        const row = svg.querySelector('rect.band').getBoundingClientRect();
        svg.dispatchEvent(new MouseEvent('mousemove', {
          clientX: row.x + row.width / 2, clientY: row.y + row.height / 2, bubbles: true}));
        return document.getElementById('tip').textContent;
      })()
      """;

  /** Draws the page at 500 pixels; tells how far it reaches, and how its charts are scaled. */
  private static final String NARROWED =
      """
      (() => {
        document.body.style.width = '500px';
        dispatchEvent(new Event('resize'));
        const sections = [...document.querySelectorAll('section')];
        const right = Math.max(...sections.map(s => s.getBoundingClientRect().right));
        const svg = document.querySelector('#timeline svg');
        const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
        const size = getComputedStyle(svg.querySelector('text')).fontSize;
        return `${right <= 500 ? 500 : right} of 500, text of ${size} at scale ${scale.toFixed(2)}`;
      })()
      """;

  @TempDir Path directory;

  @Test
  void aBrowserDrawsTheReportOfABuildWithoutAnError() throws Exception {
    Path index = directory.resolve("index");
    BuildReport report =
        new Indexing(
                options(Path.of("corpus-samples/site"), index),
                Target.ownIndex(),
                new BuildProgress())
            .run();
    Path page = index.resolve(ReportPage.FILE_NAME);
    try (Chromium browser = Chromium.start()) {
      browser.open(page);
      isDrawn(Jsoup.parse(browser.dom()), report);
      assertThat(browser.evaluate(HOVER)).startsWith("parse-1 at ").contains("\n");
      browser.screenshot(SCREENSHOT);
      assertThat(browser.errors()).isEmpty();
    }
    assertThat(Files.size(SCREENSHOT)).isGreaterThan(20_000);
  }

  private static void isDrawn(Document drawn, BuildReport report) {
    assertThat(drawn.body().attr("data-drawn")).isEqualTo("yes");
    for (String activity : new String[] {"read", "parse", "analyze", "keep run", "merge"}) {
      assertThat(drawn.select("#timeline path[data-activity='" + activity + "']")).isNotEmpty();
    }
    assertThat(drawn.select("#timeline text.name").eachText())
        .contains(Thread.currentThread().getName(), "parse-1", "parse-2", "merge-1");
    assertThat(drawn.select("#timeline path.spent").eachAttr("d")).allMatch(d -> d.contains("M"));
    assertThat(drawn.select("#busy path.curve")).hasSize(2);
    assertThat(drawn.select("#throughput-bytes path.curve")).hasSize(1);
    assertThat(drawn.select("#throughput-documents path.curve")).hasSize(1);
    assertThat(drawn.select("#diagnosis").text()).contains(" % of thread time");
    assertThat(drawn.select("#fields tbody tr").eachText())
        .anyMatch(row -> row.startsWith("title "));
    assertThat(drawn.select("#top-terms tbody tr")).hasSize(10);
    assertThat(drawn.select("#files tr").eachText())
        .anyMatch(row -> row.startsWith("terms.index "));
    assertThat(drawn.select("#execution tr").eachText())
        .anyMatch(row -> row.startsWith("input ") && row.contains("corpus-samples/site: "))
        .contains("threads 2", "memory 2 GiB");
    assertThat(drawn.select("#runs rect.bar")).hasSize(report.runs());
    assertThat(drawn.select("#terms rect.bar")).hasSizeGreaterThan(4);
    assertThat(drawn.select("#sources tr").eachText())
        .contains("html 118 462 KiB", "text gzip 1 471 B")
        .hasSize(report.sources().size());
    assertThat(drawn.select("#skipped tr.reason").eachText()).containsExactly("binary content 1");
    assertThat(drawn.select("#figures .figure").eachText()).contains("124documents", "1left out");
    assertThat(drawn.select("svg text").eachText())
        .isNotEmpty()
        .noneMatch(text -> text.contains("NaN") || text.contains("undefined"));
    assertThat(drawn.select("main svg").outerHtml()).doesNotContain("NaN");
  }

  @Test
  void namesThatAreMarkupAreShownAndDoNothing() throws Exception {
    Path crawl = Files.createDirectories(directory.resolve("crawl/<"));
    String name = "script><img src=x onerror=alert(1)>&lt;!--\u2028";
    Files.write(crawl.resolve(name), new byte[] {(byte) 0x89, 'P', 'N', 'G', '\r', '\n'});
    Files.writeString(crawl.resolve("page.html"), "<p>a word");
    Path lucene = directory.resolve("<b>lucene");
    Target target = Target.lucene(1, IndexCheck.NONE);
    new Indexing(options(directory.resolve("crawl"), lucene), target, new BuildProgress()).run();
    Path page = lucene.resolve(ReportPage.FILE_NAME);
    assertThat(Files.readString(page)).doesNotContain("<img", "</script><");
    Document drawn;
    try (Chromium browser = Chromium.start()) {
      browser.open(page);
      drawn = Jsoup.parse(browser.dom());
      assertThat(browser.errors()).isEmpty();
    }
    assertThat(drawn.body().attr("data-drawn")).isEqualTo("yes");
    assertThat(drawn.select("img, h1 b")).isEmpty();
    assertThat(drawn.select("h1").text()).isEqualTo("Build report: <b>lucene");
    assertThat(drawn.select("#skipped td.detail").text()).contains("/</script><img src=x onerror");
    assertThat(drawn.select("#timeline path[data-activity=export]")).isNotEmpty();
    // The page hides sections that a Lucene index has no figures for.
    assertThat(drawn.select("section[hidden] > h2").eachText())
        .containsExactly("Terms", "Top terms", "Noted");
  }

  @Test
  void textKeepsItsSizeOnANarrowPage() throws Exception {
    Path index = directory.resolve("index");
    new Indexing(
            options(Path.of("corpus-samples/site"), index), Target.ownIndex(), new BuildProgress())
        .run();
    try (Chromium browser = Chromium.start()) {
      browser.open(index.resolve(ReportPage.FILE_NAME));
      assertThat(browser.evaluate(NARROWED)).isEqualTo("500 of 500, text of 11.5px at scale 1.00");
      assertThat(browser.errors()).isEmpty();
    }
  }

  @Test
  void anErrorOfAPageWouldBeSeen() throws Exception {
    Path page = directory.resolve("page.html");
    Files.writeString(page, "<title>t</title><script>absent.drawn = 1;</script>");
    try (Chromium browser = Chromium.start()) {
      browser.open(page);
      assertThat(browser.errors()).hasSize(1).first().asString().contains("absent");
      Files.writeString(page, "<title>t</title><script>console.error('no')</script>");
      browser.open(page);
      assertThat(browser.errors()).hasSize(1).first().asString().contains("no");
    }
  }

  private static BuildOptions options(Path crawl, Path output) {
    return new BuildOptions(
        ImmutableList.of(crawl),
        output,
        true,
        HtmlMode.FAST,
        "standard",
        true,
        Store.CONTENTS,
        new Resources(2, 2L << 30));
  }
}
