package io.kmodel.indexer.parse;

import io.kmodel.indexer.parse.HtmlTree.Content;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The title and the text of a page, byte for byte those that jsoup's tree gives (see {@link
 * HtmlText} for what the text is), without a tree: a tokenizer (HTML standard §13.2.5) feeds {@link
 * HtmlTree}, which follows the open elements alone. Where that cannot know the text it says why,
 * and the page is one for the other parser.
 *
 * <p>Memory: up to three times the page, in buffers that are reused; nothing is allocated per tag
 * or word. Time: linear. Never fails on any bytes. One per thread.
 */
public final class HtmlExtractor {
  private static final byte WORD = 0;
  private static final byte SPACE = 1;
  private static final byte MARKUP = 2;
  private static final byte REFERENCE = 3;
  private static final byte NUL = 4;

  /** The first byte of characters that may be no part of a word: U+00A0, U+00AD, U+200B. */
  private static final byte LATIN = 5;

  private static final byte PUNCTUATION = 6;

  private static final byte[] CLASSES = classes();
  private static final byte[][] NAMES = names();
  private static final byte[] DOCTYPE = ascii("doctype");
  private static final byte[] PUBLIC = ascii("public");
  private static final byte[] SYSTEM = ascii("system");
  private static final byte[] CDATA = ascii("[CDATA[");

  private final TextBuffer contents = new TextBuffer();
  private final TextBuffer title = new TextBuffer();
  private final HtmlTree tree = new HtmlTree(contents);
  private final TagNames names = new TagNames();
  private final CharacterReferences references = new CharacterReferences();

  private byte[] page = {};
  private int end;
  private boolean titled;

  /** Enough for what is left of the page, in bytes. */
  private int room;

  /** The text that is written to: of a run between two tags, or of an element without markup. */
  private TextBuffer text = contents;

  private boolean runOpen;
  private boolean runBlank;
  private boolean runCounts;
  private boolean runOfElement;
  private int runLength;
  private boolean runSeparated;

  /**
   * Reads a page; the results of the last one are not valid any more.
   *
   * @return null, or why the results are not to be relied on
   */
  @Nullable HtmlUnsure extract(Utf8Text input) {
    page = input.bytes();
    end = input.end();
    room = end + 16;
    contents.reset(room);
    title.reset(0);
    tree.reset();
    names.reset(page);
    titled = false;
    text = contents;
    runOpen = false;
    runOfElement = false;
    if (input.nonCharacter()) {
      return HtmlUnsure.NONCHARACTER;
    }
    int at = input.from();
    while (at < end && tree.unsure() == null) {
      at = text(at);
      if (at < end) {
        at = markup(at);
      }
    }
    endRun();
    title.trim();
    return tree.unsure();
  }

  TextBuffer title() {
    return title;
  }

  TextBuffer contents() {
    return contents;
  }

  /** Reads text up to the next less-than sign, and returns its offset. */
  private int text(int from) {
    byte[] in = page;
    int to = end;
    int at = from;
    if (at < to && in[at] != '<') {
      openRun();
    }
    TextBuffer sink = text;
    while (at < to) {
      switch (CLASSES[in[at] & 0xFF]) {
        case WORD -> {
          startWord();
          byte[] out = sink.bytes;
          int length = sink.length;
          do {
            out[length++] = in[at++];
          } while (at < to && CLASSES[in[at] & 0xFF] == WORD);
          sink.length = length;
        }
        case SPACE -> {
          sink.separated = true;
          at++;
        }
        case MARKUP -> {
          return at;
        }
        case REFERENCE -> at = reference(at);
        case LATIN, PUNCTUATION -> at = special(at);
        default -> {
          nul();
          at++;
        }
      }
    }
    return at;
  }

  private void openRun() {
    if (!runOpen) {
      runOpen = true;
      runBlank = true;
      runCounts = true;
      runLength = text.length;
      runSeparated = text.separated;
    }
  }

