package io.kmodel.indexer.parse;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.source.ContentType;
import io.kmodel.indexer.source.HeapGuard;
import io.kmodel.indexer.source.RawDocument;
import java.util.List;

/**
 * Reads pages without a tree and by jsoup, which is the oracle. One parser of each kind for all
 * pages, as a thread has it: what a page leaves behind would be seen.
 */
final class BothReaders {
  private static final FieldPlan FIELDS =
      FieldPlan.parse("title,contents,headings,anchors,url").combine("all=title,headings,url");

  final DocumentParser fast = new DocumentParser(HtmlMode.FAST);

  private final DocumentParser jsoup = new DocumentParser(HtmlMode.JSOUP);

  /** The same with all that a page can be asked for. */
  final DocumentParser fastFields = new DocumentParser(HtmlMode.FAST, HeapGuard.UNLIMITED, FIELDS);

  private final DocumentParser jsoupFields =
      new DocumentParser(HtmlMode.JSOUP, HeapGuard.UNLIMITED, FIELDS);

  List<DocumentParser> all() {
    return List.of(fast, jsoup, fastFields, jsoupFields);
  }

  void assertSame(String page) throws MalformedDocumentException, InterruptedException {
    assertSame(page.getBytes(UTF_8));
  }

  void assertSame(byte[] page) throws MalformedDocumentException, InterruptedException {
    ParsedDocument actual = fast.parse(document(page));
    ParsedDocument expected = jsoup.parse(document(page));
    assertThat(actual.title()).as("title").isEqualTo(expected.title());
    assertThat(actual.contents()).as("contents").isEqualTo(expected.contents());
    ParsedDocument fields = fastFields.parse(document(page));
    assertThat(fields).isEqualTo(jsoupFields.parse(document(page)));
    assertThat(fields.contents()).isEqualTo(expected.contents());
  }

  static RawDocument document(byte[] page) {
    return new RawDocument("page", "page", ContentType.HTML, page, page.length, 0);
  }
}
