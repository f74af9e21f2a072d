package io.kmodel.indexer.parse.html;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.Tier;
import io.kmodel.indexer.parse.DocumentParser;
import io.kmodel.indexer.parse.MalformedDocumentException;
import io.kmodel.indexer.parse.ParsedDocument;
import io.kmodel.indexer.parse.field.FieldPlan;
import io.kmodel.indexer.source.ContentType;
import io.kmodel.indexer.source.HeapGuard;
import io.kmodel.indexer.source.RawDocument;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What stays of a page, see {@link MainContent}. */
class MainContentTest {
  private static final FieldPlan FIELDS =
      FieldPlan.parse("title,contents,headings,anchors").withMainContent(true);

  private static final String PROSE =
      "The river rose in the night, and by the morning the lower bridge was under water. The town"
          + " closed the road along the bank, and the school sent its pupils home at noon. Boats"
          + " brought bread and milk to the island, where forty people waited for the flood to pass.";

  private static final String MORE =
      "In the evening the rain stopped. The mayor thanked the helpers, and asked for patience.";

  private final DocumentParser parser =
      new DocumentParser(HtmlMode.FAST, HeapGuard.UNLIMITED, FIELDS);

  @Test
  void anArticleStaysWithoutWhatIsAroundIt() throws Exception {
    ParsedDocument page =
        parse(
            """
            <title>The flood</title>
            <div class="top-nav"><a href="/">Home</a> <a href="/news">News</a></div>
            <div class="columns">
              <div id="left">
                <h1>The flood</h1>
                <p>%s <a href="b">The bridge</a> stands.</p>
                <div class="share-buttons">Tell your friends</div>
                <ul><li><a href="1">More about water</a></li><li><a href="2">Boats</a></li></ul>
                <h2>Afterwards</h2>
                <p>%s</p>
              </div>
              <div id="right"><h3>Weather</h3><p>Tomorrow it will be dry and warm, with some wind.</p></div>
            </div>
            <div id="comments"><p>I was there, and it was not nearly as bad as you say it was.</p></div>
            <footer><p>This paper appears each day but Sunday, since the year 1878.</p></footer>
            """
                .formatted(PROSE, MORE));
    assertThat(page.title()).isEqualTo("The flood");
    assertThat(page.contents())
        .isEqualTo("The flood %s The bridge stands. Afterwards %s".formatted(PROSE, MORE));
    assertThat(page.text("headings").string()).isEqualTo("The flood Afterwards");
    assertThat(page.text("anchors").string()).isEqualTo("The bridge");
  }

