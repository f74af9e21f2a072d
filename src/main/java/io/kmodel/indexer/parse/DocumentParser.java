package io.kmodel.indexer.parse;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kmodel.indexer.source.ContentType;
import io.kmodel.indexer.source.HeapGuard;
import io.kmodel.indexer.source.RawDocument;
import io.kmodel.indexer.source.WellFormed;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jsoup.nodes.Document;
import org.jsoup.parser.Parser;
import org.jspecify.annotations.Nullable;

/**
 * Turns a document's bytes into the texts of its fields, of which title and contents are the usual
 * ones; see {@link TextPart} for the others. Of HTML the title is that of the first title element
 * of the head, white space normalised; the contents are the text of the body, see {@link HtmlText}.
 * A plain text is its contents as it stands, and has the title that its collection gives it beside
 * them, if any. The charset is found as {@link TextDecoder} says.
 *
 * <p>HTML is read without a tree where that is sure to give the same text, see {@link
 * HtmlExtractor}, else parsed by jsoup: memory up to 4 times the document, with jsoup usually 10 to
 * 20 times, at most what {@link TreeHeap} says. Elements nested deeper than {@value
 * OpenElements#MAX_DEPTH}, or a lower limit, are closed early, which keeps their text. Nothing
 * recurses. One per thread.
 */
public final class DocumentParser {
  private static final Pattern TEMPLATE = Pattern.compile("<template", Pattern.CASE_INSENSITIVE);

  /** Pages with more start tags are not read without a limit of nesting. */
  private static final int MOST_TAGS_OF_ANY_DEPTH = 16_384;

  /** Elements that are open with the body: html, and the body. */
  private static final int BODY_DEPTH = 2;

  /** Heap that its reader has seen to per byte of a document, for its bytes, title and contents. */
  private static final int USUAL_HEAP_PER_BYTE = 12;

  /** Heap that each further text may take: a buffer, and what is stored of it. */
  private static final int TEXT_HEAP_PER_BYTE = 6;

  private static final int KEPT_BYTES = 1 << 20;

  private final HtmlMode mode;
  private final HeapGuard heap;
  private final FieldPlan plan;
  private final int watched;
  private Utf8Text utf8 = new Utf8Text();
  private HtmlExtractor extractor;
  private int maxNesting = OpenElements.MAX_DEPTH;
  private boolean cameToNestingLimit;
  private @Nullable String undecodable;

  /** Texts of several parts, by field. */
  private final Map<String, TextBuffer> combined = new HashMap<>();

  private final HtmlCounts counts = new HtmlCounts();

  /** A parser that reads HTML the fast way. */
  public DocumentParser() {
    this(HtmlMode.FAST);
  }

  /** A parser with all the heap that it wants. */
  public DocumentParser(HtmlMode mode) {
    this(mode, HeapGuard.UNLIMITED);
  }

  /** A parser of title and contents. */
  public DocumentParser(HtmlMode mode, HeapGuard heap) {
    this(mode, heap, FieldPlan.DEFAULT);
  }

  /**
   * A parser.
   *
   * @param heap is asked before a tree is made of a page
   * @param plan which texts the documents shall have
   */
  public DocumentParser(HtmlMode mode, HeapGuard heap, FieldPlan plan) {
    this.mode = mode;
    this.heap = heap;
    this.plan = plan;
    this.watched = WatchedElements.flags(plan);
    this.extractor = new HtmlExtractor(watched);
  }

  /** Sets how many elements may be open at a time, at most {@value OpenElements#MAX_DEPTH}. */
  public void limitNesting(int most) {
    maxNesting = most;
    extractor.limitNesting(most);
  }

  /** Whether the page that was parsed last came to the limit of nesting. */
  public boolean cameToNestingLimit() {
    return cameToNestingLimit;
  }

