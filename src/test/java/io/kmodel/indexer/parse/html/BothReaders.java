package io.kmodel.indexer.parse.html;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.parse.DocumentParser;
import io.kmodel.indexer.parse.MalformedDocumentException;
import io.kmodel.indexer.parse.ParsedDocument;
import io.kmodel.indexer.parse.field.FieldPlan;
import io.kmodel.indexer.parse.field.KnownColumn;
import io.kmodel.indexer.parse.field.MetadataPlan;
import io.kmodel.indexer.parse.metadata.Values;
import io.kmodel.indexer.source.ContentType;
import io.kmodel.indexer.source.HeapGuard;
import io.kmodel.indexer.source.RawDocument;
import java.util.List;

/**
 * Reads pages without a tree and by jsoup, which is the oracle. One parser of each kind for all
 * pages, as a thread has it: what a page leaves behind would be seen.
 */
public final class BothReaders {
  private static final FieldPlan FIELDS =
      FieldPlan.parse("title,contents,headings,anchors,url").combine("all=title,headings,url");

  private static final MetadataPlan METADATA =
      MetadataPlan.parse(
          // Detecting languages would take most of the time.
          KnownColumn.names().stream().filter(name -> !name.startsWith("detected")).toList(),
          List.of("a=a", "year=name:int"));

  public final DocumentParser fast = new DocumentParser(HtmlMode.FAST);

  private final DocumentParser jsoup = new DocumentParser(HtmlMode.JSOUP);

  /** The same with all that a page can be asked for. */
  public final DocumentParser fastFields =
      new DocumentParser(HtmlMode.FAST, HeapGuard.UNLIMITED, FIELDS, METADATA);

  private final DocumentParser jsoupFields =
      new DocumentParser(HtmlMode.JSOUP, HeapGuard.UNLIMITED, FIELDS, METADATA);

  public List<DocumentParser> all() {
    return List.of(fast, jsoup, fastFields, jsoupFields);
  }

  public void assertSame(String page) throws MalformedDocumentException, InterruptedException {
    assertSame(page.getBytes(UTF_8));
  }

  public void assertSame(byte[] page) throws MalformedDocumentException, InterruptedException {
    ParsedDocument actual = fast.parse(document(page));
    ParsedDocument expected = jsoup.parse(document(page));
    assertThat(actual.title()).as("title").isEqualTo(expected.title());
    assertThat(actual.contents()).as("contents").isEqualTo(expected.contents());
    ParsedDocument fields = fastFields.parse(document(page));
    ParsedDocument expectedFields = jsoupFields.parse(document(page));
    assertThat(fields).isEqualTo(expectedFields);
    assertThat(Values.of(fields)).as("metadata").isEqualTo(Values.of(expectedFields));
    assertThat(fields.contents()).isEqualTo(expected.contents());
  }

  public static RawDocument document(byte[] page) {
    return new RawDocument("page", "page", ContentType.HTML, page, page.length, 0);
  }
}
