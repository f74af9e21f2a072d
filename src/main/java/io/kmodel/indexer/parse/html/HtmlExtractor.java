package io.kmodel.indexer.parse.html;

import io.kmodel.indexer.parse.html.HtmlTree.Content;
import io.kmodel.indexer.parse.text.TextBuffer;
import io.kmodel.indexer.parse.text.Utf8Text;
import io.kmodel.indexer.source.record.EightBytes;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Extracts the title and the text of a page without a tree, byte for byte as jsoup's tree gives
 * them (see {@link HtmlText} for the definition of the text). A tokenizer (HTML standard §13.2.5)
 * feeds {@link HtmlTree}, which tracks only the open elements. If this does not determine the text,
 * the extractor gives a reason, and the page is left to the other parser.
 *
 * <p>Memory: reused buffers as long as the page. A buffer grows if references or NULs make the text
 * longer, and moving text takes a further buffer shorter than the text. Nothing is allocated per
 * tag or word. Time: linear. No input makes it fail. Each thread needs its own instance.
 */
public final class HtmlExtractor {
  private static final byte[][] NAMES = names();

  /** The number of bytes that must be readable where a tag with a short name may start. */
  private static final int SHORT_TAG = 2 + Long.BYTES;

  /** Stands for the number of an unknown name. */
  private static final int UNKNOWN = -1;

  private static final byte[] DOCTYPE = ascii("doctype");
  private static final byte[] CDATA = ascii("[CDATA[");

  private final TextBuffer contents = new TextBuffer();
  private final TextBuffer title = new TextBuffer();
  private final TextBuffer headings = new TextBuffer();
  private final TextBuffer anchors = new TextBuffer();
  private final WatchedElements watched;
  private final HtmlTree tree;
  private final HtmlTextReader reader;
  private final TagNames names = new TagNames();
  private final @Nullable HtmlMetadata metadata;

  private byte[] page = {};
  private int end;
  private boolean titled;

  /** The flags of tags whose attributes matter. */
  private int withAttributes;

  /** The number of U+FFFF whose effect on the page is not known yet. */
  private int nonCharacters;

  /** Creates an extractor of title and contents. */
  HtmlExtractor() {
    this(WatchedElements.NONE);
  }

  /**
   * Creates an extractor that also extracts the text of elements with these flags, see {@link
   * WatchedElements}.
   */
  public HtmlExtractor(int watchedFlags) {
    this(watchedFlags, null);
  }

  /**
   * The same with metadata.
   *
   * @param metadata collects what the page says about itself; null if that is not wanted
   */
  public HtmlExtractor(int watchedFlags, @Nullable HtmlMetadata metadata) {
    this.metadata = metadata;
    watched = new WatchedElements(watchedFlags);
    tree = new HtmlTree(contents, watched);
    reader = new HtmlTextReader(tree, contents);
  }

  /** Sets the maximum number of open elements; a page with more is unsure. */
  public void limitNesting(int most) {
    tree.open.limit = most;
  }

  /**
   * Reads a page, which invalidates the results of the previous one.
   *
   * @return null, or why the results are unreliable
   */
  @Nullable
  public HtmlUnsure extract(Utf8Text input) {
    page = input.bytes();
    end = input.end();
    reader.reset(page, end);
    title.reset(0);
    tree.reset(page, end);
    watched.reset();
    names.reset(page);
    titled = false;
    withAttributes = HtmlTag.FORMATTING;
    if (metadata != null && metadata.isActive()) {
      metadata.clear();
      withAttributes |= HtmlTag.DESCRIBES;
    }
    nonCharacters = input.nonCharacters();
    int at = input.from();
    while (at < end && tree.unsure() == null) {
      if (page[at] != '<') {
        int from = at;
        at = reader.text(at, end);
        if (nonCharacters > 0) {
          nonCharacters -= HtmlScan.nonCharacters(page, from, at);
        }
      }
      if (at < end) {
        at = markup(at);
      }
    }
    reader.endRun();
    tree.finish();
    if (nonCharacters > 0) {
      tree.beUnsure(HtmlUnsure.NONCHARACTER);
    }
    title.trim();
    watched.finish(contents.length);
    return tree.unsure();
  }

  /** Returns the text in headings, if they are watched and the tree is sure. */
  public TextBuffer headings() {
    watched.headings().join(contents.bytes, headings);
    return headings;
  }

  /** Returns the text in links, if they are watched. */
  public TextBuffer anchors() {
    watched.anchors().join(contents.bytes, anchors);
    return anchors;
  }

