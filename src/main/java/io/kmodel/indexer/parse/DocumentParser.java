package io.kmodel.indexer.parse;

import io.kmodel.indexer.source.ContentType;
import io.kmodel.indexer.source.HeapGuard;
import io.kmodel.indexer.source.RawDocument;
import io.kmodel.indexer.source.SourceOptions;
import org.jsoup.nodes.Document;
import org.jsoup.parser.Parser;

/**
 * Turns a document's bytes into its title and its contents. Of HTML the title is that of the first
 * title element of the head, white space normalised; the contents are the text of the body, see
 * {@link HtmlText}. A plain text is its contents as it stands, and has the title that its
 * collection gives it beside them, if any. The charset is found as {@link TextDecoder} says.
 *
 * <p>HTML is read without a tree where that is sure to give the same text, see {@link
 * HtmlExtractor}, else parsed by jsoup: memory up to 3 times the document, with jsoup some 10 to 20
 * times. Elements nested deeper than {@value #MAX_DEPTH}, or a lower limit, are closed early, which
 * keeps their text. Nothing recurses. One per thread.
 */
public final class DocumentParser {
  /** Open elements at a time; real pages nest some dozens deep. */
  static final int MAX_DEPTH = SourceOptions.DEFAULT_MAX_NESTING;

  /** Heap that jsoup's tree of a page takes at its worst, with the text, per byte of the page. */
  static final int TREE_HEAP_PER_BYTE = 64;

  /** Elements that are open with the body: html, and the body. */
  private static final int BODY_DEPTH = 2;

  private static final int KEPT_BYTES = 1 << 20;

  private final HtmlMode mode;
  private final HeapGuard heap;
  private Utf8Text utf8 = new Utf8Text();
  private HtmlExtractor extractor = new HtmlExtractor();
  private int maxNesting = MAX_DEPTH;
  private boolean cameToNestingLimit;
  private final HtmlCounts counts = new HtmlCounts();

  /** A parser that reads HTML the fast way. */
  public DocumentParser() {
    this(HtmlMode.FAST);
  }

  /** A parser with all the heap that it wants. */
  public DocumentParser(HtmlMode mode) {
    this(mode, HeapGuard.UNLIMITED);
  }

  /**
   * A parser.
   *
   * @param heap is asked before a tree is made of a page
   */
  public DocumentParser(HtmlMode mode, HeapGuard heap) {
    this.mode = mode;
    this.heap = heap;
  }

  /** Sets how many elements may be open at a time, at most {@value #MAX_DEPTH}. */
  public void limitNesting(int most) {
    maxNesting = most;
    extractor.limitNesting(most);
  }

  /** Whether the page that was parsed last came to the limit of nesting. */
  public boolean cameToNestingLimit() {
    return cameToNestingLimit;
  }

  /**
   * Parses a document. What is returned is valid until the next call, and as long as the document's
   * bytes stay as they are.
   *
   * @throws MalformedDocumentException if the parser gives up on it; the next document is not
   *     affected
   */
  public ParsedDocument parse(RawDocument document)
      throws MalformedDocumentException, InterruptedException {
    cameToNestingLimit = false;
    try {
      return document.type() == ContentType.HTML ? html(document) : plainText(document);
    } catch (RuntimeException | StackOverflowError e) {
      throw new MalformedDocumentException(document.place(), e);
    }
  }

  /** How the pages so far were parsed. */
  public HtmlCounts counts() {
    return counts;
  }

  /** Frees what a large document has left behind. What {@link #parse} has returned is void then. */
  public void dropLargeBuffers(int documentBytes) {
    if (documentBytes > KEPT_BYTES) {
      utf8 = new Utf8Text();
      extractor = new HtmlExtractor();
      extractor.limitNesting(maxNesting);
    }
  }

  private ParsedDocument html(RawDocument document)
      throws MalformedDocumentException, InterruptedException {
    if (mode == HtmlMode.FAST) {
      utf8.set(document.bytes(), document.length(), true, document.charset());
      HtmlUnsure unsure = extractor.extract(utf8);
      counts.add(unsure);
      if (unsure == null) {
        return new ParsedDocument(document.id(), extractor.title(), extractor.contents());
      }
    } else {
      counts.addJsoup();
    }
    return htmlByTree(document);
  }

  private ParsedDocument htmlByTree(RawDocument document)
      throws MalformedDocumentException, InterruptedException {
    long needed = (long) TREE_HEAP_PER_BYTE * document.length();
    if (!heap.reserve(needed)) {
      throw new MalformedDocumentException(
          document.place(),
          "%d bytes of HTML need a tree of up to %d MiB, more heap than there is for a document; raise --memory"
              .formatted(document.length(), needed >> 20));
    }
    String html = TextDecoder.html(document.bytes(), document.length(), document.charset());
    // A parser of its own per document: it remembers every tag name that it has seen.
    Document tree = Parser.htmlParser().setMaxDepth(maxNesting).parseInput(html, "");
    String title = HtmlText.wellFormed(tree.title());
    HtmlText text = new HtmlText();
    String contents = text.of(tree.body());
    cameToNestingLimit = text.deepest() + BODY_DEPTH >= maxNesting;
    return new ParsedDocument(document.id(), title, contents);
  }

  private ParsedDocument plainText(RawDocument document) {
    utf8.set(document.bytes(), document.length(), false, document.charset());
    return new ParsedDocument(document.id(), HtmlText.wellFormed(document.title()), utf8);
  }
}
