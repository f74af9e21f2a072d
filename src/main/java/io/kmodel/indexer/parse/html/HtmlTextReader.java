package io.kmodel.indexer.parse.html;

import io.kmodel.indexer.parse.text.TextBuffer;
import io.kmodel.indexer.source.record.EightBytes;

/**
 * Reads text into buffers, resolving references and turning white space into separators. The text
 * between two tags or comments is a run. {@link HtmlTree} decides whether a run counts, and whether
 * its white space does, at its first character that is not white space or at its end. A run that
 * does not count is then removed. Time: linear. Not thread-safe.
 */
final class HtmlTextReader {
  private static final byte WORD = 0;
  private static final byte SPACE = 1;
  private static final byte MARKUP = 2;
  private static final byte REFERENCE = 3;
  private static final byte NUL = 4;

  /** The first byte of characters that may not belong to a word: U+00A0, U+00AD, U+200B. */
  private static final byte LATIN = 5;

  private static final byte PUNCTUATION = 6;

  private static final byte[] CLASSES = classes();

  /** Room beyond the rest of the input: a space and a character or two. */
  private static final int SLACK = 16;

  private final HtmlTree tree;
  private final FosteredText fostered;
  private final TextBuffer contents;
  private final CharacterReferences references = new CharacterReferences();
  private byte[] page = {};

  private int pageEnd;

  /** The latest end of the current text: the end of the page or of an element. */
  private int limit;

  /** The buffer written to: that of a run between two tags, or of an element without markup. */
  private TextBuffer text;

  private boolean runOpen;
  private boolean runBlank;
  private boolean runCounts;
  private boolean runOfElement;
  private int runLength;
  private boolean runSeparated;

  HtmlTextReader(HtmlTree tree, TextBuffer contents) {
    this.tree = tree;
    this.fostered = tree.open.fostered;
    this.contents = contents;
    text = contents;
  }

  /** Starts a page, whose text goes to the contents. */
  void reset(byte[] nextPage, int end) {
    page = nextPage;
    pageEnd = end;
    limit = end;
    contents.reset(end + SLACK);
    text = contents;
    runOpen = false;
    runOfElement = false;
  }

  /** Starts the text of an element without markup between two offsets, which is a run by itself. */
  void startElement(TextBuffer sink, boolean counts, int from, int to) {
    text = sink;
    limit = to;
    makeRoom(from);
    runOfElement = true;
    openRun();
    runCounts = counts;
  }

  void endElement() {
    endRun();
    runOfElement = false;
    int behind = limit;
    text = contents;
    limit = pageEnd;
    makeRoom(behind);
  }

  /**
   * Makes room for all text from an offset on. Only references and replaced NULs can be longer than
   * their source, so the room suffices until one occurs.
   */
  private void makeRoom(int at) {
    text.ensureRoom(limit - at + SLACK);
  }

  /** Reads text up to the next less-than sign or an offset, and returns its end. */
  int text(int from, int to) {
    byte[] in = page;
    int at = from;
    if (at < to && in[at] != '<') {
      openRun();
    }
    TextBuffer sink = text;
    while (at < to) {
      switch (CLASSES[in[at] & 0xFF]) {
        case WORD -> {
          startWord();
          at = words(at, to);
        }
        case SPACE -> {
          sink.separated = true;
          at++;
        }
        case MARKUP -> {
          return at;
        }
        case REFERENCE -> at = reference(at, to);
        case LATIN, PUNCTUATION -> at = special(at);
        default -> {
          nul(at);
          at++;
        }
      }
    }
    return at;
  }

  /** Copies words with single spaces between them, eight bytes at a time while they are ASCII. */
  private int words(int from, int to) {
    byte[] in = page;
    byte[] out = text.bytes;
    int length = text.length;
    int at = from;
    int copied = Long.BYTES;
    long last = 0;
    while (copied == Long.BYTES && at <= to - Long.BYTES) {
      long eight = EightBytes.at(in, at);
      EightBytes.put(out, length, eight);
      long plain = EightBytes.plain(eight);
      copied = EightBytes.leading(plain | (EightBytes.spaces(eight) & (plain << 8 | last >>> 56)));
      last = plain;
      at += copied;
      length += copied;
    }
    if (at > from && out[length - 1] == ' ') {
      text.separated = true;
      text.length = length - 1;
      return at;
    }
    while (at < to && CLASSES[in[at] & 0xFF] == WORD) {
      out[length++] = in[at++];
    }
    text.length = length;
    return at;
  }

