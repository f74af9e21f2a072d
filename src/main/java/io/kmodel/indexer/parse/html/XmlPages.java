package io.kmodel.indexer.parse.html;

import com.google.common.collect.ImmutableSet;
import io.kmodel.indexer.source.record.Lines;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Tells which pages of XHTML can be read as HTML. */
public final class XmlPages {
  private static final String HTML = "html";

  private XmlPages() {}

  /**
   * Whether a page is XHTML whose text is the same if it is read as HTML: only elements without
   * content are self-closing, names have no prefixes, tables hold only their parts outside of
   * cells, titles hold no elements, and there is no CDATA section, no processing instruction and no
   * declaration of an entity. The page must be valid otherwise; of links in links, for example,
   * HTML makes other links. Time: linear.
   */
  public static boolean areAlsoHtml(byte[] page, int from, int end) {
    boolean hasRoot = false;
    Nesting nesting = new Nesting();
    int at = from + Lines.markBytes(page, from, end);
    while (at < end) {
      byte next = page[at] == '<' && at + 1 < end ? page[at + 1] : 0;
      if (next == '!' && Lines.startsWith(page, at, end, "<!--")) {
        at = HtmlScan.comment(page, at + "<!--".length(), end);
      } else if (next == '!' || next == '?') {
        int behind = HtmlScan.behind((byte) '>', page, at, end);
        if (hasRoot || contains(page, at, behind, (byte) '[')) {
          return false;
        }
        at = behind;
      } else if (HtmlScan.isLetter(next)) {
        int nameEnd = HtmlScan.tagName(page, at + 1, end);
        int answer = HtmlScan.tag(page, nameEnd, end);
        String name = name(page, at + 1, nameEnd);
        if ((!hasRoot && !name.equals(HTML))
            || name.indexOf(':') >= 0
            || !nesting.start(name)
            || (answer < 0 && !XmlNames.VOID.contains(name))) {
          return false;
        }
        hasRoot = true;
        at = HtmlScan.close(answer) + 1;
      } else if (next == '/') {
        if (!nesting.end(name(page, at + 2, HtmlScan.tagName(page, at + 2, end)))) {
          return false;
        }
        at = HtmlScan.behind((byte) '>', page, at, end);
      } else if (!HtmlScan.isSpace(page[at]) && !nesting.text()) {
        return false;
      } else {
        at++;
      }
    }
    return hasRoot;
  }

  private static String name(byte[] page, int from, int end) {
    return new String(page, from, end - from, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
  }

  /** Follows where HTML moves text out of a table, or reads tags as text. */
  private static final class Nesting {
    private static final ImmutableSet<String> PARTS =
        ImmutableSet.of("tbody", "thead", "tfoot", "tr", "colgroup", "col");

    private static final ImmutableSet<String> CELLS = ImmutableSet.of("td", "th", "caption");
    private static final ImmutableSet<String> TEXTS = ImmutableSet.of("title", "textarea");
    private static final ImmutableSet<String> SCRIPTS = ImmutableSet.of("script", "style");

    /** The open title, text area, script or style; empty if none is open. */
    private String text = "";

    private boolean isBetweenCells;

    /** Whether HTML leaves an element where it starts. */
    boolean start(String name) {
      if (!text.isEmpty()) {
        return SCRIPTS.contains(text);
      }
      if (SCRIPTS.contains(name)) {
        text = name;
        return true;
      }
      boolean isCell = CELLS.contains(name);
      if (isBetweenCells != (isCell || PARTS.contains(name))) {
        return false;
      }
      isBetweenCells = isBetweenCells ? !isCell : name.equals("table");
      text = TEXTS.contains(name) ? name : "";
      return true;
    }

    /** Whether HTML takes an end tag as one. */
    boolean end(String name) {
      if (!text.isEmpty()) {
        boolean isItsEnd = name.equals(text);
        boolean mayBeAnother = SCRIPTS.contains(text);
        text = isItsEnd ? "" : text;
        return isItsEnd || mayBeAnother;
      }
      isBetweenCells = CELLS.contains(name) || PARTS.contains(name);
      return true;
    }

    /** Whether HTML leaves characters other than white space where they are. */
    boolean text() {
      return !isBetweenCells || !text.isEmpty();
    }
  }

  private static boolean contains(byte[] page, int from, int to, byte wanted) {
    for (int i = from; i < to; i++) {
      if (page[i] == wanted) {
        return true;
      }
    }
    return false;
  }
}
