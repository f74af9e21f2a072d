package io.kmodel.indexer.parse.html;

import io.kmodel.indexer.source.record.Lines;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Tells which pages of XHTML can be read as HTML. */
public final class XmlPages {
  private static final String HTML = "html";

  private XmlPages() {}

  /**
   * Whether a page is XHTML whose text is the same if it is read as HTML: only elements without
   * content are self-closing, names have no prefixes, and no CDATA section, no processing
   * instruction and no entity is declared in it. Time: linear.
   */
  public static boolean areAlsoHtml(byte[] page, int from, int end) {
    boolean hasRoot = false;
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
        String name =
            new String(page, at + 1, nameEnd - at - 1, StandardCharsets.ISO_8859_1)
                .toLowerCase(Locale.ROOT);
        if ((!hasRoot && !name.equals(HTML))
            || name.indexOf(':') >= 0
            || (answer < 0 && !XmlNames.VOID.contains(name))) {
          return false;
        }
        hasRoot = true;
        at = HtmlScan.close(answer) + 1;
      } else {
        at++;
      }
    }
    return hasRoot;
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