  /** Starts a run of text, unless one is open. */
  void openRun() {
    if (!runOpen) {
      runOpen = true;
      runBlank = true;
      runLength = text.length;
      runSeparated = text.separated;
      text.separated = false;
    }
  }

  /** Called before each character that is not white space. */
  private void notBlank() {
    if (runBlank) {
      endBlank();
    }
  }

  /** Ends the leading white space of a run; the tree now knows whether it separates words. */
  private void endBlank() {
    runBlank = false;
    boolean space = text.separated;
    text.separated = runSeparated;
    if (!runOfElement) {
      space &= !tree.dropsLeadingSpace();
      runCounts = tree.text();
    }
    text.separated |= space;
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

  /**
   * Whether CDATA sections are text here. jsoup has not yet added the text before to its tree, so
   * elements that this text opens again do not count.
   */
  boolean cdataIsText() {
    boolean afterText = runOpen && !runBlank;
    return afterText ? tree.textInForeign : tree.inForeign();
  }

  /** Ends a run of text, before a tag or comment takes effect. */
  void endRun() {
    if (runOpen) {
      closeRun();
    }
  }

  private void closeRun() {
    runOpen = false;
    if (runBlank) {
      text.separated |= runSeparated;
      if (!runOfElement) {
        runCounts = tree.blankText();
      }
    }
    if (!runCounts) {
      text.length = runLength;
      text.separated = runSeparated;
    }
    fostered.endRun();
  }

  /** Appends a less-than sign, and the bytes up to {@code to}, which are not markup. */
  int literal(int from, int to) {
    openRun();
    startWord();
    for (int i = from; i < to; i++) {
      text.bytes[text.length++] = page[i];
    }
    return to;
  }

  private int reference(int at, int end) {
    int codePoint = references.read(page, at + 1, end);
    if (codePoint == CharacterReferences.NONE) {
      return literal(at, at + 1);
    }
    if (codePoint == CharacterReferences.UNSURE) {
      tree.beUnsure(HtmlUnsure.CHARACTER_REFERENCE);
      return end;
    }
    character(codePoint, at);
    if (references.second() != 0) {
      character(references.second(), at);
    }
    return references.next();
  }

  /**
   * Skips a line feed that is neither text nor white space, if there is one: LF, CR, or both, or a
   * reference to LF.
   */
  int lineFeed(int at) {
    if (at == pageEnd) {
      return at;
    }
    if (page[at] == '&') {
      return references.read(page, at + 1, pageEnd) == '\n' ? references.next() : at;
    }
    int behind = page[at] == '\r' ? at + 1 : at;
    return behind < pageEnd && page[behind] == '\n' ? behind + 1 : behind;
  }

  /** Appends the character of the reference at an offset. */
  private void character(int codePoint, int at) {
    if (codePoint == ' ' || (codePoint >= '\t' && codePoint <= '\r' && codePoint != 0x0B)) {
      text.separated = true;
    } else {
      notBlank();
      if (codePoint == 0xA0) {
        text.separated = true;
      } else if (codePoint != 0xAD && codePoint != 0x200B) {
        makeRoom(at);
        text.append(codePoint);
      }
    }
  }

  /** Handles a NUL: it is replaced in an element without markup; elsewhere that depends. */
  private void nul(int at) {
    if (runOfElement) {
      notBlank();
      makeRoom(at);
      text.append(0xFFFD);
    } else {
      tree.beUnsure(HtmlUnsure.NUL);
    }
  }

  /** Reads a character whose first byte is that of characters which may not belong to a word. */
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

  /** Replaces a NUL in an element without markup and in plain text. */
  void replacedNul(int at) {
    openRun();
    notBlank();
    makeRoom(at);
    text.append(0xFFFD);
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
}
