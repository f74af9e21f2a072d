package io.kmodel.indexer.parse;

import io.kmodel.indexer.source.ContentType;
import io.kmodel.indexer.source.RawDocument;
import org.jsoup.nodes.Document;
import org.jsoup.parser.Parser;

/**
 * Turns a document's bytes into its title and its contents. Of HTML the title is that of the first
 * title element of the head, white space normalised; the contents are the text of the body, see
 * {@link HtmlText}. A plain text has no title, and is its contents as it stands. The charset is
 * found as {@link TextDecoder} says.
 *
 * <p>HTML is parsed by jsoup into a tree: memory some 10 to 20 times the document. Elements nested
 * deeper than {@value #MAX_DEPTH} are closed early, which keeps their text. Nothing recurses. One
 * per thread.
 */
public final class DocumentParser {
  /** Open elements at a time; real pages nest some dozens deep. */
  static final int MAX_DEPTH = 512;

  private final HtmlText text = new HtmlText();

  /**
   * Parses a document.
   *
   * @throws MalformedDocumentException if the parser gives up on it; the next document is not
   *     affected
   */
  public ParsedDocument parse(RawDocument document) throws MalformedDocumentException {
    try {
      return document.type() == ContentType.HTML ? html(document) : plainText(document);
    } catch (RuntimeException | StackOverflowError e) {
      throw new MalformedDocumentException(document.place(), e);
    }
  }

  private ParsedDocument html(RawDocument document) {
    String html = TextDecoder.html(document.bytes(), document.length());
    // A parser of its own per document: it remembers every tag name that it has seen.
    Document tree = Parser.htmlParser().setMaxDepth(MAX_DEPTH).parseInput(html, "");
    String title = HtmlText.wellFormed(tree.title());
    return new ParsedDocument(document.id(), title, text.of(tree.body()));
  }

  private static ParsedDocument plainText(RawDocument document) {
    String contents = TextDecoder.plainText(document.bytes(), document.length());
    return new ParsedDocument(document.id(), "", contents);
  }
}