  /** Before each character that is not white space. */
  private void notBlank() {
    if (runBlank) {
      runBlank = false;
      if (!runOfElement) {
        if (tree.dropsLeadingSpace()) {
          text.separated = runSeparated;
        }
        runCounts = tree.text();
      }
    }
  }

  private void startWord() {
    notBlank();
    TextBuffer sink = text;
    if (sink.separated) {
      sink.separated = false;
      if (sink.length > 0) {
        sink.bytes[sink.length++] = ' ';
      }
    }
  }

  /** Ends a run of text, before a tag or comment is acted on. */
  private void endRun() {
    if (runOpen) {
      runOpen = false;
      if (runBlank && !runOfElement) {
        runCounts = tree.blankText();
      }
      if (!runCounts) {
        text.length = runLength;
        text.separated = runSeparated;
      }
    }
  }

  /** A less-than sign, and up to what follows, that are no markup. */
  private int literal(int from, int to) {
    openRun();
    startWord();
    text.ensureRoom(room);
    for (int i = from; i < to; i++) {
      text.bytes[text.length++] = page[i];
    }
    return to;
  }

  private int reference(int at) {
    int codePoint = references.read(page, at + 1, end);
    if (codePoint == CharacterReferences.NONE) {
      return literal(at, at + 1);
    }
    if (codePoint == CharacterReferences.UNSURE) {
      tree.beUnsure(HtmlUnsure.CHARACTER_REFERENCE);
      return end;
    }
    int next = references.next();
    character(codePoint);
    if (references.second() != 0) {
      character(references.second());
    }
    return next;
  }

  private void character(int codePoint) {
    if (codePoint == ' ' || (codePoint >= '\t' && codePoint <= '\r' && codePoint != 0x0B)) {
      text.separated = true;
    } else {
      notBlank();
      if (codePoint == 0xA0) {
        text.separated = true;
      } else if (codePoint != 0xAD && codePoint != 0x200B) {
        text.ensureRoom(room);
        text.append(codePoint);
      }
    }
  }

  /** In an element without markup it is replaced; elsewhere that depends. */
  private void nul() {
    if (runOfElement) {
      text.ensureRoom(room);
      text.append(0xFFFD);
    } else {
      tree.beUnsure(HtmlUnsure.NUL);
    }
  }

  /** A character that starts as those do that are no part of a word. */
  private int special(int at) {
    boolean latin = CLASSES[page[at] & 0xFF] == LATIN;
    int length = latin ? 2 : 3;
    int second = page[at + 1] & 0xFF;
    notBlank();
    if (latin && second == 0xA0) {
      text.separated = true;
    } else if (!(latin && second == 0xAD)
        && !(!latin && second == 0x80 && (page[at + 2] & 0xFF) == 0x8B)) {
      startWord();
      System.arraycopy(page, at, text.bytes, text.length, length);
      text.length += length;
    }
    return at + length;
  }

  /** Reads what starts with a less-than sign, and returns the offset behind it. */
  private int markup(int at) {
    if (at + 1 >= end) {
      return literal(at, at + 1);
    }
    byte next = page[at + 1];
    if (HtmlScan.isLetter(next)) {
      return startTag(at);
    }
    if (next == '/') {
      if (at + 2 >= end) {
        return literal(at, at + 2);
      }
      byte first = page[at + 2];
      if (HtmlScan.isLetter(first)) {
        return endTag(at);
      }
      if (first == '>') {
        if (tree.dropsLeadingSpace()) {
          tree.beUnsure(HtmlUnsure.NAMELESS_END);
        }
        return at + 3;
      }
      endRun();
      return HtmlScan.behind((byte) '>', page, at + 2, end);
    }
    if (next == '!') {
      return declaration(at + 2);
    }
    if (next == '?') {
      endRun();
      return HtmlScan.behind((byte) '>', page, at + 1, end);
    }
    return literal(at, at + 1);
  }

