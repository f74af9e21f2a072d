package io.kmodel.indexer.parse.html;

import java.nio.charset.StandardCharsets;

/** The effect of a doctype on the page, by those rules of the HTML standard that jsoup has. */
enum HtmlDoctype {
  STANDARD,
  /** A table does not end a paragraph. */
  QUIRKS,
  /** Its end or its meaning is unclear to this reader. */
  MALFORMED;

  private static final byte[] HTML = ascii("html");
  private static final byte[] PUBLIC = ascii("public");
  private static final byte[] SYSTEM = ascii("system");

  /**
   * Reads a doctype.
   *
   * @param from the offset after the keyword
   * @param close the offset of the first greater-than sign
   */
  static HtmlDoctype of(byte[] page, int from, int close) {
    if (close == from || !HtmlScan.isSpace(page[from])) {
      return MALFORMED;
    }
    int name = HtmlScan.space(page, from, close);
    int nameEnd = name;
    while (nameEnd < close && !HtmlScan.isSpace(page[nameEnd])) {
      nameEnd++;
    }
    if (nameEnd == name) {
      return MALFORMED;
    }
    boolean html = nameEnd - name == HTML.length && HtmlScan.matches(page, name, HTML);
    HtmlDoctype rest = identifiers(page, HtmlScan.space(page, nameEnd, close), close);
    return html || rest == MALFORMED ? rest : QUIRKS;
  }

  /** Evaluates what follows the name. */
  private static HtmlDoctype identifiers(byte[] page, int from, int close) {
    if (from == close) {
      return STANDARD;
    }
    boolean isPublic = close - from > PUBLIC.length && HtmlScan.matches(page, from, PUBLIC);
    boolean isSystem = close - from > SYSTEM.length && HtmlScan.matches(page, from, SYSTEM);
    int at = HtmlScan.space(page, from + PUBLIC.length, close);
    if ((!isPublic && !isSystem) || at == close) {
      return QUIRKS;
    }
    HtmlDoctype result = STANDARD;
    for (int count = 0; at < close; count++) {
      byte quote = page[at];
      int last = HtmlScan.behind(quote, page, at + 1, close) - 1;
      boolean quoted = (quote == '"' || quote == '\'') && last > at && page[last] == quote;
      if (!quoted || count == (isPublic ? 2 : 1)) {
        return MALFORMED;
      }
      boolean isHtml = last - at - 1 == HTML.length && HtmlScan.matches(page, at + 1, HTML);
      if (isPublic && count == 0 && isHtml) {
        result = QUIRKS;
      }
      at = HtmlScan.space(page, last + 1, close);
    }
    return result;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
