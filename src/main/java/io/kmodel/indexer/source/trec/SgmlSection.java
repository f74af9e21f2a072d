package io.kmodel.indexer.source.trec;

import com.google.common.collect.ImmutableSet;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A section of SGML text that is followed by others on an HTML page: anything that it leaves open
 * is ended with it. An unterminated tag, comment or element without text is cut off, as HTML
 * ignores it at the end of a page; an element that holds only text gets its end tag. Time: linear,
 * because nothing after an unterminated construct is examined. Memory: that of the section, if
 * something is open.
 */
final class SgmlSection {
  /** jsoup reads the content of noscript as markup, so its end tag may not end it. */
  private static final ImmutableSet<String> WITHOUT_TEXT =
      ImmutableSet.of("script", "style", "noscript", "xmp", "iframe", "noembed", "noframes");

  private static final ImmutableSet<String> ONLY_TEXT = ImmutableSet.of("textarea", "title");

  /** The dashes that open a comment may also close it. */
  private static final Pattern IN_SCRIPT =
      Pattern.compile("<!(?=--)|-->|</?script(?=[\\t\\n\\f\\r />])", Pattern.CASE_INSENSITIVE);

  private static final Pattern COMMENT_END = Pattern.compile("--!?>");

  private final String text;

  /** The section up to {@link #from}, without what was left out. */
  private final StringBuilder before = new StringBuilder();

  private int from;

  /** Number of open templates, and the length of the text before the outermost one. */
  private int templates;

  private int beforeTemplate;

  private SgmlSection(String text) {
    this.text = text;
  }

  /** The section with an end for everything that would otherwise continue after it in HTML. */
  static String closed(String markup) {
    return markup.indexOf('<') < 0 ? markup : new SgmlSection(markup).closed();
  }

  private String closed() {
    for (int open = text.indexOf('<'); open >= 0; ) {
      int behind = behind(open);
      if (behind < 0) {
        // This is text at the end of a page only.
        return upTo(open, text.endsWith("</") && open == text.length() - 2 ? "&lt;/" : "");
      }
      String name = startTag(open);
      if (name.equals("plaintext")) {
        return upTo(open, " " + SgmlText.escaped(text.substring(behind)));
      }
      boolean isText = ONLY_TEXT.contains(name);
      if (isText || WITHOUT_TEXT.contains(name)) {
        int endTag = endTag(name, behind);
        behind = endTag < 0 ? -1 : behind(endTag);
        if (behind < 0) {
          int end = endTag < 0 ? text.length() : endTag;
          return isText ? upTo(end, "</" + name + ">") : upTo(open, "");
        }
      }
      if (name.equals("noscript")) {
        before.append(text, from, open).append(' ');
        from = behind;
      }
      countTemplates(name, open);
      open = text.indexOf('<', behind);
    }
    return templates > 0 || from > 0 ? upTo(text.length(), "") : text;
  }

  /** The text up to an offset, and {@code more}, without a template that is open there. */
  private String upTo(int end, String more) {
    before.append(text, from, end).append(more);
    return templates > 0 ? before.substring(0, beforeTemplate) : before.toString();
  }

  private void countTemplates(String name, int open) {
    if (name.equals("template")) {
      beforeTemplate = templates == 0 ? before.length() + open - from : beforeTemplate;
      templates++;
    } else if (templates > 0 && isEndTag("template", open)) {
      templates--;
    }
  }

  /** The offset after the tag or comment, or after a sign that is text; -1 if it has no end. */
  private int behind(int open) {
    char next = at(open + 1);
    if (isLetter(next)) {
      return tag(open + 1);
    }
    if (next != '!' && next != '?' && next != '/') {
      return open + 1;
    }
    if (next == '/' && isLetter(at(open + 2))) {
      return tag(open + 2);
    }
    if (text.startsWith("<!--", open)) {
      return comment(open + "<!--".length());
    }
    int close = text.indexOf('>', open);
    return close < 0 ? -1 : close + 1;
  }

  private int comment(int from) {
    if (at(from) == '>') {
      return from + 1;
    }
    if (text.startsWith("->", from)) {
      return from + 2;
    }
    Matcher end = COMMENT_END.matcher(text);
    return end.find(from) ? end.end() : -1;
  }

  /** The offset after a tag. */
  private int tag(int name) {
    int at = name;
    while (at < text.length() && !isSpace(at(at)) && at(at) != '/' && at(at) != '>') {
      at++;
    }
    while (at < text.length() && at(at) != '>') {
      at = isSpace(at(at)) || at(at) == '/' ? at + 1 : attribute(at);
    }
    return at < text.length() ? at + 1 : -1;
  }

  /** The offset after an attribute, whose name may start with any character. */
  private int attribute(int from) {
    int at = from + 1;
    while (at < text.length() && !isSpace(at(at)) && "/=>".indexOf(at(at)) < 0) {
      at++;
    }
    at = space(at);
    return at(at) == '=' ? value(space(at + 1)) : at;
  }

  private int value(int from) {
    char quote = at(from);
    if (quote == '"' || quote == '\'') {
      int end = text.indexOf(quote, from + 1);
      return end < 0 ? text.length() : end + 1;
    }
    int at = from;
    while (at < text.length() && !isSpace(at(at)) && at(at) != '>') {
      at++;
    }
    return at;
  }

  private int space(int from) {
    int at = from;
    while (isSpace(at(at))) {
      at++;
    }
    return at;
  }

  /** The name of the start tag at an offset, in lower case; empty if there is no such tag. */
  private String startTag(int open) {
    int end = open + 1;
    while (isLetter(at(end))) {
      end++;
    }
    return isNameEnd(at(end)) ? text.substring(open + 1, end).toLowerCase(Locale.ROOT) : "";
  }

  private boolean isEndTag(String name, int open) {
    int end = open + 2 + name.length();
    return text.startsWith("</", open)
        && text.regionMatches(true, open + 2, name, 0, name.length())
        && isNameEnd(at(end));
  }

  /** The offset of the end tag of an element without other markup in it; -1 if not found. */
  private int endTag(String name, int from) {
    if (name.equals("script")) {
      return endOfScript(from);
    }
    int open = text.indexOf("</", from);
    while (open >= 0 && !isEndTag(name, open)) {
      open = text.indexOf("</", open + 2);
    }
    return open;
  }

  /** Between {@code <!--} and {@code -->}, a script tag hides the next end tag. */
  private int endOfScript(int from) {
    Matcher sign = IN_SCRIPT.matcher(text);
    boolean inComment = false;
    boolean hidden = false;
    for (int at = from; sign.find(at); at = sign.end()) {
      char second = at(sign.start() + 1);
      if (second == '/' && !hidden) {
        return sign.start();
      }
      inComment = second == '!' || (inComment && second != '-');
      hidden = inComment && (second == '!' ? hidden : second != '/');
    }
    return -1;
  }

  private char at(int at) {
    return at < text.length() ? text.charAt(at) : '\0';
  }

  private static boolean isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  private static boolean isNameEnd(char c) {
    return isSpace(c) || c == '/' || c == '>';
  }

  private static boolean isSpace(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
  }
}
