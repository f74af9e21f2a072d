package io.kmodel.indexer.parse;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Iterables;
import io.kmodel.indexer.parse.field.FieldPlan;
import io.kmodel.indexer.parse.field.FieldText;
import io.kmodel.indexer.parse.field.MetadataPlan;
import io.kmodel.indexer.parse.field.TextPart;
import io.kmodel.indexer.parse.html.HtmlCounts;
import io.kmodel.indexer.parse.html.HtmlExtractor;
import io.kmodel.indexer.parse.html.HtmlMetadata;
import io.kmodel.indexer.parse.html.HtmlMode;
import io.kmodel.indexer.parse.html.HtmlText;
import io.kmodel.indexer.parse.html.HtmlUnsure;
import io.kmodel.indexer.parse.html.MainContent;
import io.kmodel.indexer.parse.html.OpenElements;
import io.kmodel.indexer.parse.html.TreeHeap;
import io.kmodel.indexer.parse.html.WatchedElements;
import io.kmodel.indexer.parse.html.XmlPages;
import io.kmodel.indexer.parse.html.XmlText;
import io.kmodel.indexer.parse.metadata.MetadataReader;
import io.kmodel.indexer.parse.metadata.UnreadValue;
import io.kmodel.indexer.parse.text.TextBuffer;
import io.kmodel.indexer.parse.text.TextDecoder;
import io.kmodel.indexer.parse.text.Undecodable;
import io.kmodel.indexer.parse.text.Utf8Text;
import io.kmodel.indexer.source.ContentType;
import io.kmodel.indexer.source.HeapGuard;
import io.kmodel.indexer.source.RawDocument;
import io.kmodel.indexer.source.record.WellFormed;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jsoup.nodes.Document;
import org.jsoup.parser.Parser;
import org.jspecify.annotations.Nullable;

/**
 * Turns a document's bytes into the texts of its fields, usually title and contents; see {@link
 * TextPart} for the others. The title of HTML is that of the first title element in the head, with
 * white space normalized; the contents are the text of the body, see {@link HtmlText}. A plain text
 * is used unchanged as contents; its title is the one that its collection gives, if any. {@link
 * TextDecoder} describes how the charset is found.
 *
 * <p>HTML is read without a tree if that is sure to give the same text, see {@link HtmlExtractor};
 * otherwise jsoup parses it. A plan with main content has jsoup parse all HTML, and {@link
 * MainContent} choose the contents. Memory: up to 4 times the document; with jsoup usually 10 to 20
 * times, at most what {@link TreeHeap} computes. Elements nested deeper than {@value
 * OpenElements#MAX_DEPTH}, or than a lower limit, are closed early, which keeps their text. Nothing
 * recurses. Each thread needs its own instance.
 */
public final class DocumentParser {
  private static final Pattern TEMPLATE = Pattern.compile("<template", Pattern.CASE_INSENSITIVE);

  /** Pages with more start tags are not read without a nesting limit. */
  private static final int MOST_TAGS_OF_ANY_DEPTH = 16_384;

  /** The elements that are open with the body: html and body. */
  private static final int BODY_DEPTH = 2;

  private static final int KEPT_BYTES = 1 << 20;

  private final HtmlMode mode;
  private final DocumentHeap heap;
  private final FieldPlan plan;
  private final MetadataReader metadata;
  private final int watched;
  private Utf8Text utf8 = new Utf8Text();
  private HtmlExtractor extractor;
  private int maxNesting = OpenElements.MAX_DEPTH;
  private boolean readAsStrings;
  private boolean cameToNestingLimit;
  private @Nullable String undecodable;

  /** Buffers for texts of several parts, by field. */
  private final Map<String, TextBuffer> combined = new HashMap<>();

  private final HtmlCounts counts = new HtmlCounts();

  /** Creates a parser that reads HTML the fast way. */
  public DocumentParser() {
    this(HtmlMode.FAST);
  }

  /** Creates a parser without a heap limit. */
  public DocumentParser(HtmlMode mode) {
    this(mode, HeapGuard.UNLIMITED);
  }

  /** Creates a parser of title and contents. */
  public DocumentParser(HtmlMode mode, HeapGuard heap) {
    this(mode, heap, FieldPlan.DEFAULT);
  }

  /** Creates a parser without metadata. */
  public DocumentParser(HtmlMode mode, HeapGuard heap, FieldPlan plan) {
    this(mode, heap, plan, MetadataPlan.NONE);
  }

  /**
   * Creates a parser.
   *
   * @param heap reserves the heap before a page is parsed into a tree
   * @param plan the texts that the documents must have
   * @param metadata the metadata that they may have
   */
  public DocumentParser(HtmlMode mode, HeapGuard heap, FieldPlan plan, MetadataPlan metadata) {
    this.mode = mode;
    this.heap = new DocumentHeap(heap, plan);
    this.plan = plan;
    this.metadata = new MetadataReader(metadata);
    this.watched = WatchedElements.flags(plan);
    this.extractor = new HtmlExtractor(watched, this.metadata.html());
  }

  /** Sets the maximum number of open elements, at most {@value OpenElements#MAX_DEPTH}. */
  public void limitNesting(int most) {
    maxNesting = most;
    extractor.limitNesting(most);
  }

  /** Whether the last page reached the nesting limit. */
  public boolean cameToNestingLimit() {
    return cameToNestingLimit;
  }

  /**
   * Describes the bytes of the last document that are invalid in its charset, or null. The text has
   * U+FFFD instead of them.
   */
  public @Nullable String undecodable() {
    return undecodable;
  }

  /** Returns the metadata of the last document that could not be read. */
  public ImmutableList<UnreadValue> unreadValues() {
    return metadata.unread();
  }