  public TextBuffer title() {
    return title;
  }

  public TextBuffer contents() {
    return contents;
  }

  /**
   * Reads markup that starts with a less-than sign, and returns the offset after it. Nearly every
   * tag has a known name of less than eight bytes, which is found without a loop.
   */
  private int markup(int at) {
    if (at > end - SHORT_TAG) {
      return anyMarkup(at);
    }
    boolean ends = page[at + 1] == '/';
    int from = ends ? at + 2 : at + 1;
    long eight = EightBytes.at(page, from);
    int length = HtmlScan.shortName(eight);
    int name = names.shortName(eight & ((1L << (Byte.SIZE * length)) - 1), length);
    return name < 0 ? anyMarkup(at) : tag(ends, name, from, from + length);
  }

  private int anyMarkup(int at) {
    if (at + 1 >= end) {
      return reader.literal(at, at + 1);
    }
    byte next = page[at + 1];
    if (HtmlScan.isLetter(next)) {
      return tag(false, UNKNOWN, at + 1, HtmlScan.tagName(page, at + 1, end));
    }
    if (next == '/') {
      if (at + 2 >= end) {
        return reader.literal(at, at + 2);
      }
      byte first = page[at + 2];
      if (HtmlScan.isLetter(first)) {
        return tag(true, UNKNOWN, at + 2, HtmlScan.tagName(page, at + 2, end));
      }
      if (first == '>') {
        if (tree.dropsLeadingSpace()) {
          tree.beUnsure(HtmlUnsure.NAMELESS_END);
        }
        return at + 3;
      }
      reader.endRun();
      return HtmlScan.behind((byte) '>', page, at + 2, end);
    }
    if (next == '!') {
      return declaration(at + 2);
    }
    if (next == '?') {
      reader.endRun();
      return HtmlScan.behind((byte) '>', page, at + 1, end);
    }
    return reader.literal(at, at + 1);
  }

  /**
   * Reads a tag from the end of its name on.
   *
   * @param ends whether it is an end tag
   * @param known the number of its name, or {@link #UNKNOWN}
   * @param from the start of its name
   * @param nameEnd the end of its name
   * @return the offset after the tag, or the end of the page if the tag is not closed
   */
  private int tag(boolean ends, int known, int from, int nameEnd) {
    boolean bare = nameEnd < end && page[nameEnd] == '>';
    int answer = bare ? nameEnd : HtmlScan.tag(page, nameEnd, end);
    int close = HtmlScan.close(answer);
    if (close == end) {
      return end;
    }
    reader.endRun();
    int name = known < 0 ? number(from, nameEnd) : known;
    if (name < 0) {
      return close + 1;
    }
    if (ends) {
      tree.end(name);
      return close + 1;
    }
    tree.selfClosing = answer < 0;
    return startTag(name, nameEnd, close);
  }

  private int startTag(int name, int nameEnd, int close) {
    if (nonCharacters > 0) {
      nonCharacters -= HtmlScan.nonCharactersInTag(page, nameEnd, close);
    }
    if ((HtmlTag.flags(name) & withAttributes) != 0) {
      if (name == HtmlTag.HTML || name == HtmlTag.META) {
        describe(name, nameEnd, close);
        return close + 1;
      }
      tree.attributes = attributes(nameEnd, close);
    }
    tree.start(name);
    return tree.content == Content.MARKUP ? close + 1 : content(name, close + 1);
  }

  /** Starts an html or meta element, and reads its attributes. */
  private void describe(int name, int nameEnd, int close) {
    HtmlMetadata to = Objects.requireNonNull(metadata);
    boolean isFirst = tree.isEmpty();
    tree.start(name);
    if (name == HtmlTag.META && tree.isDirectlyInHead()) {
      to.addMeta(HtmlMetadata.attributes(page, nameEnd, close));
    } else if (name == HtmlTag.HTML) {
      UnaryOperator<String> attributes = HtmlMetadata.attributes(page, nameEnd, close);
      if (isFirst) {
        to.addLanguage(attributes);
      } else if (HtmlMetadata.hasLanguage(attributes)) {
        tree.beUnsure(HtmlUnsure.HTML_ATTRIBUTES);
      }
    }
  }

  private int number(int from, int to) {
    int name = names.number(from, to);
    if (name < 0) {
      tree.beUnsure(name == TagNames.ODD ? HtmlUnsure.TAG_NAME : HtmlUnsure.TAG_NAME_COUNT);
    }
    return name;
  }

