package io.kmodel.indexer.source;

import java.util.regex.Pattern;

/** Text in SGML, as TREC's documents have it, on its way into a page of HTML. */
final class SgmlText {
  /** What has a letter behind its angle bracket, or one of three signs: others are arithmetic. */
  private static final Pattern TAG = Pattern.compile("<[a-zA-Z/!?][^<>]*>");

  private static final String CDATA = "<![CDATA[";
  private static final String CDATA_END = "]]>";

  private SgmlText() {}

  /** Without its tags, with a space for each; what is left is no end of a title either. */
  static String withoutTags(String markup) {
    return TAG.matcher(plain(markup)).replaceAll(" ").replace("</", "&lt;/");
  }

  /** With what stands in sections of CDATA, which are none in HTML, as text that is none of it. */
  static String plain(String markup) {
    int open = markup.indexOf(CDATA);
    int end = cdataEnd(markup, open);
    if (end < 0) {
      return markup;
    }
    StringBuilder plain = new StringBuilder();
    int at = 0;
    while (end >= 0) {
      plain.append(markup, at, open);
      plain.append(escaped(markup.substring(open + CDATA.length(), end)));
      at = end + CDATA_END.length();
      open = markup.indexOf(CDATA, at);
      end = cdataEnd(markup, open);
    }
    return plain.append(markup, at, markup.length()).toString();
  }

  private static int cdataEnd(String markup, int open) {
    return open < 0 ? -1 : markup.indexOf(CDATA_END, open + CDATA.length());
  }

  /** Text as markup that says it. */
  static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;");
  }
}