  private int startTag(int at) {
    int nameEnd = HtmlScan.tagName(page, at + 1, end);
    int close = HtmlScan.tag(page, nameEnd, end);
    tree.selfClosing = close < 0;
    close = close < 0 ? ~close : close;
    if (close == end) {
      return end;
    }
    endRun();
    int name = number(at + 1, nameEnd);
    if (name >= 0) {
      int flags = HtmlTag.flags(name);
      if ((flags & HtmlTag.FORMATTING) != 0) {
        tree.attributes = attributes(nameEnd, close);
      }
      tree.start(name);
      if (tree.content != Content.MARKUP) {
        return content(name, close + 1);
      }
    }
    return close + 1;
  }

  private int endTag(int at) {
    int nameEnd = HtmlScan.tagName(page, at + 2, end);
    int close = HtmlScan.tag(page, nameEnd, end);
    close = close < 0 ? ~close : close;
    if (close == end) {
      return end;
    }
    endRun();
    int name = number(at + 2, nameEnd);
    if (name >= 0) {
      tree.end(name);
    }
    return close + 1;
  }

  private int number(int from, int to) {
    int name = names.number(from, to);
    if (name < 0) {
      tree.beUnsure(name == TagNames.ODD ? HtmlUnsure.TAG_NAME : HtmlUnsure.TAG_NAME_COUNT);
    }
    return name;
  }

  /** A hash of the attributes as they stand in the page, 0 if there are none. */
  private long attributes(int from, int to) {
    int last = to;
    while (last > from && (HtmlScan.isSpace(page[last - 1]) || page[last - 1] == '/')) {
      last--;
    }
    long hash = 0;
    for (int i = HtmlScan.space(page, from, last); i < last; i++) {
      hash = (hash + 1 + (page[i] & 0xFF)) * 0x9E3779B97F4A7C15L;
    }
    return hash;
  }