  /**
   * Parses a document. The result is valid until the next call, and as long as the document's bytes
   * do not change.
   *
   * @throws MalformedDocumentException if the parser cannot read it; the next document is not
   *     affected
   */
  public ParsedDocument parse(RawDocument document)
      throws MalformedDocumentException, InterruptedException {
    cameToNestingLimit = false;
    undecodable = null;
    metadata.start(document);
    heap.reserve(document, () -> isUsedInPlace(document));
    try {
      return switch (document.type()) {
        case HTML -> html(document);
        case XML -> xml(document);
        case PLAIN_TEXT -> plainText(document);
      };
    } catch (RuntimeException | StackOverflowError e) {
      throw new MalformedDocumentException(document.place().toString(), e);
    }
  }

  /** Sets whether the analysis reads texts as Strings, which takes more heap. */
  public void readAsStrings(boolean whether) {
    readAsStrings = whether;
  }

  private boolean isUsedInPlace(RawDocument document) {
    return document.type() == ContentType.PLAIN_TEXT
        && !readAsStrings
        && utf8.isUsedInPlace(document.bytes(), document.length(), document.charset());
  }

  /** Returns how the pages so far were parsed. */
  public HtmlCounts counts() {
    return counts;
  }

  /** Frees the buffers of a large document. This invalidates the last result of {@link #parse}. */
  public void dropLargeBuffers(int documentBytes) {
    if (documentBytes > KEPT_BYTES) {
      utf8 = new Utf8Text();
      extractor = new HtmlExtractor(watched, metadata.html());
      extractor.limitNesting(maxNesting);
      combined.clear();
    }
  }

  /** Reads XHTML as HTML if both give the same text, since that is faster. */
  private ParsedDocument xml(RawDocument document)
      throws MalformedDocumentException, InterruptedException {
    utf8.set(document.bytes(), document.length(), true, document.charset());
    if (XmlPages.areAlsoHtml(utf8.bytes(), utf8.from(), utf8.end())) {
      return html(document);
    }
    note(utf8.undecodable());
    String xml =
        new String(utf8.bytes(), utf8.from(), utf8.end() - utf8.from(), StandardCharsets.UTF_8);
    XmlText text = xmlText(document, xml);
    return document(
        document,
        part ->
            switch (part) {
              case TITLE -> new FieldText(text.title());
              case CONTENTS -> new FieldText(text.contents());
              case HEADINGS -> new FieldText(text.headings());
              case ANCHORS -> new FieldText(text.anchors());
              case URL -> url(document);
              case RAW -> FieldText.of(utf8);
            });
  }

  /** Reads XML. As in {@link #htmlByTree}, a failed parse leaves no partial state. */
  private XmlText xmlText(RawDocument document, String xml)
      throws MalformedDocumentException, InterruptedException {
    try {
      return new XmlText(
          xml, watched, metadata.html(), bytes -> heap.reserveForTreeOfPart(document, bytes));
    } catch (XmlText.LargeTreeException e) {
      throw heap.refused(document, e.treeBytes());
    } catch (OutOfMemoryError e) {
      throw DocumentHeap.exhausted(document, "XML hold HTML that needs");
    }
  }

  private ParsedDocument html(RawDocument document)
      throws MalformedDocumentException, InterruptedException {
    if (mode == HtmlMode.FAST && !plan.mainContent()) {
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

  /** Returns a part of the page that was read last. */
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
    heap.reserveForTree(document, 0);
    TextDecoder.Encoding encoding =
        TextDecoder.encoding(document.bytes(), document.length(), true, document.charset());
    String html = TextDecoder.decode(document.bytes(), document.length(), encoding);
    note(TextDecoder.undecodable(document.bytes(), document.length(), encoding, html));
    TreeHeap tree = new TreeHeap(html);
    long bytesOfMain = plan.mainContent() ? MainContent.PER_ELEMENT * tree.startTags() : 0;
    heap.reserveForTree(document, tree.bytesOfCopies() + bytesOfMain);
    try {
      return byTree(document, html, tree.startTags());
    } catch (OutOfMemoryError e) {
      // Catching this is safe: a failed parse leaves no partial state. The tree and its text were
      // reachable only from that call. Neither this parser nor jsoup keeps them, and the next
      // document overwrites the buffers of further texts. This is a second guard after the heap
      // reservation.
      throw DocumentHeap.exhausted(document, "HTML need");
    }
  }

  /**
   * Parses with jsoup. jsoup throws if it has closed a template early and then returns to its
   * content. If so, the page is parsed again without a nesting limit, in the heap already granted.
   * Without the limit, time grows with depth, so pages with many tags are refused.
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
    // Each document gets a new parser, because a parser remembers every tag name it has seen.
    Document tree = Parser.htmlParser().setMaxDepth(mostOpen).parseInput(html, "");
    HtmlMetadata said = metadata.html();
    if (said != null) {
      said.addAll(tree);
    }
    HtmlText text = new HtmlText(watched);
    String whole = text.of(tree.body());
    cameToNestingLimit = text.deepest() + BODY_DEPTH >= maxNesting;
    FieldText contents =
        new FieldText(plan.mainContent() ? text.of(MainContent.of(tree.body())) : whole);
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
      undecodable = "its title is not UTF-8";
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

  /** Returns the page itself; jsoup has read its own String. */
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
                        : FieldText.joined(
                            combined.computeIfAbsent(field, name -> new TextBuffer()),
                            Iterables.transform(of, parts::apply))));
    return new ParsedDocument(
        document.id(),
        texts.buildOrThrow(),
        document.vector(),
        metadata.values(document, () -> parts.apply(TextPart.CONTENTS)));
  }
}