  /**
   * What cannot be read of the document that was parsed last, as its bytes are not those of its
   * charset; null if all of it can. U+FFFD stands in its place.
   */
  public @Nullable String undecodable() {
    return undecodable;
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
    undecodable = null;
    requireHeap(document);
    try {
      return document.type() == ContentType.HTML ? html(document) : plainText(document);
    } catch (RuntimeException | StackOverflowError e) {
      throw new MalformedDocumentException(document.place().toString(), e);
    }
  }

  private void requireHeap(RawDocument document)
      throws MalformedDocumentException, InterruptedException {
    long needed = heapBytes(USUAL_HEAP_PER_BYTE, document);
    if (plan.furtherTexts() > 0 && !heap.reserve(needed)) {
      throw MalformedDocumentException.tooLarge(
          document.place().toString(),
          "%d bytes need up to %d MiB with the texts of all fields, more heap than there is for a document; raise --memory"
              .formatted(document.length(), needed >> 20));
    }
  }

  /** Heap that a document takes with all its texts. */
  private long heapBytes(int perByte, RawDocument document) {
    return (perByte + (long) TEXT_HEAP_PER_BYTE * plan.furtherTexts()) * document.length();
  }

  /** How the pages so far were parsed. */
  public HtmlCounts counts() {
    return counts;
  }

  /** Frees what a large document has left behind. What {@link #parse} has returned is void then. */
  public void dropLargeBuffers(int documentBytes) {
    if (documentBytes > KEPT_BYTES) {
      utf8 = new Utf8Text();
      extractor = new HtmlExtractor(watched);
      extractor.limitNesting(maxNesting);
      combined.clear();
    }
  }

  private ParsedDocument html(RawDocument document)
      throws MalformedDocumentException, InterruptedException {
    if (mode == HtmlMode.FAST) {
      utf8.set(document.bytes(), document.length(), true, document.charset());
      note(utf8.undecodable());
      HtmlUnsure unsure = extractor.extract(utf8);
      counts.add(unsure);
      if (unsure == null) {
        return document(document, part -> extracted(document, part));
      }
    } else {
      counts.addJsoup();
    }
    return htmlByTree(document);
  }

  /** A part of the page that was read last. */
  private FieldText extracted(RawDocument document, TextPart part) {
    return switch (part) {
      case TITLE -> FieldText.of(extractor.title());
      case CONTENTS -> FieldText.of(extractor.contents());
      case HEADINGS -> FieldText.of(extractor.headings());
      case ANCHORS -> FieldText.of(extractor.anchors());
      case URL -> url(document);
      case RAW -> FieldText.of(utf8);
    };
  }

  private ParsedDocument htmlByTree(RawDocument document)
      throws MalformedDocumentException, InterruptedException {
    reserveForTree(document, 0);
    TextDecoder.Encoding encoding =
        TextDecoder.encoding(document.bytes(), document.length(), true, document.charset());
    String html = TextDecoder.decode(document.bytes(), document.length(), encoding);
    note(TextDecoder.undecodable(document.bytes(), document.length(), encoding, html));
    TreeHeap tree = new TreeHeap(html);
    reserveForTree(document, tree.bytesOfCopies());
    try {
      return byTree(document, html, tree.startTags());
    } catch (OutOfMemoryError e) {
      // Safe here: what fails amid a tree leaves nothing half done. The tree and its text are
      // reached from nowhere but that call, which has ended; neither this parser nor jsoup keeps
      // any of them, and what is read next overwrites the buffers of further texts. It is a second
      // guard: the first is the heap that was reserved.
      throw MalformedDocumentException.tooLarge(
          document.place().toString(),
          "%d bytes of HTML need a tree that does not fit the heap; raise --memory"
              .formatted(document.length()));
    }
  }

  /** Asks for the heap of a page's tree, which has so many bytes that do not grow with it. */
  private void reserveForTree(RawDocument document, long bytesOfCopies)
      throws MalformedDocumentException, InterruptedException {
    long needed = heapBytes(TreeHeap.PER_BYTE, document) + bytesOfCopies;
    if (!heap.reserve(needed)) {
      throw MalformedDocumentException.tooLarge(
          document.place().toString(),
          "%d bytes of HTML need a tree of up to %d MiB, more heap than there is for a document; raise --memory"
              .formatted(document.length(), needed >> 20));
    }
  }

