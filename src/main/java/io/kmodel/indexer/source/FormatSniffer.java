package io.kmodel.indexer.source;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Decides what a file is, from its first bytes, unpacked, and where these leave a doubt, from its
 * name:
 *
 * <ol>
 *   <li>{@code WARC/} and a digit: WARC. {@code filedesc://}: ARC.
 *   <li>{@code <DOC>} after white space, with {@code <DOCNO>} in sight, or with an attribute {@code
 *       id} and another one behind it, as far as that is in sight: TREC.
 *   <li>A brace and a quote: JSONL, if it is called so, or if the first line that is not blank is
 *       an object with an id and a text; of a longer line than is in sight, with a text, and with
 *       an id or a URI.
 *   <li>An object, over several lines or in an array, that has an id and a text, both in sight:
 *       JSON.
 *   <li>TSV if it is called so and that line has 2 to 4 fields.
 *   <li>Everything else is one document (see {@link ContentSniffer}).
 * </ol>
 */
final class FormatSniffer {
  private static final RecordStarts WARC = RecordStarts.of(Format.WARC);
  private static final Pattern TREC_FURTHER_ON =
      Pattern.compile("(?im)^[ \\t]{0,64}+<doc>\\s{0,100}+<docno>");
  private static final Pattern NEXT_OBJECT = Pattern.compile("\\}\\s{0,100}+,\\s{0,100}+\\{");
  private static final Pattern JSON = Pattern.compile("\\s*(\\[\\s*)?\\{\\s*\"");
  private static final Pattern TSV_LINE =
      Pattern.compile("\\S[^\\t\\n]*(\\t[^\\t\\n]*){1,3}(\\n|$)");

  private FormatSniffer() {}

  /** Never {@link Format#AUTO}; {@link Format#TEXT} where a file is one document of any kind. */
  static Format of(byte[] bytes, int from, int length, String name) {
    if (isOneDocument(bytes, from, length, name)) {
      return Format.TEXT;
    }
    if (WARC.matches(bytes, from, length)) {
      return Format.WARC;
    }
    int window = Math.min(length, ContentSniffer.WINDOW_BYTES);
    String start = new String(bytes, from, window, StandardCharsets.ISO_8859_1);
    if (start.startsWith("filedesc://")) {
      return Format.ARC;
    }
    String text = start.startsWith("\u00EF\u00BB\u00BF") ? start.substring(3) : start;
    if (isTrec(text)) {
      return Format.TREC;
    }
    String plainEnd = Compression.plainEnd(name);
    String lines = withoutBlankLines(text);
    Format json = json(lines, plainEnd);
    if (json != Format.TEXT) {
      return json;
    }
    boolean tsv =
        plainEnd.endsWith(".tsv")
            && (TSV_LINE.matcher(lines).lookingAt()
                || TsvColumns.named(bytes, from, length) != null);
    return tsv ? Format.TSV : Format.TEXT;
  }

  private static boolean isTrec(String text) {
    TrecTags.Start start = text.stripLeading().startsWith("<") ? TrecTags.start(text) : null;
    if (start == null) {
      return false;
    }
    String lower = text.toLowerCase(Locale.ROOT);
    return lower.contains("<docno>")
        || (start.attribute("id") != null && isFollowed(lower, start.end()));
  }

  /** Whether another document follows the one that starts, which XML may have as its root. */
  private static boolean isFollowed(String lower, int start) {
    int close = lower.indexOf("</doc>", start);
    int next = lower.indexOf("<doc", start);
    return close < 0
        ? next < 0
        : next > close && lower.substring(close + "</doc>".length(), next).isBlank();
  }

  /**
   * Why a file that {@link #of} told to be one document may be a list of records that nobody told;
   * null if it does not look so. Of most files the first byte says that.
   *
   * @param isAll whether these bytes are all of it
   */
  static @Nullable String perhapsRecords(byte[] bytes, int length, boolean isAll, String name) {
    int end = Math.min(length, ContentSniffer.WINDOW_BYTES);
    int at = Lines.markBytes(bytes, 0, end);
    while (at < end && Lines.isBlank(bytes[at])) {
      at++;
    }
    if (at == end || (bytes[at] != '{' && bytes[at] != '[' && bytes[at] != '<')) {
      return null;
    }
    String text = new String(bytes, at, end - at, StandardCharsets.ISO_8859_1);
    if (bytes[at] == '<') {
      TrecTags.Start start = TrecTags.start(text);
      if (start != null
          && start.attribute("id") != null
          && text.toLowerCase(Locale.ROOT).contains("<text>")) {
        return "is one <DOC> with an id, which may be TREC's: --format trec reads it so";
      }
      return TREC_FURTHER_ON.matcher(text).find()
          ? "has <DOC> and <DOCNO> behind something else: --format trec reads them"
          : null;
    }
    boolean isArray = bytes[at] == '[';
    boolean isList =
        JSON.matcher(text).lookingAt()
            && (isArray
                ? NEXT_OBJECT.matcher(text).find()
                : isLines(text, isAll && end == length, name));
    return isList
        ? "starts as objects of JSON do, but no id and text are in sight (%s): if they are records, --format %s reads them, with --json-members if these are called otherwise"
            .formatted(UsualMembers.NAMES, isArray ? "json" : "jsonl")
        : null;
  }

  /** Whether a text that starts with an object may have one a line. */
  private static boolean isLines(String text, boolean isAll, String name) {
    int lineEnd = text.indexOf('\n');
    if (lineEnd < 0) {
      String end = Compression.plainEnd(name);
      return !isAll && (end.endsWith(".json") || end.endsWith(".jl"));
    }
    return text.substring(0, lineEnd).stripTrailing().endsWith("}")
        && JSON.matcher(text).region(lineEnd, text.length()).lookingAt();
  }

  /** From the first line on that is not blank. */
  private static String withoutBlankLines(String text) {
    int blank = 0;
    while (blank < text.length() && Lines.isBlank(text.charAt(blank))) {
      blank++;
    }
    return text.substring(text.lastIndexOf('\n', blank - 1) + 1);
  }

  /** Tells most files without looking further: pages of HTML above all. */
  private static boolean isOneDocument(byte[] bytes, int from, int length, String name) {
    int at = from;
    int end = from + Math.min(length, ContentSniffer.WINDOW_BYTES);
    // Not ASCII, as a byte order mark, is below zero.
    while (at < end && bytes[at] <= ' ') {
      at++;
    }
    boolean mayBe =
        at < end
            && switch (bytes[at]) {
              case 'W', 'f', '{', '[' -> true;
              case '<' -> Lines.startsWith(bytes, at, end, "<doc");
              default -> false;
            };
    return !mayBe && !Compression.plainEnd(name).endsWith(".tsv");
  }

  /** Whether it is one of the formats of objects, and which; else {@link Format#TEXT}. */
  private static Format json(String text, String plainEnd) {
    if (!JSON.matcher(text).lookingAt()) {
      return Format.TEXT;
    }
    if (text.stripLeading().startsWith("[")) {
      return UsualMembers.look(text).isDocument() ? Format.JSON : Format.TEXT;
    }
    int lineEnd = text.indexOf('\n');
    String line = lineEnd < 0 ? text : text.substring(0, lineEnd);
    boolean lineIsWhole = lineEnd >= 0 || text.length() < ContentSniffer.WINDOW_BYTES;
    UsualMembers.Look look = UsualMembers.look(line);
    boolean isLine =
        lineIsWhole
            ? look.isWhole() && look.isDocument() && line.stripTrailing().endsWith("}")
            : look.hasText() && (look.hasId() || look.hasUri());
    if (isLine) {
      return Format.JSONL;
    }
    boolean isCalledSo = plainEnd.endsWith(".jsonl") || plainEnd.endsWith(".ndjson");
    boolean isDocument = UsualMembers.look(text).isDocument();
    if (isCalledSo && (look.isWhole() || !isDocument)) {
      return Format.JSONL;
    }
    return isDocument ? Format.JSON : Format.TEXT;
  }
}
