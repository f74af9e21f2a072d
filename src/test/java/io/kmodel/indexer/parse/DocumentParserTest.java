package io.kmodel.indexer.parse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ObjectArrays;
import io.kmodel.indexer.Tier;
import io.kmodel.indexer.parse.field.FieldPlan;
import io.kmodel.indexer.parse.html.HtmlMode;
import io.kmodel.indexer.source.ContentType;
import io.kmodel.indexer.source.HeapGuard;
import io.kmodel.indexer.source.RawDocument;
import io.kmodel.indexer.source.SkipReason;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentParserTest {
  private static final String[] BLOCKS = {
    "<p>",
    "</p>",
    "<div>",
    "</div>",
    "<li>",
    "<ul>",
    "</ul>",
    "<table>",
    "<tr>",
    "<td>",
    "</table>",
    "<br>",
    "<h2>",
    "</h2>",
    "<blockquote>",
    "<script>x</script>",
    " ",
    "\n",
    "&nbsp;",
    "&amp;",
    "heron",
    "river",
    "é",
    "\uD83D\uDC26",
    "<",
    ">"
  };
  private static final String[] INLINES = {
    "<b>", "</b>", "<i>", "</i>", "<span>", "</span>", "<a href=x>", "</a>", "<custom>", "<option>"
  };

  private final DocumentParser parser = new DocumentParser();

  @Test
  void titleAndContentsAreTakenApart() throws Exception {
    ParsedDocument page =
        html(
            "<html><head><title> Grey \n heron </title><meta name=x content=y></head>"
                + "<body><h1>Ardea</h1><p>It <b>wait</b>s.</body></html>");
    assertThat(page).isEqualTo(new ParsedDocument("id.html", "Grey heron", "Ardea It waits."));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<p>one</p><p>two</p>|one two",
        "one<br>two|one two",
        "one<hr>two|one two",
        "<ul><li>one<li>two</ul>three|one two three",
        "<table><tr><td>one<td>two<tr><th>three</table>|one two three",
        "<dl><dt>one<dd>two</dl>|one two",
        "<div>one</div><!-- x -->two|one two",
        "<select><option>one<option>two</select>three|one two three",
        "<b>on</b><i>e</i><span> two</span>|one two",
        "o<wbr>n&shy;e&#8203;s|ones",
        "one&nbsp;two &lt;three&gt;|one two <three>",
        "one<script>x()</script>two|one two",
        "one<style>p {}</style>two<noscript>three <b>four</b></noscript>five|one two five",
        "one<template><p>two</p></template>three|one three",
        "one<iframe>two</iframe>three<textarea>four</textarea>|one three four",
        "<pre>one  two</pre>|one two",
        "one <!-- two --> three|one three",
        "<custom-tag>one</custom-tag>two|onetwo",
        "<svg><title>one</title><text>two</text></svg>three|onetwo three",
        "&#xD800;one&notin;|\uFFFDone∉",
      })
  void contentsAreTheWordsOfTheBodyAsAReaderSeesThem(String body, String expected)
      throws Exception {
    assertThat(html(body).contents()).isEqualTo(expected);
  }

  @Property(tries = 500)
  void onTreesOfBlocksTheTextIsThatOfJsoup(@ForAll("blocks") String body) throws Exception {
    assertThat(html(body).contents()).isEqualTo(Jsoup.parse(body).body().text());
  }

  @Property(tries = 500)
  void onAnyTreeTheCharactersAreThoseOfJsoup(@ForAll("trees") String body) throws Exception {
    // It separates words after an inline element with a block in it, and not after one in another.
    String theirs = Jsoup.parse(body).body().text();
    assertThat(html(body).contents().replace(" ", "")).isEqualTo(theirs.replace(" ", ""));
  }

  @Provide
  Arbitrary<String> blocks() {
    return joined(BLOCKS);
  }

  @Provide
  Arbitrary<String> trees() {
    return joined(ObjectArrays.concat(BLOCKS, INLINES, String.class));
  }

  private static Arbitrary<String> joined(String[] parts) {
    return Arbitraries.of(parts).list().ofMaxSize(40).map(all -> String.join("", all));
  }

  @Test
  void aPageWithoutTitleOrBodyHasEmptyOnes() throws Exception {
    for (String page : new String[] {"", " \n", "<html>", "<title></title>", "<!-- x -->"}) {
      assertThat(html(page)).isEqualTo(new ParsedDocument("id.html", "", ""));
    }
    assertThat(html("<frameset><frame src=x></frameset>").contents()).isEmpty();
  }

  @Test
  void aHundredThousandNestedTagsOverflowNoStack() throws Exception {
    for (String tag :
        Tier.some(List.of("div", "b", "table", "svg", "a", "ul", "template", "x-y"), 4)) {
      String bomb = "one" + ("<" + tag + ">").repeat(100_000) + "two";
      String contents = html(bomb).contents();
      assertThat(contents).as(tag).contains("one");
      if (!tag.equals("template")) {
        assertThat(contents).as(tag).contains("two");
      }
    }
    String closed = "<div>".repeat(100_000) + "deep" + "</div>".repeat(100_000) + "after";
    assertThat(html(closed).contents()).contains("deep").contains("after");
  }

  /** Twice as much takes about twice as long, or the larger would not be done in time. */
  @ParameterizedTest
  @EnumSource(HtmlMode.class)
  @Timeout(120)
  void aMillionNestedElementsAreReadInTimeAndToTheirEnd(HtmlMode mode) throws Exception {
    DocumentParser bombed = new DocumentParser(mode);
    for (String tag : new String[] {"<div>", "<b>", "<p><i>", "<table><td>", "<a><svg>"}) {
      String bomb = "one " + tag.repeat(Tier.pick(100_000, 1_000_000)) + " two";
      assertThat(parse(bombed, ContentType.HTML, bomb.getBytes(StandardCharsets.UTF_8)).contents())
          .as(tag)
          .isEqualTo("one two");
    }
  }

  @ParameterizedTest
  @EnumSource(HtmlMode.class)
  @Timeout(60)
  void giganticAttributesAndMarkupWithoutEndAreReadInTime(HtmlMode mode) throws Exception {
    DocumentParser bombed = new DocumentParser(mode);
    String long_ = "x".repeat(Tier.pick(4 << 20, 16 << 20));
    StringBuilder many = new StringBuilder();
    for (int i = 0; i < 200_000; i++) {
      many.append(" a").append(i).append("=b");
    }
    for (String page :
        new String[] {
          "one<p title=\"" + long_ + "\">two",
          "one<p " + long_ + ">two",
          "one<p " + many + ">two",
          "one<table><tr><p " + many + "></table>two",
          "one<br><!-- " + "-- ".repeat(1_000_000) + "--> two",
          "one<br>" + "<script><!--".repeat(100_000) + "--></script> two",
          "one " + "</p ".repeat(500_000) + "> two",
        }) {
      ParsedDocument parsed =
          parse(bombed, ContentType.HTML, page.getBytes(StandardCharsets.UTF_8));
      assertThat(parsed.contents()).startsWith("one").endsWith("two").hasSizeLessThan(10);
    }
    String unfinished = "one <p title=\"" + long_;
    assertThat(
            parse(bombed, ContentType.HTML, unfinished.getBytes(StandardCharsets.UTF_8)).contents())
        .isEqualTo("one");
  }

  /** Each end tag moves eight blocks out of an element with the same attributes as two others. */
  @Test
  @Timeout(60)
  void longAttributesAreNotComparedTimeAndAgain() throws Exception {
    String element = "<b title=\"" + "x".repeat(4 << 20) + "\">";
    String moved = "<div>".repeat(8) + "</b>" + "</div>".repeat(8) + "x";
    byte[] page = (element.repeat(3) + moved.repeat(20_000)).getBytes(StandardCharsets.UTF_8);
    ParsedDocument parsed = parse(new DocumentParser(HtmlMode.FAST), ContentType.HTML, page);
    assertThat(parsed.contents()).startsWith("x x x").hasSize(2 * 20_000 - 1);
  }

  /** At the limit of nesting jsoup closes templates, and fails at what was in them. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "<noscript><template><g><a><x><template><c>",
        "<noscript><template><g><a><x><template><c>late</template></template></noscript>words"
      })
  void aPageThatJsoupFailsOnAtTheLimitOfNestingIsReadAsDeepAsItIs(String inner) throws Exception {
    List<Integer> depths = Tier.some(IntStream.range(495, 515).boxed().toList(), 7);
    for (HtmlMode mode : HtmlMode.values()) {
      DocumentParser nested = new DocumentParser(mode);
      int limited = 0;
      for (int depth : depths) {
        String page = "important words " + "<x>".repeat(depth) + inner;
        ParsedDocument parsed =
            parse(nested, ContentType.HTML, page.getBytes(StandardCharsets.UTF_8));
        assertThat(parsed.contents()).startsWith("important words");
        limited += nested.cameToNestingLimit() ? 1 : 0;
      }
      assertThat(limited).isBetween(Tier.pick(1, 4), depths.size() - 1);
      assertThat(parse(nested, ContentType.HTML, new byte[] {'a'}).contents()).isEqualTo("a");
      assertThat(nested.cameToNestingLimit()).isFalse();
    }
  }

  @Test
  void aPageOfManyTagsThatJsoupFailsOnAtTheLimitOfNestingIsRefusedWithTheReason() {
    String page =
        "<p>x</p>".repeat(20_000)
            + "<x>".repeat(505)
            + "<noscript><template><g><a><x><template><c>";
    assertThatThrownBy(() -> html(page))
        .isInstanceOf(MalformedDocumentException.class)
        .hasMessageContaining("templates nested to the limit of 512 elements")
        .extracting(e -> ((MalformedDocumentException) e).reason())
        .isEqualTo(SkipReason.UNPARSABLE);
  }

  @Test
  void unpairedSurrogatesBecomeReplacementCharactersInTitleAndContents() throws Exception {
    ParsedDocument page = html("<title>a&#xDC26;</title>&#xD83D;b \uD83D\uDC26 &#xD83D;");
    assertThat(page.title()).isEqualTo("a\uFFFD");
    assertThat(page.contents()).isEqualTo("\uFFFDb \uD83D\uDC26 \uFFFD");
  }

  /** The JDK's decoder of UTF-32 lets surrogates pass; found by fuzzing. */
  @Test
  void anUnpairedSurrogateInUtf32BecomesAReplacementCharacter() throws Exception {
    byte[] bytes = {-1, -2, 0, 0, 'a', 0, 0, 0, 0, (byte) 0xDD, 0, 0, 'b', 0, 0, 0};
    for (HtmlMode mode : HtmlMode.values()) {
      assertThat(parse(new DocumentParser(mode), ContentType.HTML, bytes).contents())
          .isEqualTo("a\uFFFDb");
    }
    ParsedDocument text = parse(ContentType.PLAIN_TEXT, bytes);
    assertThat(text.contents()).isEqualTo("a\uFFFDb");
    assertThat(text.text("contents").bytes())
        .startsWith(new byte[] {'a', (byte) 0xEF, (byte) 0xBF, (byte) 0xBD, 'b'});
  }

  @Test
  void furtherTextsNeedFurtherHeap() throws Exception {
    byte[] page = "<h1>x</h1>".repeat(100).getBytes(StandardCharsets.UTF_8);
    HeapGuard usual =
        new HeapGuard() {
          @Override
          public long freeBytes() {
            return 12L * page.length;
          }

          @Override
          public long largestBytes() {
            return freeBytes();
          }

          @Override
          public boolean reserve(long heapBytes) {
            return heapBytes <= freeBytes();
          }

          @Override
          public void release() {}
        };
    DocumentParser titles = new DocumentParser(HtmlMode.FAST, usual);
    assertThat(parse(titles, ContentType.HTML, page).contents()).startsWith("x x x");
    DocumentParser headings =
        new DocumentParser(HtmlMode.FAST, usual, FieldPlan.parse("contents,headings"));
    assertThatThrownBy(() -> parse(headings, ContentType.HTML, page))
        .isInstanceOf(MalformedDocumentException.class)
        .hasMessageContaining("with the texts of all fields")
        .extracting(e -> ((MalformedDocumentException) e).reason())
        .isEqualTo(SkipReason.TOO_LARGE);
    DocumentParser trees = new DocumentParser(HtmlMode.JSOUP, usual);
    assertThatThrownBy(() -> parse(trees, ContentType.HTML, page))
        .isInstanceOf(MalformedDocumentException.class)
        .hasMessageContaining("of HTML need a tree of")
        .extracting(e -> ((MalformedDocumentException) e).reason())
        .isEqualTo(SkipReason.TOO_LARGE);
  }

  @Test
  void textInUtf8NeedsLessHeapThanWhatIsConverted() throws Exception {
    byte[] ascii = "a word ".repeat(100).getBytes(StandardCharsets.UTF_8);
    byte[] invalid = ascii.clone();
    invalid[300] = (byte) 0xFF;
    List<Long> reserved = new ArrayList<>();
    HeapGuard guard =
        new HeapGuard() {
          @Override
          public long freeBytes() {
            return 0;
          }

          @Override
          public long largestBytes() {
            return Long.MAX_VALUE;
          }

          @Override
          public int heapPerTextByte() {
            return 3;
          }

          @Override
          public boolean reserve(long heapBytes) {
            reserved.add(heapBytes / ascii.length);
            return true;
          }

          @Override
          public void release() {}
        };
    DocumentParser parser = new DocumentParser(HtmlMode.FAST, guard);
    parse(parser, ContentType.PLAIN_TEXT, ascii);
    parse(parser, ContentType.PLAIN_TEXT, invalid);
    parse(parser, ContentType.HTML, ascii);
    parser.readAsStrings(true);
    parse(parser, ContentType.PLAIN_TEXT, ascii);
    assertThat(reserved).containsExactly(3L, 12L, 12L, 12L);
  }

  @Test
  void plainTextIsItsContentsAsItStands() throws Exception {
    String text = "<b>One</b>\n  two &amp; three\n";
    assertThat(parse(ContentType.PLAIN_TEXT, text.getBytes(StandardCharsets.UTF_8)))
        .isEqualTo(new ParsedDocument("id.html", "", text));
    byte[] declared = "<meta charset=windows-1252>\u00E9".getBytes(StandardCharsets.ISO_8859_1);
    assertThat(parse(ContentType.PLAIN_TEXT, declared).contents()).endsWith(">\uFFFD");
  }

  @ParameterizedTest
  @CsvSource({"UTF-8", "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"})
  void aByteOrderMarkWinsOverEverythingAndIsNoText(String name) throws Exception {
    String page = "<meta charset=koi8-r><title>Ü</title>ключ 鍵";
    byte[] bytes = ("\uFEFF" + page).getBytes(Charset.forName(name));
    assertThat(parse(ContentType.HTML, bytes))
        .isEqualTo(new ParsedDocument("id.html", "Ü", "ключ 鍵"));
    assertThat(parse(ContentType.PLAIN_TEXT, bytes).contents()).isEqualTo(page);
  }

  @Test
  void invalidBytesBecomeReplacementCharacters() throws Exception {
    byte[] bytes = {'a', (byte) 0xFF, 'b', (byte) 0xE2, (byte) 0x82};
    assertThat(parse(ContentType.HTML, bytes).contents()).isEqualTo("a\uFFFDb\uFFFD");
    assertThat(parse(ContentType.PLAIN_TEXT, bytes).contents()).isEqualTo("a\uFFFDb\uFFFD");
  }

  @Test
  void bytesBehindTheLengthAreNotRead() throws Exception {
    byte[] bytes = "onetwo".getBytes(StandardCharsets.UTF_8);
    RawDocument raw = new RawDocument("i", "/i", ContentType.HTML, bytes, 3, 0);
    assertThat(parser.parse(raw)).isEqualTo(new ParsedDocument("i", "", "one"));
  }

  @Test
  void anyBytesAtAllAreParsedOrRefusedAndNeverMore() throws Exception {
    Random random = new Random(11);
    String shapes = "<>/!-'\"=&;#?abpt \n\0";
    for (int i = 0; i < 2000; i++) {
      byte[] bytes = new byte[random.nextInt(200)];
      random.nextBytes(bytes);
      for (int j = 0; j < bytes.length; j++) {
        if (random.nextInt(8) != 0) {
          bytes[j] = (byte) shapes.charAt(random.nextInt(shapes.length()));
        }
      }
      assertThat(parse(ContentType.HTML, bytes).contents()).doesNotContain("  ");
    }
  }

  private ParsedDocument html(String page) throws MalformedDocumentException, InterruptedException {
    return parse(ContentType.HTML, page.getBytes(StandardCharsets.UTF_8));
  }

  private ParsedDocument parse(ContentType type, byte[] bytes)
      throws MalformedDocumentException, InterruptedException {
    return parse(parser, type, bytes);
  }

  private static ParsedDocument parse(DocumentParser parser, ContentType type, byte[] bytes)
      throws MalformedDocumentException, InterruptedException {
    return parser.parse(new RawDocument("id.html", "/x/id.html", type, bytes, bytes.length, 0));
  }
}
