package io.kmodel.indexer.parse.html;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kmodel.indexer.parse.DocumentParser;
import io.kmodel.indexer.parse.MalformedDocumentException;
import io.kmodel.indexer.parse.ParsedDocument;
import io.kmodel.indexer.parse.text.TextBuffer;
import io.kmodel.indexer.parse.text.Utf8Text;
import io.kmodel.indexer.source.ContentType;
import io.kmodel.indexer.source.RawDocument;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** jsoup is the oracle: whatever the extractor is sure of is what jsoup's tree says. */
class HtmlExtractorTest {
  private static final Path SAMPLES = Path.of("corpus-samples");
  private final BothReaders both = new BothReaders();
  private final DocumentParser fast = both.fast;
  private final DocumentParser fastFields = both.fastFields;

  static Stream<String> pages() {
    return HtmlPages.all();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void thePageIsReadAsJsoupReadsIt(String page)
      throws MalformedDocumentException, InterruptedException {
    assertSame(page);
    assertThat(fast.counts().unsure()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void thePageIsReadAsJsoupReadsItWhereverItIsCutOff(String page)
      throws MalformedDocumentException, InterruptedException {
    byte[] bytes = page.getBytes(UTF_8);
    for (int length = 0; length <= bytes.length; length++) {
      assertSame(Arrays.copyOf(bytes, length));
    }
  }

  /** Browsers show them on lines of their own: a word ends there. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<details><summary>a</summary>b</details> | a b",
        "<fieldset><legend>a</legend>b</fieldset>c | a b c",
        "<form><b>one</form><summary>two</b>three | one twothree",
        "<form><i></form>e<summary></i>x | e x",
        "<form><a>h<summary>i</form><a> | h i",
        "<p><a><form>x</form><summary>k<a> | x k"
      })
  void aSummaryAndALegendEndAWord(String page, String text)
      throws MalformedDocumentException, InterruptedException {
    assertSame(page);
    assertThat(fast.counts().unsure()).isEmpty();
    byte[] bytes = page.getBytes(UTF_8);
    Utf8Text input = new Utf8Text();
    input.set(bytes, bytes.length, true);
    HtmlExtractor extractor = new HtmlExtractor();
    assertThat(extractor.extract(input)).isNull();
    TextBuffer contents = extractor.contents();
    assertThat(new String(contents.bytes, 0, contents.length, UTF_8)).isEqualTo(text);
  }

  /** Of one reference five bytes become six, of a NUL three. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "a %1$s b %2$s",
        "<title>%1$s</title>%1$s%2$s",
        "<title>%2$s</title>",
        "<title>%3$s</title>",
        "<plaintext>%3$s%2$s",
        "<textarea>%3$s</textarea>%2$s%1$s",
        "<textarea>%3$s%1$s</textarea><b>%2$s</b>",
        "%1$s<plaintext>%3$s%2$s"
      })
  void textMayBeLongerThanThePage(String page)
      throws MalformedDocumentException, InterruptedException {
    for (int times = 1; times < 20_000; times *= 7) {
      assertSame(page.formatted("&nGt;".repeat(times), "c d".repeat(times), "\0".repeat(times)));
    }
    assertThat(fast.counts().unsure()).isEmpty();
  }

  @Test
  void theTextsTakeNoMoreMemoryThanTheirPage() {
    byte[] page = ("<title>a</title>" + "&amp;<b>b</b> ".repeat(10_000)).getBytes(UTF_8);
    Utf8Text text = new Utf8Text();
    text.set(page, page.length, true);
    HtmlExtractor extractor = new HtmlExtractor();
    assertThat(extractor.extract(text)).isNull();
    assertThat(extractor.contents().bytes).hasSizeBetween(page.length, page.length + 64);
    assertThat(extractor.title().bytes).hasSizeLessThan(page.length / 10);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<table><input>x | INPUT_IN_TABLE",
        "<table><select><input>x | INPUT_IN_TABLE",
        "<table><b>x<tr><td>y<tr><input> | INPUT_IN_TABLE",
        "<p hidden></p><frameset> | LATE_FRAMESET",
        "<div><b><video><div>x</b>y</video>z | MISNESTED_WIDGET",
        "<p><b a=1><b a=2><b a=3><b a=4></p>x | FORMATTING",
        "<math><annotation-xml>x | FOREIGN_ATTRIBUTES",
        "<svg><font color=red>x | FOREIGN_ATTRIBUTES",
        "<svg><script/>x</svg> | FOREIGN_SCRIPT",
        "<template><svg><title>x | ODD_TITLE",
        "<xé>a</xé> | TAG_NAME",
        "<!doctypehtml>x | DOCTYPE",
        "&#xD83D;&#xDE00; | CHARACTER_REFERENCE",
        "a</body></> b | NAMELESS_END",
        "\uFFFFb | NONCHARACTER",
        "a&amp;\uFFFFb | NONCHARACTER",
        "<p> \uFFFFb | NONCHARACTER",
        "<p a=\uFFFF>b | NONCHARACTER",
        "a<!--b\uFFFF-->c | NONCHARACTER",
        "c\uFEFF<b>\uFFFF | NONCHARACTER",
        "c\uFFFDd<b>\uFFFF | NONCHARACTER",
        "c\uFF21d<b>\uFFFF | NONCHARACTER",
        "<table><td>a<tr><input>x&amp;\uFFFF | INPUT_IN_TABLE"
      })
  void aPageWhoseTextIsNotKnownWithoutATreeGoesToJsoup(String page, HtmlUnsure reason)
      throws MalformedDocumentException, InterruptedException {
    assertSame(page);
    assertThat(fast.counts().unsure()).containsExactly(Map.entry(reason, 1L));
    assertThat(fast.counts().jsoup()).isOne();
    assertThat(fast.counts().fast()).isZero();
  }

  @Test
  void threeFormattingElementsOfTheSameNameAreComparedByTheirAttributes()
      throws MalformedDocumentException, InterruptedException {
    String block = "</p><p>x</b></b></b></b>y<p>z";
    for (String third : new String[] {"<b a=1>", "<b a=1 >", "<b a=1\n/>", "<b  a=1>"}) {
      assertSame("<p><b a=1><b a=1><b a=1>" + third + block);
    }
    assertSame("<p><b><b><b/><b >" + block);
    assertThat(fast.counts().unsure()).isEmpty();
    for (String other : new String[] {"<b a=2>", "<b>", "<b a=12>", "<b b=1>"}) {
      assertSame("<p><b a=1><b a=1><b a=1>" + other + block);
    }
    assertThat(fast.counts().unsure()).containsExactly(Map.entry(HtmlUnsure.FORMATTING, 4L));
  }

  /** Long texts between two parts of an attribute, too: what jsoup's buffer holds is not known. */
  @ParameterizedTest
  @ValueSource(strings = {"a%sb", "<p a='%s'>b", "<p>a %s<i>b"})
  void theNonCharacterIsOneWhereJsoupTakesItForOne(String page)
      throws MalformedDocumentException, InterruptedException {
    for (int length = 0; length < 240; length++) {
      assertSame(page.formatted("c".repeat(length) + "\uFFFF\uFFFFd"));
    }
    assertThat(fast.counts().unsure()).isEmpty();
    for (int length = 256; length < 5000; length++) {
      assertSame(page.formatted("c".repeat(length) + "\uFFFF"));
    }
    assertThat(fast.counts().unsure()).containsOnlyKeys(HtmlUnsure.NONCHARACTER);
  }

  @Test
  void textInTablesIsNotMovedTimeAndAgain()
      throws MalformedDocumentException, InterruptedException {
    String row = "<tr><td>" + "a".repeat(1000) + "</td></tr><p>b</p>";
    assertSame("<table>" + row.repeat(30));
    assertSame(("<table>" + row.repeat(30) + "</table>").repeat(20));
    assertThat(fast.counts().unsure()).isEmpty();
    assertSame("<table>" + row.repeat(36));
    assertThat(fast.counts().unsure()).containsOnlyKeys(HtmlUnsure.TEXT_IN_TABLE);
  }

  @Test
  void textThatMovesGoesToJsoupIfLinksAreWanted()
      throws MalformedDocumentException, InterruptedException {
    assertSame("<table><br></p><h1>a</h1><tr><td>b");
    assertThat(fastFields.counts().unsure()).isEmpty();
    assertSame("<table><td><h1>a</h1><tr><a>b");
    assertThat(fast.counts().unsure()).isEmpty();
    assertThat(fastFields.counts().unsure()).containsOnlyKeys(HtmlUnsure.TEXT_IN_TABLE);
  }

  @Test
  void elementsNestedTooDeepGoToJsoup() throws MalformedDocumentException, InterruptedException {
    assertSame("<div>".repeat(509) + "x" + "</div>".repeat(509) + "y");
    assertThat(fast.counts().unsure()).isEmpty();
    assertSame("<div>".repeat(600) + "x" + "</div>y".repeat(600));
    assertThat(fast.counts().unsure()).containsOnlyKeys(HtmlUnsure.DEPTH);
  }

  @Test
  void underALowerLimitOfNestingTheTextIsStillJsoups()
      throws MalformedDocumentException, InterruptedException {
    for (int limit = 16; limit < 24; limit++) {
      for (DocumentParser parser : both.all()) {
        parser.limitNesting(limit);
      }
      for (int depth = 10; depth < 30; depth++) {
        assertSame("<div>a".repeat(depth) + "x" + "</div>y".repeat(depth) + "z");
        assertThat(fast.cameToNestingLimit()).isEqualTo(depth + 2 > limit);
        assertSame("<table><tr><td>b<b>c".repeat(depth / 3) + "d");
        assertSame("<template><p>e".repeat(depth) + "</template>f".repeat(depth));
      }
    }
    assertThat(fast.counts().unsure()).containsKey(HtmlUnsure.DEPTH);
    assertThat(fast.counts().fast()).isPositive();
    fast.dropLargeBuffers(Integer.MAX_VALUE);
    assertSame("<div>".repeat(40));
    assertThat(fast.cameToNestingLimit()).isTrue();
  }

  @Test
  void tooManyNamesOrFormattingElementsGoToJsoup()
      throws MalformedDocumentException, InterruptedException {
    StringBuilder names = new StringBuilder();
    for (int i = 0; i <= TagNames.MAX_OTHERS; i++) {
      names.append("<x").append(i).append(">").append(i).append("</x").append(i).append("> ");
    }
    assertSame(names.toString());
    StringBuilder formatting = new StringBuilder();
    for (int i = 0; i < FormattingElements.MAX / 6; i++) {
      formatting.append("<object><p><b><i><u><s><tt><em>x</p>");
    }
    assertSame(formatting.toString());
    assertThat(fast.counts().unsure())
        .containsOnlyKeys(HtmlUnsure.TAG_NAME_COUNT, HtmlUnsure.FORMATTING_COUNT);
  }

  @Property(tries = 3000)
  void tagSoupIsReadAsJsoupReadsIt(@ForAll long seed)
      throws MalformedDocumentException, InterruptedException {
    assertSame(TagSoup.page(new Random(seed)));
  }

  @Property(tries = 3000)
  void soupOfFormsIsReadAsJsoupReadsIt(@ForAll long seed)
      throws MalformedDocumentException, InterruptedException {
    assertSame(TagSoup.forms(new Random(seed)));
  }

  @Property(tries = 3000)
  void soupOfTablesIsReadAsJsoupReadsIt(@ForAll long seed)
      throws MalformedDocumentException, InterruptedException {
    assertSame(TagSoup.tables(new Random(seed)));
  }

  @Property(tries = 500)
  void bytesThatAreNoTextAtAllAreReadAsJsoupReadsThem(@ForAll byte[] bytes)
      throws MalformedDocumentException, InterruptedException {
    assertSame(bytes);
  }

  @Property(tries = 1000)
  void aPageWithBytesChangedIsReadAsJsoupReadsIt(@ForAll long seed)
      throws MalformedDocumentException, InterruptedException {
    Random random = new Random(seed);
    List<String> all = pages().toList();
    StringBuilder page = new StringBuilder();
    for (int i = 0; i < 4; i++) {
      page.append(all.get(random.nextInt(all.size())));
    }
    byte[] bytes = page.toString().getBytes(UTF_8);
    for (int i = 0; i < 3; i++) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
    }
    assertSame(bytes);
  }

  @Test
  void mostTagSoupIsNotLeftToJsoup() throws MalformedDocumentException, InterruptedException {
    for (int seed = 0; seed < 2000; seed++) {
      assertSame(TagSoup.page(new Random(seed)));
    }
    assertThat(fast.counts().fast()).isGreaterThan(1600);
  }

  @Test
  void soupOfTablesIsNotLeftToJsoup() throws MalformedDocumentException, InterruptedException {
    for (int seed = 0; seed < 2000; seed++) {
      assertSame(TagSoup.tables(new Random(seed)));
    }
    assertThat(fast.counts().fast()).isGreaterThan(1950);
  }

  @Test
  void theSamplesOfTheCorpusAreReadAsJsoupReadsThem()
      throws IOException, MalformedDocumentException, InterruptedException {
    assumeTrue(Files.isDirectory(SAMPLES), "there is no " + SAMPLES);
    List<Path> files;
    try (Stream<Path> all = Files.walk(SAMPLES)) {
      files = all.filter(Files::isRegularFile).toList();
    }
    for (Path file : files) {
      assertSame(Files.readAllBytes(file));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "<h1>a <b>b</b></h1>c<h6> d</h6> | a b d | -",
        "<h2>a<p>b<h3>c</h3>d</h2>e | a b c | -",
        "x<a href=y>a</a><a>b</a>c<a> d </a> | - | a b d",
        "<h1><a>a</a>b</h1><a><h2>c</h2></a> | ab c | a c",
        "<a>a<p>b</a>c</p> | - | a b",
        "<a>a<div>b<a>c</div>d | - | a b c d",
        "<b><a>a<p>b</b>c</p>d</a>e | - | a bc d",
        "<svg><a>a</a></svg>b | - | a",
        "<script>x</script><noscript><h1><a>b</a></h1></noscript><h1>&shy;</h1> | - | -",
        "<h1>a<br>b | a b | -",
        "<h1>a<table><tr><td>b<td>c</table>d</h1>e | a b c d | -"
      })
  void headingsAndLinksAreTakenOutOfTheContents(String page, String headings, String anchors)
      throws MalformedDocumentException, InterruptedException {
    assertSame(page);
    ParsedDocument parsed = fastFields.parse(BothReaders.document(page.getBytes(UTF_8)));
    assertThat(fastFields.counts().unsure()).isEmpty();
    assertThat(parsed.text("headings").string()).isEqualTo(headings == null ? "" : headings);
    assertThat(parsed.text("anchors").string()).isEqualTo(anchors == null ? "" : anchors);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<a>a<select><a>b</a>c",
        "<a>a<listing>b</a>c",
        "<b><svg><a><desc><p>x</b>y",
        "<a>x<frame>y"
      })
  void aLinkThatEndsWhereItCannotGoesToJsoupIfLinksAreWanted(String page)
      throws MalformedDocumentException, InterruptedException {
    assertSame(page);
    assertThat(fast.counts().unsure()).isEmpty();
  }

  @Test
  void severalPartsAreOneTextWithALineFeedBetween()
      throws MalformedDocumentException, InterruptedException {
    String page = "<title>t</title><h1>h é</h1>";
    assertThat(fastFields.parse(BothReaders.document(page.getBytes(UTF_8))).text("all").string())
        .isEqualTo("t\nh é");
    assertThat(fastFields.parse(BothReaders.document("x".getBytes(UTF_8))).text("all").string())
        .isEmpty();
  }

  @Test
  void aCopyOutlivesTheNextPage() throws MalformedDocumentException, InterruptedException {
    byte[] plain = "plain".getBytes(UTF_8);
    RawDocument text = new RawDocument("t", "t", ContentType.PLAIN_TEXT, plain, plain.length, 0);
    ParsedDocument copy =
        fast.parse(BothReaders.document("<title>a</title>bcd".getBytes(UTF_8))).copy();
    ParsedDocument other = fast.parse(text).copy();
    plain[0] = 'x';
    fast.parse(BothReaders.document("<title>x</title>xxx".getBytes(UTF_8)));
    assertThat(copy).isEqualTo(new ParsedDocument("page", "a", "bcd"));
    assertThat(other).isEqualTo(new ParsedDocument("t", "", "plain"));
  }

  private void assertSame(String page) throws MalformedDocumentException, InterruptedException {
    both.assertSame(page);
  }

  private void assertSame(byte[] page) throws MalformedDocumentException, InterruptedException {
    both.assertSame(page);
  }
}
