package io.kmodel.indexer.parse.html;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.Tier;
import io.kmodel.indexer.parse.DocumentParser;
import io.kmodel.indexer.parse.field.FieldPlan;
import io.kmodel.indexer.parse.field.MetadataPlan;
import io.kmodel.indexer.parse.metadata.Values;
import io.kmodel.indexer.source.HeapGuard;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a page says about itself, read without a tree and by jsoup. */
class HtmlMetadataTest {
  private static final MetadataPlan PLAN =
      MetadataPlan.parse(List.of("date", "language"), List.of("a=a", "b=b:int"));

  private static final String[] PIECES = {
    "<html>",
    "<html lang=de>",
    "<HTML XML:LANG='fr' a>",
    "<html lang=en lang=es>",
    "<html lang=\"pt&#45;br\"/>",
    "<head>",
    "</head>",
    "<body>",
    "</body>",
    "</html>",
    "<!doctype html>",
    "<!-- <meta name=a content=9> -->",
    "<title><meta name=a content=8></title>",
    "<script>'<meta name=a content=7>'</script>",
    "<noscript>",
    "</noscript>",
    "<template>",
    "</template>",
    "<svg>",
    "</svg>",
    "<table>",
    "<tr><td>",
    "</table>",
    "<frameset>",
    "<select>",
    "<p>text",
    "<link rel=x>",
    "<base href=/>",
    " ",
    "\n",
    "x",
    "<meta name=a content=1>",
    "<meta content='2 &amp; &#xD800; \u00e9 &copy=1' NAME='A'>",
    "<meta property=a itemprop=b content=\"a>b\"/>",
    "<meta itemprop=b content=5>",
    "<meta name=b content='&#52;'>",
    "<meta name=b content>",
    "<meta name=date content=2012-05-07>",
    "<meta name=date content='x\0y'>",
    "<meta property=article:published_time content=2001>",
    "<meta http-equiv=content-language content=it>",
    "<meta/name=a/content=3>",
    "<meta name = a content = 4",
    "<meta name=\"a\"content=\"\uFFFF\">",
    "<meta =name=a content=6>",
    "<meta \u0001name=a content=6>",
  };

  private final DocumentParser fast = parser(HtmlMode.FAST);
  private final DocumentParser jsoup = parser(HtmlMode.JSOUP);

  private static DocumentParser parser(HtmlMode mode) {
    return new DocumentParser(mode, HeapGuard.UNLIMITED, FieldPlan.DEFAULT, PLAN);
  }

  @Test
  void bothReadersFindTheSame() throws Exception {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    int pages = Tier.pick(5000, 200_000);
    int withValues = 0;
    for (int i = 0; i < pages; i++) {
      StringBuilder page = new StringBuilder();
      for (int n = random.nextInt(12); n >= 0; n--) {
        page.append(PIECES[random.nextInt(PIECES.length)]);
      }
      Map<String, String> expected = values(jsoup, page.toString());
      assertThat(values(fast, page.toString())).as("seed %d: %s", seed, page).isEqualTo(expected);
      withValues += expected.isEmpty() ? 0 : 1;
    }
    assertThat(withValues).isGreaterThan(pages / 4);
    assertThat(fast.counts().fast()).isGreaterThan(pages / 2);
  }

  @Test
  void onlyTheHeadCounts() throws Exception {
    assertBoth("<meta name=a content=1>", Map.of("a", "1"));
    assertBoth("<head></head><meta name=a content=1><body>", Map.of("a", "1"));
    assertBoth("<p>x<meta name=a content=1>", Map.of());
    assertBoth("<noscript><meta name=a content=1></noscript>", Map.of());
    assertBoth("<template><meta name=a content=1></template>", Map.of());
    assertBoth("<script>x</script><meta name=a content=2>", Map.of("a", "2"));
  }

  @Test
  void aLanguageInALaterTagIsJsoupsToRead() throws Exception {
    assertBoth("<head><html lang=de>", Map.of("language", "de"));
    assertThat(fast.counts().unsure()).containsEntry(HtmlUnsure.HTML_ATTRIBUTES, 1L);
    assertBoth("<!-- x --><html lang=de><html>", Map.of("language", "de"));
    assertThat(fast.counts().fast()).isEqualTo(1);
  }

  private void assertBoth(String page, Map<String, String> expected) throws Exception {
    assertThat(values(jsoup, page)).as(page).isEqualTo(expected);
    assertThat(values(fast, page)).as(page).isEqualTo(expected);
  }

  private static Map<String, String> values(DocumentParser parser, String page) throws Exception {
    return Values.of(parser.parse(BothReaders.document(page.getBytes(UTF_8))));
  }
}
