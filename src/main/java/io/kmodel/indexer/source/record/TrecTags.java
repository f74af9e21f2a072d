package io.kmodel.indexer.source.record;

import com.google.common.collect.ImmutableMap;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
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

  /** A tag that is the first markup of a text, up to the end of its name. */
  private static final Pattern START = Pattern.compile("(?i)[^<]*+<doc(?=[\\s/>])");

  /**
   * A document's start tag, whose attributes are read as HTML reads them.
   *
   * @param end of the tag in the text
   */
  public record Start(ImmutableMap<String, String> attributes, int end) {
    /** The value of an attribute, whose name may be in either case; null if not found. */
    @Nullable
    public String attribute(String name) {
      return attributes.get(name.toLowerCase(Locale.ROOT));
    }
  }

  /**
   * The start tag that is the first markup of a text; null if the text starts with other markup, or
   * ends within the tag.
   */
  public static @Nullable Start start(String text) {
    Matcher start = START.matcher(text);
    if (!start.lookingAt()) {
      return null;
    }
    HtmlAttributes attributes = new HtmlAttributes(text, start.end());
    Map<String, String> all = attributes.rest();
    return attributes.end() > text.length()
        ? null
        : new Start(ImmutableMap.copyOf(all), attributes.end());
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
