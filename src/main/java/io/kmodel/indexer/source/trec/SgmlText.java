package io.kmodel.indexer.source.trec;

import java.util.regex.Pattern;

/** Converts SGML text of TREC documents for an HTML page. */
final class SgmlText {
  /**
   * A tag has a letter or one of three signs after its angle bracket; other brackets are
   * arithmetic.
   */
  private static final Pattern TAG = Pattern.compile("<[a-zA-Z/!?][^<>]*>");

  private static final String CDATA = "<![CDATA[";
  private static final String CDATA_END = "]]>";

  private SgmlText() {}

  /** Replaces each tag by a space; the rest cannot end a title either. */
  static String withoutTags(String markup) {
    return TAG.matcher(plain(markup)).replaceAll(" ").replace("</", "&lt;/");
  }

  /** Turns CDATA sections, which do not exist in HTML, into escaped text. */
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

  /** Escapes text for markup. */
  static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;");
  }
}
