package io.kmodel.indexer.parse.html;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryFile;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.kmodel.indexer.parse.DocumentParser;
import io.kmodel.indexer.parse.MalformedDocumentException;
import io.kmodel.indexer.parse.ParsedDocument;
import io.kmodel.indexer.parse.field.FieldPlan;
import io.kmodel.indexer.parse.text.TextBuffer;
import io.kmodel.indexer.parse.text.Utf8Text;
import io.kmodel.indexer.source.ContentType;
import io.kmodel.indexer.source.HeapGuard;
import io.kmodel.indexer.source.RawDocument;
import java.util.Arrays;

/**
 * Any bytes as a page: a page that the extractor is sure of has jsoup's title and text, and every
 * other page ends with a reason. How to fuzz for real is said in docs/dev/reliability.md.
 */
class HtmlFuzzTest {
  /** As a thread has them: what one page leaves behind would show in the next. */
  private static final DocumentParser FAST = new DocumentParser(HtmlMode.FAST);

  private static final DocumentParser JSOUP = new DocumentParser(HtmlMode.JSOUP);

  private static final FieldPlan FIELDS = FieldPlan.parse("title,contents,headings,anchors");

  private static final DocumentParser FAST_FIELDS =
      new DocumentParser(HtmlMode.FAST, HeapGuard.UNLIMITED, FIELDS);

  private static final DocumentParser JSOUP_FIELDS =
      new DocumentParser(HtmlMode.JSOUP, HeapGuard.UNLIMITED, FIELDS);

  private static final Utf8Text UTF_8 = new Utf8Text();
  private static final HtmlExtractor EXTRACTOR = new HtmlExtractor();

  @DictionaryFile(resourcePath = "html.dict")
  @FuzzTest
  void aPageIsReadAsJsoupReadsIt(byte[] bytes)
      throws MalformedDocumentException, InterruptedException {
    RawDocument page = new RawDocument("", "page", ContentType.HTML, bytes, bytes.length, 0);
    ParsedDocument expected = JSOUP.parse(page);
    ParsedDocument actual = FAST.parse(page);
    assertThat(actual.title()).as("title").isEqualTo(expected.title());
    assertThat(actual.contents()).as("contents").isEqualTo(expected.contents());
    assertThat(FAST_FIELDS.parse(page)).isEqualTo(JSOUP_FIELDS.parse(page));
  }

  /** Whatever the bytes before it were, and whatever the array holds behind it. */
  @DictionaryFile(resourcePath = "html.dict")
  @FuzzTest
  void aPageIsReadAlikeByAnExtractorThatHasReadOthers(byte[] bytes) {
    Utf8Text text = new Utf8Text();
    HtmlExtractor extractor = new HtmlExtractor();
    text.set(bytes, bytes.length, true);
    HtmlUnsure unsure = extractor.extract(text);
    byte[] longer = Arrays.copyOf(bytes, bytes.length + 16);
    Arrays.fill(longer, bytes.length, longer.length, (byte) '<');
    UTF_8.set(longer, bytes.length, true);
    assertThat(EXTRACTOR.extract(UTF_8)).isEqualTo(unsure);
    if (unsure == null) {
      assertSame(extractor.title(), EXTRACTOR.title());
      assertSame(extractor.contents(), EXTRACTOR.contents());
    }
  }

  private static void assertSame(TextBuffer one, TextBuffer other) {
    assertThat(Arrays.equals(one.bytes, 0, one.length, other.bytes, 0, other.length)).isTrue();
  }
}