  /** Reads the content of an element in which there is no markup, and its end tag. */
  private int content(int name, int from) {
    Content how = tree.content;
    tree.content = Content.MARKUP;
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
      close = close < 0 ? ~close : close;
      at = Math.min(close + 1, end);
      tree.endContent();
    }
    return at;
  }

  private int rcdata(int name, int from) {
    boolean isTitle = name == HtmlTag.TITLE && tree.inHead();
    boolean counts = isTitle ? !titled : !tree.open.suppressed();
    runOfElement = true;
    if (isTitle) {
      text = title;
      title.ensureRoom(room);
      titled = true;
    }
    runOpen = false;
    openRun();
    runCounts = counts;
    byte[] tag = NAMES[name];
    int at = text(from);
    while (at < end && !HtmlScan.isEndTag(page, at, end, tag)) {
      at = text(literal(at, at + 1));
    }
    endRun();
    runOfElement = false;
    text = contents;
    return at;
  }

  private int plaintext(int from) {
    for (int at = from; at < end; ) {
      byte b = page[at];
      if (b == '<' || b == '&') {
        at = literal(at, at + 1);
      } else if (b == 0) {
        openRun();
        notBlank();
        text.ensureRoom(room);
        text.append(0xFFFD);
        at++;
      } else {
        at = plain(at);
      }
    }
    return end;
  }

  /** Reads text in which ampersands and less-than signs mean themselves, up to one of them. */
  private int plain(int from) {
    int to = from;
    while (to < end && page[to] != '<' && page[to] != '&' && page[to] != 0) {
      to++;
    }
    int pageEnd = end;
    end = to;
    int at = text(from);
    end = pageEnd;
    return at;
  }

  /** Reads what starts with {@code <!}. */
  private int declaration(int from) {
    if (from + 1 < end && page[from] == '-' && page[from + 1] == '-') {
      endRun();
      return HtmlScan.comment(page, from + 2, end);
    }
    if (from + DOCTYPE.length <= end && HtmlScan.matches(page, from, DOCTYPE)) {
      return doctype(from + DOCTYPE.length);
    }
    if (tree.inForeign() && from + CDATA.length <= end && isCdata(from)) {
      return cdata(from + CDATA.length);
    }
    endRun();
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

  /** A CDATA section: text as it stands, and a run of its own. */
  private int cdata(int from) {
    endRun();
    int to = from;
    while (to < end
        && !(page[to] == ']' && to + 2 < end && page[to + 1] == ']' && page[to + 2] == '>')) {
      to++;
    }
    int pageEnd = end;
    end = to;
    for (int at = from; at < to; ) {
      at = page[at] == '<' || page[at] == '&' ? literal(at, at + 1) : cdataText(at);
    }
    end = pageEnd;
    endRun();
    return Math.min(to + 3, end);
  }

  private int cdataText(int from) {
    int to = from;
    int sectionEnd = end;
    while (to < sectionEnd && page[to] != '<' && page[to] != '&') {
      to++;
    }
    end = to;
    int at = text(from);
    end = sectionEnd;
    return at;
  }

  /** Reads a doctype, from behind its keyword. */
  private int doctype(int from) {
    endRun();
    int behind = HtmlScan.behind((byte) '>', page, from, end);
    int close = behind - 1;
    if (behind == end && page[end - 1] != '>') {
      return end;
    }
    if (close == from || !HtmlScan.isSpace(page[from])) {
      tree.beUnsure(HtmlUnsure.DOCTYPE);
      return end;
    }
    int nameStart = HtmlScan.space(page, from, close);
    int nameEnd = nameStart;
    while (nameEnd < close && !HtmlScan.isSpace(page[nameEnd])) {
      nameEnd++;
    }
    if (nameEnd == nameStart) {
      tree.beUnsure(HtmlUnsure.DOCTYPE);
      return end;
    }
    boolean html =
        nameEnd - nameStart == 4 && HtmlScan.matches(page, nameStart, NAMES[HtmlTag.HTML]);
    tree.doctype(!html || isQuirky(HtmlScan.space(page, nameEnd, close), close));
    return behind;
  }

  /** By what follows the name of a doctype: identifiers that are not well formed are quirky. */
  private boolean isQuirky(int from, int close) {
    if (from == close) {
      return false;
    }
    boolean isPublic = close - from > PUBLIC.length && HtmlScan.matches(page, from, PUBLIC);
    boolean isSystem = close - from > SYSTEM.length && HtmlScan.matches(page, from, SYSTEM);
    if (!isPublic && !isSystem) {
      return true;
    }
    int at = HtmlScan.space(page, from + PUBLIC.length, close);
    if (at == close) {
      return true;
    }
    for (int identifiers = 0; at < close; identifiers++) {
      byte quote = page[at];
      if (quote != '"' && quote != '\'') {
        tree.beUnsure(HtmlUnsure.DOCTYPE);
        return true;
      }
      int last = HtmlScan.behind(quote, page, at + 1, close) - 1;
      if (last <= at || page[last] != quote || identifiers == (isPublic ? 2 : 1)) {
        tree.beUnsure(HtmlUnsure.DOCTYPE);
        return true;
      }
      if (isPublic
          && identifiers == 0
          && last - at - 1 == 4
          && HtmlScan.matches(page, at + 1, NAMES[HtmlTag.HTML])) {
        return true;
      }
      at = HtmlScan.space(page, last + 1, close);
    }
    return false;
  }

  private static byte[] classes() {
    byte[] classes = new byte[256];
    for (char c : new char[] {' ', '\t', '\n', '\f', '\r'}) {
      classes[c] = SPACE;
    }
    classes['<'] = MARKUP;
    classes['&'] = REFERENCE;
    classes[0] = NUL;
    classes[0xC2] = LATIN;
    classes[0xE2] = PUNCTUATION;
    return classes;
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
