package io.kmodel.indexer.source.record;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The tags around documents of TREC collections, as spelled in the first document of a file: pages
 * and texts may contain {@code <doc>} in a file whose tag is {@code <DOC>}. Immutable.
 *
 * @param close the end tag
 */
public record TrecTags(String open, String close) {
  /** The spelling in nearly all collections. */
  public static final TrecTags USUAL = of("DOC");

  /** The most spaces and tabs that a line may have before its tag. */
  static final int INDENT = 64;

  /** The start of a start tag, and the byte after it. */
  static final int OPEN_BYTES = "<DOC>".length();

  private static final Pattern FIRST =
      Pattern.compile("(?im)^(?:\u00EF\u00BB\u00BF)?[ \\t]{0,64}+<(doc)[>\\s]");

  private static final String VALUE = "(\"[^\"]*+\"|'[^']*+'|[^\\s\"'>]++)";

  /** An attribute with or without a value; each match starts where the previous one ends. */
  private static final Pattern ATTRIBUTE =
      Pattern.compile("\\G\\s++([\\w.:-]++)(?:\\s*+=\\s*+" + VALUE + ")?+");

  private static final Pattern START =
      Pattern.compile("(?i)[^<]*+<doc((?:\\s++[\\w.:-]++(?:\\s*+=\\s*+" + VALUE + ")?+)*+)\\s*+>");

  /**
   * A document's start tag.
   *
   * @param end of the tag in the text
   */
  public record Start(String attributes, int end) {
    /** The value of an attribute; null if not found. */
    @Nullable
    public String attribute(String name) {
      Matcher attribute = ATTRIBUTE.matcher(attributes);
      while (attribute.find()) {
        String value = attribute.group(2);
        if (value != null && attribute.group(1).equalsIgnoreCase(name)) {
          boolean quoted = value.startsWith("\"") || value.startsWith("'");
          return quoted ? value.substring(1, value.length() - 1) : value;
        }
      }
      return null;
    }
  }

  /**
   * The start tag that is the first markup of a text; null if the text starts with other markup.
   */
  public static @Nullable Start start(String text) {
    Matcher start = START.matcher(text);
    return start.lookingAt() ? new Start(start.group(1), start.end()) : null;
  }

  private static TrecTags of(String name) {
    return new TrecTags("<" + name, "</" + name + ">");
  }

  /** The tags of a file that starts with these bytes. */
  public static TrecTags in(byte[] bytes, int from, int length) {
    Matcher first =
        FIRST.matcher(
            new String(
                bytes,
                from,
                Math.min(length, ContentSniffer.WINDOW_BYTES),
                StandardCharsets.ISO_8859_1));
    return first.find() ? of(first.group(1)) : USUAL;
  }

  /**
   * Whether a document starts here, after an optional byte order mark and up to {@link #INDENT}
   * spaces and tabs.
   */
  public boolean startAt(byte[] bytes, int from, int end) {
    int at = from + Lines.markBytes(bytes, from, end);
    int most = Math.min(end, at + INDENT);
    while (at < most && (bytes[at] == ' ' || bytes[at] == '\t')) {
      at++;
    }
    int behind = at + open.length();
    return behind < end
        && Lines.isAt(open, bytes, at, end)
        && (bytes[behind] == '>' || Lines.isBlank(bytes[behind]));
  }
}