  /** Returns the range of the attributes in the page, see {@link FormattingElements#add}. */
  private long attributes(int from, int to) {
    int last = to;
    while (last > from && (HtmlScan.isSpace(page[last - 1]) || page[last - 1] == '/')) {
      last--;
    }
    int first = HtmlScan.space(page, from, last);
    return first == last ? 0 : (long) first << 32 | last;
  }

  /** Reads the content of an element without markup and its end tag, or a line feed. */
  private int content(int name, int from) {
    Content how = tree.content;
    tree.content = Content.MARKUP;
    if (how == Content.BEHIND_LINE_FEED) {
      return reader.lineFeed(from);
    }
    if (how == Content.PLAINTEXT) {
      return plaintext(from);
    }
    byte[] tag = NAMES[name];
    int at =
        switch (how) {
          case SCRIPT -> HtmlScan.script(page, from, end);
          case RAW -> HtmlScan.raw(page, from, end, tag);
          default -> rcdata(name, from);
        };
    if (at < end) {
      int close = HtmlScan.tag(page, at + 2 + tag.length, end);
      at = Math.min(HtmlScan.close(close) + 1, end);
      tree.endContent();
    }
    return at;
  }

  private int rcdata(int name, int from) {
    boolean isTitle = name == HtmlTag.TITLE && tree.inHead();
    boolean counts = isTitle ? !titled : !tree.open.suppressed();
    if (isTitle) {
      titled = true;
    }
    int to = HtmlScan.raw(page, from, end, NAMES[name]);
    reader.startElement(isTitle ? title : contents, counts, from, to);
    int at = reader.text(from, to);
    while (at < to) {
      at = reader.text(reader.literal(at, at + 1), to);
    }
    reader.endElement();
    return to;
  }

  private int plaintext(int from) {
    for (int at = from; at < end; ) {
      if (page[at] == 0) {
        reader.replacedNul(at);
        at++;
      } else {
        at = plain(at, end);
      }
    }
    return end;
  }

  /**
   * Reads text in which ampersands and less-than signs are literal: one of these, or the text
   * before the next one.
   */
  private int plain(int from, int last) {
    if (page[from] == '<' || page[from] == '&') {
      return reader.literal(from, from + 1);
    }
    int to = from;
    while (to < last && page[to] != '<' && page[to] != '&' && page[to] != 0) {
      to++;
    }
    return reader.text(from, Math.max(to, from + 1));
  }

  /** Reads markup that starts with {@code <!}. */
  private int declaration(int from) {
    if (from + 1 < end && page[from] == '-' && page[from + 1] == '-') {
      reader.endRun();
      return HtmlScan.comment(page, from + 2, end);
    }
    if (from + DOCTYPE.length <= end && HtmlScan.matches(page, from, DOCTYPE)) {
      return doctype(from + DOCTYPE.length);
    }
    if (reader.cdataIsText() && from + CDATA.length <= end && isCdata(from)) {
      return cdata(from + CDATA.length);
    }
    reader.endRun();
    return HtmlScan.behind((byte) '>', page, from, end);
  }

  private boolean isCdata(int from) {
    for (int i = 0; i < CDATA.length; i++) {
      if (page[from + i] != CDATA[i]) {
        return false;
      }
    }
    return true;
  }

  /** Reads a CDATA section: literal text, which is a run by itself. */
  private int cdata(int from) {
    reader.endRun();
    int to = from;
    while (to < end
        && !(page[to] == ']' && to + 2 < end && page[to + 1] == ']' && page[to + 2] == '>')) {
      to++;
    }
    for (int at = from; at < to; ) {
      at = plain(at, to);
    }
    reader.endRun();
    return Math.min(to + 3, end);
  }

  /** Reads a doctype from the end of its keyword on. */
  private int doctype(int from) {
    reader.endRun();
    int behind = HtmlScan.behind((byte) '>', page, from, end);
    if (page[behind - 1] == '>') {
      switch (HtmlDoctype.of(page, from, behind - 1)) {
        case STANDARD -> tree.doctype(false);
        case QUIRKS -> tree.doctype(true);
        case MALFORMED -> tree.beUnsure(HtmlUnsure.DOCTYPE);
      }
    }
    return behind;
  }

  private static byte[][] names() {
    byte[][] names = new byte[HtmlTag.COUNT][];
    for (int number = 0; number < names.length; number++) {
      names[number] = ascii(HtmlTag.name(number));
    }
    return names;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
