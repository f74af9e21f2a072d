package io.kmodel.indexer.browse;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.Thorough;
import io.kmodel.indexer.browse.BrowsedSite.Kind;
import io.kmodel.indexer.indexing.Chromium;
import java.io.BufferedWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The page that shows an index, in a browser. */
@Thorough
class BrowsePageIT {
  private static final Path SCREENSHOTS = Path.of("target");
  private static final int TERMS = 1_000_000;

  @TempDir Path directory;

  /** Whether the view of the current address is complete. */
  private static final String SHOWN =
      "document.getElementById('view').dataset.shown === location.hash"
          + " && !document.querySelector('#view[aria-busy]')";

  /** The rows of a list that exist. */
  private static final String LINES = "String(document.querySelectorAll('.line').length)";

  /** How much larger charts are than they were drawn. */
  private static final String CHART_SCALE =
      "(document.querySelector('svg').getBoundingClientRect().width"
          + " / document.querySelector('svg').viewBox.baseVal.width).toFixed(2)";

  private static void click(Chromium browser, String selector) throws Exception {
    String link = "document.querySelector('%s')".formatted(selector);
    browser.awaitTrue(link);
    browser.evaluate(link + ".click()");
  }

  private static void isAt(Chromium browser, String start) throws Exception {
    browser.awaitTrue("location.hash.startsWith('%s') && %s".formatted(start, SHOWN));
  }

  private static String heading(Chromium browser) throws Exception {
    return browser.evaluate("document.querySelector('#view h2').textContent");
  }

  private static URI at(Requests requests, String hash) {
    return URI.create(requests.server.address() + hash);
  }

  /** Goes to another view of the page that is open. */
  private static void go(Chromium browser, String view) throws Exception {
    browser.evaluate("location.hash = '#/%s'".formatted(view));
    isAt(browser, "#/" + view.split("\\?", 2)[0]);
  }

  @ParameterizedTest
  @EnumSource
  void viewsLeadToEachOtherAndBack(Kind kind) throws Exception {
    Path path = directory.resolve("index");
    BrowsedSite.build(BrowsedSite.SITE, path);
    if (kind == Kind.LUCENE) {
      path = directory.resolve("lucene");
      BrowsedSite.export(directory.resolve("index"), path);
    }
    try (BrowsedIndex index = BrowsedIndex.open(path, null);
        Requests requests = new Requests(index);
        Chromium browser = Chromium.start()) {
      browser.open(requests.server.address());
      isAt(browser, "");
      browser.press("/");
      for (char c : "river heron".toCharArray()) {
        browser.press(String.valueOf(c));
      }
      browser.press("Enter");
      isAt(browser, "#/search?q=river+heron");
      assertThat(heading(browser)).endsWith(" documents");
      Document found = Jsoup.parse(browser.dom());
      assertThat(found.select(".hit")).hasSize(10);
      assertThat(found.select(".hit mark").eachText()).contains("river", "heron");
      explained(browser);

      browser.press("ArrowDown");
      browser.press("ArrowDown");
      assertThat(browser.evaluate("document.activeElement.textContent")).startsWith("2. ");
      browser.press("Enter");
      isAt(browser, "#/document?n=");
      click(browser, "#view details summary");
      browser.awaitTrue("document.querySelector('#view details table')");
      click(browser, "#view details td a");
      isAt(browser, "#/postings?field=contents&term=");
      browser.awaitTrue("document.querySelectorAll('.line.posting').length > 5");
      click(browser, ".line.posting a");
      isAt(browser, "#/document?n=");

      browser.evaluate("history.back()");
      isAt(browser, "#/postings?");
      browser.evaluate("history.back()");
      isAt(browser, "#/document?n=");
      browser.evaluate("history.back()");
      isAt(browser, "#/search?q=river+heron");
      assertThat(browser.evaluate("document.getElementById('q').value")).isEqualTo("river heron");
      browser.evaluate("history.forward()");
      isAt(browser, "#/document?n=");
      assertThat(browser.errors()).isEmpty();
      drawn(browser, kind);
    }
  }