  /**
   * By jsoup, which throws where it has closed a template early and comes back to what was in it.
   * Then the page is parsed again with all of its depth, in the heap that it was granted. Without a
   * limit time grows with the depth, too: pages with many tags are left alone.
   */
  private ParsedDocument byTree(RawDocument document, String html, long startTags) {
    try {
      return byTree(document, html, maxNesting);
    } catch (RuntimeException e) {
      if (!TEMPLATE.matcher(html).find()) {
        throw e;
      }
      if (startTags > MOST_TAGS_OF_ANY_DEPTH) {
        throw new IllegalStateException(
            "templates nested to the limit of %d elements, in more than %d tags: %s"
                .formatted(maxNesting, MOST_TAGS_OF_ANY_DEPTH, e),
            e);
      }
      ParsedDocument whole = byTree(document, html, Integer.MAX_VALUE);
      cameToNestingLimit = true;
      return whole;
    }
  }

  private ParsedDocument byTree(RawDocument document, String html, int mostOpen) {
    // A parser of its own per document: it remembers every tag name that it has seen.
    Document tree = Parser.htmlParser().setMaxDepth(mostOpen).parseInput(html, "");
    HtmlText text = new HtmlText(watched);
    FieldText contents = new FieldText(text.of(tree.body()));
    cameToNestingLimit = text.deepest() + BODY_DEPTH >= maxNesting;
    return document(
        document,
        part ->
            switch (part) {
              case TITLE -> new FieldText(WellFormed.text(tree.title()));
              case CONTENTS -> contents;
              case HEADINGS -> new FieldText(text.headings());
              case ANCHORS -> new FieldText(text.anchors());
              case URL -> url(document);
              case RAW -> raw(document);
            });
  }

  private ParsedDocument plainText(RawDocument document) {
    utf8.set(document.bytes(), document.length(), false, document.charset());
    note(utf8.undecodable());
    if (undecodable == null && !document.isTitleDecoded()) {
      undecodable = "its title is no UTF-8";
    }
    return document(
        document,
        part ->
            switch (part) {
              case TITLE -> new FieldText(WellFormed.text(document.title()));
              case CONTENTS, RAW -> FieldText.of(utf8);
              case HEADINGS -> new FieldText(WellFormed.text(document.headings()));
              case ANCHORS -> new FieldText("");
              case URL -> url(document);
            });
  }

  private void note(@Nullable Undecodable bytes) {
    undecodable = bytes == null ? null : bytes.toString();
  }

  /** The page itself, which jsoup has read from a String of its own. */
  private FieldText raw(RawDocument document) {
    utf8.set(document.bytes(), document.length(), true, document.charset());
    return FieldText.of(utf8);
  }

  private static FieldText url(RawDocument document) {
    return new FieldText(WellFormed.text(document.url()));
  }

  private ParsedDocument document(RawDocument document, Function<TextPart, FieldText> parts) {
    ImmutableMap.Builder<String, FieldText> texts = ImmutableMap.builder();
    plan.parts()
        .forEach(
            (field, of) ->
                texts.put(
                    field,
                    of.size() == 1
                        ? parts.apply(of.get(0))
                        : combine(
                            combined.computeIfAbsent(field, name -> new TextBuffer()), of, parts)));
    return new ParsedDocument(document.id(), texts.buildOrThrow());
  }

  /** One text of several, without those that are empty. */
  private static FieldText combine(
      TextBuffer to, ImmutableList<TextPart> of, Function<TextPart, FieldText> parts) {
    to.reset(0);
    for (TextPart part : of) {
      FieldText text = parts.apply(part);
      int length = text.length();
      if (length > 0) {
        to.ensureRoom(length + 1);
        if (to.length > 0) {
          to.bytes[to.length++] = '\n';
        }
        System.arraycopy(text.bytes(), text.offset(), to.bytes, to.length, length);
        to.length += length;
      }
    }
    return FieldText.of(to);
  }
}
