package io.kmodel.indexer.parse.html;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.parse.DocumentParser;
import io.kmodel.indexer.parse.ParsedDocument;
import io.kmodel.indexer.parse.field.FieldPlan;
import io.kmodel.indexer.parse.field.MetadataPlan;
import io.kmodel.indexer.parse.metadata.Values;
import io.kmodel.indexer.source.ContentType;
import io.kmodel.indexer.source.HeapGuard;
import io.kmodel.indexer.source.RawDocument;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The text of XHTML, feeds and news. */
class XmlTextTest {
  private static final FieldPlan FIELDS = FieldPlan.parse("title,contents,headings,anchors");
  private static final MetadataPlan METADATA =
      MetadataPlan.parse(List.of("language", "date", "content-type"), List.of("a=a"));

  private final DocumentParser parser =
      new DocumentParser(HtmlMode.FAST, HeapGuard.UNLIMITED, FIELDS, METADATA);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<script src='a.js'/>",
        "<style/>",
        "<script>if (a &lt; b) {}</script><style>p {}</style>",
        "<noscript/><template/>",
      })
  void anElementOfTheHeadEndsWhereXmlEndsIt(String inHead) throws Exception {
    ParsedDocument page =
        parse(
            "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml' xml:lang='de'><head>"
                + inHead
                + "<title>The <!-- x -->Title</title><meta name='a' content='b &amp; c'/></head><body>"
                + "<h1>Head</h1><p>One<br/>two<a href='x'>th<b/>ree</a></p><div/>four</body></html>");
    assertThat(page.title()).isEqualTo("The Title");
    assertThat(page.contents()).isEqualTo("Head One twothree four");
    assertThat(page.text("headings").string()).isEqualTo("Head");
    assertThat(page.text("anchors").string()).isEqualTo("three");
    assertThat(Values.of(page))
        .isEqualTo(Map.of("language", "de", "a", "b & c", "content-type", "application/xml"));
  }

  @Test
  void anEmptyTitleDoesNotTakeTheBody() throws Exception {
    ParsedDocument page =
        parse("<html><head><title/></head><body><p>One</p><p>two</p></body></html>");
    assertThat(page.title()).isEmpty();
    assertThat(page.contents()).isEqualTo("One two");
  }

  @Test
  void entitiesAreThoseOfXmlAndOfTheDocument() throws Exception {
    String page =
        """
        <?xml version="1.0" encoding="ISO-8859-1"?>
        <!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1.dtd" [
          <!-- ]> " -->
          <!ENTITY bird "Grey &#38; heron">
          <!ENTITY far SYSTEM "file:///etc/passwd">
          <!ENTITY % more "x">
        ]>
        <h:html xmlns:h="http://www.w3.org/1999/xhtml"><h:body>&bird;; &far; &lt;b&gt; &eacute;
        <![CDATA[<i>]]> &#233; &nothing;</h:body></h:html>
        """;
    assertThat(parse(page).contents()).isEqualTo("Grey & heron; &far; <b> é <i> é &nothing;");
  }

  /** As in "billion laughs". */
  @Test
  @Timeout(10)
  void entitiesDoNotMakeADocumentLarge() throws Exception {
    StringBuilder page =
        new StringBuilder("<!DOCTYPE x [<!ENTITY a '" + "lol ".repeat(1000) + "'>");
    for (char c = 'b'; c < 'k'; c++) {
      String before = "&" + (char) (c - 1) + ";";
      page.append("<!ENTITY ").append(c).append(" '").append(before.repeat(10)).append("'>");
    }
    page.append("]><x>").append("&a;&j;".repeat(1000)).append("</x>");
    assertThat(parse(page.toString()).contents().length()).isLessThan(200_000);
  }

  @Test
  void aFeedHasTheTextOfItsHtml() throws Exception {
    String feed =
        """
        <?xml version="1.0"?>
        <rss version="2.0"><channel><title>Birds &amp;amp; more</title><link>http://a.org/</link>
        <item><title>Heron</title><description>&lt;p&gt;It &lt;b&gt;wait&lt;/b&gt;s.&lt;/p&gt;</description></item>
        <item><title>Owl</title><content:encoded><![CDATA[<p>At<br>night &eacute;</p>]]></content:encoded></item>
        </channel></rss> <
        """;
    ParsedDocument page = parse(feed);
    assertThat(page.title()).isEqualTo("Birds &amp; more");
    assertThat(page.contents())
        .isEqualTo("Birds &amp; more http://a.org/ Heron It waits. Owl At night é <");
  }

  @Test
  void newsAndArticlesHaveTheirTextWithoutTags() throws Exception {
    ParsedDocument news =
        parse(
            "<?xml version='1.0'?><nitf><head><docdata/></head><body><body.head><hedline>"
                + "<hl1>Herons wait</hl1></hedline></body.head><body.content><p>In <location>Pi"
                + "</location>sa.</p><p>More</p></body.content></body></nitf>");
    assertThat(news.title()).isEqualTo("Herons wait");
    assertThat(news.contents()).isEqualTo("Herons wait In Pisa. More");
    ParsedDocument article =
        parse(
            "<?xml version='1.0'?><article xml:lang='en'><front><journal-title>J</journal-title>"
                + "<article-title>On H<sub>2</sub>O</article-title></front><body><sec><title>Intro"
                + "</title><p><italic>A</italic>rdea p &lt; 0.05 a&lt;b</p></sec></body></article>");
    assertThat(article.title()).isEqualTo("On H2O");
    assertThat(article.contents()).isEqualTo("J On H2O Intro Ardea p < 0.05 a<b");
    assertThat(Values.of(article)).containsEntry("language", "en");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "<", "<a", "</", "</a>", "<a></b>x</a>", "<!DOCTYPE", "<!DOCTYPE x [<!-- ",
            "<![CDATA[x",
        "<?x", "<a b='", "x<3", "<rss><title><", "<!>", "<a/>x<b/>", "&", "&#xD800;", "<_:>x"
      })
  void nothingMakesItFail(String page) throws Exception {
    parse(page);
  }

  @Test
  @Timeout(10)
  void timeIsLinear() throws Exception {
    for (String part :
        List.of("<a>", "<a></b>", "<!DOCTYPE x [", "<![CDATA[", "<!--", "&a;", "<a b='")) {
      parse(part.repeat(100_000));
    }
  }

  /** Pages that XML and HTML read alike are read as HTML. */
  @Test
  void pagesOfXhtmlHaveTheSameTextAsXmlAndAsHtml() throws Exception {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int i = 0; i < 1000; i++) {
      StringBuilder body = new StringBuilder();
      blocks(body, random, 3);
      String page =
          "<!DOCTYPE html><html><head><title>a &amp; b</title></head><body>"
              + body
              + "</body></html>";
      byte[] bytes = page.getBytes(UTF_8);
      assertThat(XmlPages.areAlsoHtml(bytes, 0, bytes.length)).isTrue();
      ParsedDocument html = parser.parse(BothReaders.document(bytes));
      XmlText xml = new XmlText(page, WatchedElements.flags(FIELDS), null, tree -> true);
      assertThat(List.of(xml.title(), xml.contents(), xml.headings(), xml.anchors()))
          .as("seed %d: %s", seed, page)
          .isEqualTo(
              List.of(
                  html.title(),
                  html.contents(),
                  html.text("headings").string(),
                  html.text("anchors").string()));
    }
  }

  /** HTML would move text out of a table, and read tags in a title as text. */
  @ParameterizedTest
  @CsvSource({
    "<title>T</title>, <table>x<tr><td>y</td></tr></table>, T, a x y z",
    "<title>T</title>, <table><tr><td>y</td></tr><tr>x</tr></table>, T, a y x z",
    "<title>T</title>, <table><tr><td>y</td><td>w</td></tr><p>x</p></table>, T, a y w x z",
    "<title>T</title>, <tr><td>y</td></tr>, T, a y z",
    "<title>T <b>U</b></title>, x, T U, axz",
    "<title>T</title>, <textarea><i>x</i></textarea>, T, a x z",
  })
  void pagesThatHtmlReadsOtherwiseAreReadAsXml(
      String head, String body, String title, String contents) throws Exception {
    String text = "<html><head>" + head + "</head><body>a" + body + "z</body></html>";
    byte[] bytes = text.getBytes(UTF_8);
    assertThat(XmlPages.areAlsoHtml(bytes, 0, bytes.length)).isFalse();
    ParsedDocument page = parse(text);
    assertThat(page.title()).isEqualTo(title);
    assertThat(page.contents()).isEqualTo(contents);
    assertThat(List.of(html(bytes).title(), html(bytes).contents()))
        .isNotEqualTo(List.of(title, contents));
  }

  private ParsedDocument html(byte[] page) throws Exception {
    return parser.parse(BothReaders.document(page));
  }

  private static void blocks(StringBuilder to, Random random, int depth) {
    for (int n = random.nextInt(4); n >= 0; n--) {
      switch (depth == 0 ? 0 : random.nextInt(6)) {
        case 0 -> inline(to.append("<p>"), random, 2).append("</p>");
        case 1 -> inline(to.append("<h2>"), random, 2).append("</h2>\n");
        case 2 -> {
          blocks(to.append("<ul><li>"), random, depth - 1);
          to.append("</li><li>x</li></ul>");
        }
        case 3 -> {
          blocks(to.append("<table><tbody><tr><td>"), random, depth - 1);
          to.append("</td>\n<td>y</td></tr><script>a &lt; b</script></tbody></table>");
        }
        case 4 -> to.append("z <!-- <p> --> <script>s</script><hr/>");
        default -> {
          blocks(to.append("<div>"), random, depth - 1);
          to.append("</div>");
        }
      }
    }
  }

  private static StringBuilder inline(StringBuilder to, Random random, int depth) {
    for (int n = random.nextInt(4); n >= 0; n--) {
      switch (depth == 0 ? random.nextInt(3) : random.nextInt(7)) {
        case 0 -> to.append("word");
        case 1 -> to.append(" a&#160;b &lt;é ");
        case 2 -> to.append("<br/>");
        case 3 -> inline(to.append("<b>"), random, depth - 1).append("</b>");
        case 4 -> to.append("<a href=\"x\">link</a>");
        case 5 -> to.append("<img src='>'/>");
        default -> inline(to.append("<span>"), random, depth - 1).append("</span>");
      }
    }
    return to;
  }

  private ParsedDocument parse(String page) throws Exception {
    byte[] bytes = page.getBytes(UTF_8);
    return parser.parse(new RawDocument("id", "place", ContentType.XML, bytes, bytes.length, 0));
  }
}