  private static void explained(Chromium browser) throws Exception {
    click(browser, ".hit summary");
    browser.awaitTrue("document.querySelector('.hit .explanation')");
    String shown =
        browser.evaluate(
            "document.querySelector('.hit .explanation tr:last-child td:last-child').textContent");
    String score =
        browser.evaluate("document.querySelector('.hit .id').textContent.split('score ')[1]");
    assertThat(Double.parseDouble(shown))
        .isBetween(Double.parseDouble(score) - 0.001, Double.parseDouble(score) + 0.001);
  }

  private static void drawn(Chromium browser, Kind kind) throws Exception {
    go(browser, "statistics?field=contents");
    Document drawn = Jsoup.parse(browser.dom());
    assertThat(drawn.select("svg")).hasSize(4);
    assertThat(drawn.select("svg circle.point")).hasSizeGreaterThan(10);
    assertThat(drawn.select("svg rect.bar")).hasSizeGreaterThan(10);
    assertThat(drawn.select("svg").outerHtml()).doesNotContain("NaN", "undefined");
    assertThat(drawn.select(".meter")).hasSizeGreaterThan(5);
    browser.screenshot(SCREENSHOTS.resolve("browse-" + kind + ".png"));
    for (String view :
        new String[] {
          "index",
          "search?q=river",
          "terms",
          "postings?field=contents&term=river",
          "document?n=3",
          "statistics"
        }) {
      browser.size(400, 800);
      go(browser, view);
      assertThat(browser.evaluate("String(document.documentElement.scrollWidth)"))
          .as(view)
          .isEqualTo("400");
    }
    browser.awaitTrue(SHOWN);
    assertThat(browser.evaluate(CHART_SCALE)).isEqualTo("1.00");
    browser.size(900, 800);
    browser.awaitTrue("document.querySelector('svg') && " + CHART_SCALE + " === '1.00'");
    assertThat(browser.errors()).isEmpty();
  }

  @Test
  void aServerThatWasStoppedIsSaidToBe() throws Exception {
    BrowsedSite.build(BrowsedSite.SITE, directory.resolve("index"));
    try (BrowsedIndex index = BrowsedIndex.open(directory.resolve("index"), null);
        Chromium browser = Chromium.start()) {
      try (Requests requests = new Requests(index)) {
        browser.open(requests.server.address());
        isAt(browser, "");
      }
      go(browser, "search?q=river");
      assertThat(browser.evaluate("document.querySelector('#view .error').textContent"))
          .isEqualTo("The program does not answer. Was it stopped?");
    }
  }

  @Test
  void theReportIsShown() throws Exception {
    BrowsedSite.build(BrowsedSite.SITE, directory.resolve("index"));
    try (BrowsedIndex index = BrowsedIndex.open(directory.resolve("index"), null);
        Requests requests = new Requests(index);
        Chromium browser = Chromium.start()) {
      browser.open(requests.server.address());
      click(browser, "nav a[href=\"/report\"]");
      browser.awaitTrue("document.body && document.body.dataset.drawn === 'yes'");
      assertThat(browser.errors()).isEmpty();
    }
  }

  @Test
  void textsThatAreMarkupAreShownAndDoNothing() throws Exception {
    Path crawl = Files.createDirectory(directory.resolve("crawl"));
    String script = "<script>document.title='bad'</script><img src=x onerror=alert(1)>";
    Files.writeString(
        crawl.resolve("page.html"),
        "<title>%1$s a title</title><p>words %1$s".formatted(script.replace("<", "&lt;")));
    BrowsedSite.build(crawl, directory.resolve("<b>index"));
    try (BrowsedIndex index = BrowsedIndex.open(directory.resolve("<b>index"), null);
        Requests requests = new Requests(index);
        Chromium browser = Chromium.start()) {
      browser.open(requests.server.address());
      for (String view :
          new String[] {
            "index",
            "search?q=words",
            "search?q=%3Cimg%20src%3Dx%3E",
            "document?n=0",
            "terms?prefix=%3Cimg%20src%3Dx%3E",
            "postings?field=contents&term=words",
            "postings?field=%3Cimg%20src%3Dx%3E&term=%3Cimg%20src%3Dx%3E",
            "statistics"
          }) {
        go(browser, view);
        Document shown = Jsoup.parse(browser.dom());
        assertThat(shown.select("img, body script, h1 b")).as(view).isEmpty();
        assertThat(browser.evaluate("document.title")).isNotEqualTo("bad").contains("<b>index");
        assertThat(browser.errors())
            .as(view)
            .allMatch(error -> error.contains("the server responded with a status of 400"));
      }
      go(browser, "document?n=0");
      assertThat(heading(browser)).isEqualTo(script + " a title");
    }
  }