  /** Most of the prose is in one element, but what is like it, or is a paragraph, stays. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "<div class='a'><h2>One</h2><p>Short, but of the page.</p></div><div class='a'>%s</div>",
        "<section><p>Short, but of the page.</p></section><section>%s</section>",
        "<p>Short, but of the page.</p><section>%s</section>",
        "<p>Short, but of the page.</p><div><div><section>%s</section></div></div>",
      })
  void sectionsStayTogether(String sections) throws Exception {
    String body = "<div id=left><p>Weather</p></div><div><h1>All</h1>%s</div>".formatted(sections);
    String most = "<h2>Two</h2><p>%s</p><p>%s</p>".formatted(PROSE, MORE.repeat(2));
    assertThat(parse("<body>" + body.formatted(most)).contents())
        .contains("Short, but of the page.", PROSE)
        .doesNotContain("Weather");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<nav>%s</nav>",
        "<aside>%s</aside>",
        "<div role=complementary>%s</div>",
        "<div class=comments>%s</div>",
        "<section id=footer>%s</section>",
        "<div class='box post-comments wide'>%s</div>",
        "<div id=pageFooter>%s</div>",
        "<div class=BoxAd>%s</div>",
        "<div hidden>%s</div>",
        "<div aria-hidden=true>%s</div>",
        "<div style='color: red; display: none'>%s</div>",
        "<div><a href=x>%s</a></div>",
      })
  void boilerplateIsLeftOut(String boilerplate) throws Exception {
    String page = "<div><p>" + PROSE + "</p>" + boilerplate.formatted(MORE) + "</div>";
    assertThat(parse(page).contents()).isEqualTo(PROSE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<div>%s</div>",
        "<div class='shadow address headmost'>%s</div>",
        "<article class=tag-comments>%s</article>",
        "<div class=comments itemprop=articleBody>%s</div>",
        "<h2><a href=x>%s</a></h2>",
        "<pre><a href=x>%s</a></pre>",
        "<table><tr><td><a href=x>%s</a><td>text, which is longer than the link and so makes prose,"
            + " more than half of the table, and so the table stays</table>",
      })
  void otherBlocksStay(String block) throws Exception {
    String page = "<div><p>" + PROSE + "</p>" + block.formatted(MORE) + "</div>";
    assertThat(parse(page).contents()).startsWith(PROSE + " " + MORE);
  }

  @Test
  void aWrapperWithMostOfTheTextStaysWhateverItsName() throws Exception {
    String page = "<div class=%s><p>%s</p></div><p>%s</p>";
    assertThat(parse(page.formatted("page-with-sidebar", PROSE, "")).contents()).isEqualTo(PROSE);
    assertThat(parse(page.formatted("sidebar", PROSE, PROSE)).contents()).isEqualTo(PROSE);
  }

  @Test
  void anArticleCountsBeforeOtherTextOfItsLength() throws Exception {
    String page = "<div><p>%s</div><%s><p>%s</p></%2$s>";
    assertThat(parse(page.formatted(PROSE, "article", MORE + MORE + MORE)).contents())
        .isEqualTo(MORE + MORE + MORE);
    assertThat(parse(page.formatted(PROSE, "section", MORE + MORE + MORE)).contents())
        .isEqualTo(PROSE + " " + MORE + MORE + MORE);
    String both =
        "<article><p>%s</p></article><div itemprop=articleBody><p>%s</p></div>"
            .formatted(PROSE + 1, PROSE + 2);
    assertThat(parse(both).contents()).isEqualTo(PROSE + 2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<nav>Home</nav><p>Only a few words.</p> | Home Only a few words.",
        "<ul><li><a href=a>A</a><li><a href=b>B</a></ul><footer>since 1878</footer> | A B since 1878",
        "<div>One</div><div class=ad>two, longer than some, but not long enough in all</div>"
            + " | One two, longer than some, but not long enough in all",
        "'' | ''"
      })
  void aPageWithLittleProseStaysWhole(String page, String text) throws Exception {
    assertThat(parse(page).contents()).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({
    "siteFooter, true",
    "a b-nav_c, true",
    "NAV, true",
    "main-AdSlot2, true",
    "navy footers, false",
    "addition, false",
    "'', false",
    "x, false",
  })
  void namesAreReadByWords(String names, boolean isKnown) {
    assertThat(MainContent.hasName(names)).isEqualTo(isKnown);
  }

  @Test
  void plainTextStaysWhole() throws Exception {
    byte[] text = ("<nav>Home</nav> " + PROSE).getBytes(UTF_8);
    assertThat(
            parser
                .parse(new RawDocument("i", "/i", ContentType.PLAIN_TEXT, text, text.length, 0))
                .contents())
        .isEqualTo("<nav>Home</nav> " + PROSE);
  }

  @Test
  void mainContentIsAPartOfTheTextInItsOrder() throws Exception {
    DocumentParser whole = new DocumentParser(HtmlMode.JSOUP);
    int smaller = 0;
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      String page =
          TagSoup.page(random) + "<p>" + PROSE + "</p>" + TagSoup.page(random) + "<nav>end</nav>";
      String all = parse(whole, page).contents();
      String main = parse(page).contents();
      assertThat(isWithin(main, all)).as("seed %d: %s%nof %s", seed, main, all).isTrue();
      smaller += main.length() < all.length() ? 1 : 0;
    }
    assertThat(smaller).isGreaterThan(50);
  }

  /** Whether a text is another one without some characters; spaces do not count. */
  private static boolean isWithin(String part, String whole) {
    int at = 0;
    for (char c : part.replace(" ", "").toCharArray()) {
      at = whole.indexOf(c, at) + 1;
      if (at == 0) {
        return false;
      }
    }
    return true;
  }

  /** The tree is read in time that grows with its size, however it is made. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "<div class=ad>x</div>",
        "<div class=ad>",
        "<div><a href=x>y</a></div>",
        "<nav><p>x",
        "<article>",
        "<p>x<i>y",
      })
  @Timeout(30)
  void hostilePagesAreReadInTime(String repeated) throws Exception {
    String page = "<div><p>" + PROSE + "</p></div>" + repeated.repeat(Tier.pick(10_000, 50_000));
    assertThat(parse(page).contents()).contains(PROSE);
  }

  private ParsedDocument parse(String page)
      throws MalformedDocumentException, InterruptedException {
    return parse(parser, page);
  }

  private static ParsedDocument parse(DocumentParser parser, String page)
      throws MalformedDocumentException, InterruptedException {
    byte[] bytes = page.getBytes(UTF_8);
    return parser.parse(new RawDocument("i", "/i", ContentType.HTML, bytes, bytes.length, 0));
  }
}