  @Test
  void aMillionTermsScroll() throws Exception {
    Path crawl = Files.createDirectory(directory.resolve("crawl"));
    try (BufferedWriter out = Files.newBufferedWriter(crawl.resolve("terms.txt"))) {
      for (int i = 0; i < TERMS; i++) {
        out.write("t%06d".formatted(i));
        out.write(i % 20 == 19 ? '\n' : ' ');
      }
    }
    BrowsedSite.build(crawl, directory.resolve("index"));
    BrowsedSite.export(directory.resolve("index"), directory.resolve("lucene"));
    for (String name : new String[] {"index", "lucene"}) {
      try (BrowsedIndex index = BrowsedIndex.open(directory.resolve(name), null);
          Requests requests = new Requests(index);
          Chromium browser = Chromium.start()) {
        browser.open(at(requests, "#/terms?field=contents"));
        isAt(browser, "#/terms");
        assertThat(browser.evaluate("document.getElementById('total').textContent"))
            .isEqualTo("1,000,000 terms");
        isFirst(browser, 0);
        browser.wheel(".scroll", 3000);
        browser.awaitTrue("document.querySelector('.scroll').scrollTop >= 3000");
        inOrder(browser);
        browser.evaluate(
            "document.querySelector('.scroll').scrollTop ="
                + " document.querySelector('.scroll').scrollHeight / 2");
        browser.awaitTrue("/^t(499|500)/.test(document.querySelector('.line a')?.textContent)");
        inOrder(browser);
        browser.awaitTrue("/at=(499|500)\\d\\d\\d$/.test(location.hash)");
        browser.evaluate("document.querySelector('.scroll').focus()");
        browser.press("End");
        browser.awaitTrue("document.querySelector('.line.active a')?.textContent === 't999999'");
        inOrder(browser);
        browser.press("Home");
        isFirst(browser, 0);
        browser.evaluate(
            "(() => { const box = document.getElementById('prefix'); box.value = 't1234';"
                + " box.dispatchEvent(new Event('input')); })()");
        browser.awaitTrue("document.getElementById('total').textContent === '100 terms'");
        isFirst(browser, 123_400);
        assertThat(Integer.parseInt(browser.evaluate(LINES))).isBetween(6, 99);
        browser.evaluate("document.querySelector('.line a').focus()");
        browser.press("ArrowDown");
        assertThat(browser.evaluate("document.activeElement.className")).isEqualTo("scroll");
        browser.press("Enter");
        isAt(browser, "#/postings?field=contents&term=t123401");
        assertThat(browser.evaluate(LINES)).isEqualTo("1");
        assertThat(browser.errors()).isEmpty();
      }
    }
  }

  private static void isFirst(Chromium browser, int term) throws Exception {
    browser.awaitTrue("document.querySelector('.line a')?.textContent === 't%06d'".formatted(term));
  }

  /** Every row in sight has the term of its number, with none left out. */
  private static void inOrder(Chromium browser) throws Exception {
    browser.awaitTrue(
        "(() => { const rows = [...document.querySelectorAll('.line')];"
            + " return rows.length > 5 && rows.every((row, i) =>"
            + " row.querySelector('a')?.textContent === 't' + row.dataset.row.padStart(6, '0')"
            + " && Number(row.dataset.row) === Number(rows[0].dataset.row) + i); })()");
  }
}
