package io.kmodel.indexer.source.detect;

import io.kmodel.indexer.source.Format;
import io.kmodel.indexer.source.json.UsualMembers;
import io.kmodel.indexer.source.lines.TsvColumns;
import io.kmodel.indexer.source.parquet.ParquetFooter;
import io.kmodel.indexer.source.record.ContentSniffer;
import io.kmodel.indexer.source.record.Lines;
import io.kmodel.indexer.source.record.RecordStarts;
import io.kmodel.indexer.source.record.TrecTags;
import io.kmodel.indexer.source.warc.ArcHeader;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Detects the format of a file by its first bytes, decompressed, and in case of doubt by its name:
 *
 * <ol>
 *   <li>{@code PAR1} or {@code PARE} before binary content, or the suffix {@code .parquet}:
 *       PARQUET.
 *   <li>{@code WARC/} and a digit: WARC. {@code filedesc://}: ARC.
 *   <li>{@code <DOC>} after white space: TREC, if {@code <DOCNO>} is in sight; or if the tag has an
 *       attribute {@code id} and another document follows, as far as that is in sight.
 *   <li>A brace and a quote: JSONL, if the file is named so, or if the first line that is not blank
 *       is an object with an id and a text. A line that is longer than the bytes in sight needs a
 *       text, and an id or a URI. If the line is damaged, a later line has to be such an object.
 *   <li>An object, over several lines or in an array, that has an id and a text, both in sight:
 *       JSON.
 *   <li>TSV, if the file is named so and that line has 2 to 4 fields.
 *   <li>WARC, ARC or JSONL, if the file is named so and a later line in sight starts a record or is
 *       a document: the data before it is damaged.
 *   <li>Everything else is one document (see {@link ContentSniffer}).
 * </ol>
 */
final class FormatSniffer {
  private static final RecordStarts WARC = RecordStarts.warc();
  private static final Pattern JSON = Pattern.compile("\\s*(\\[\\s*)?\\{\\s*\"");
  private static final Pattern TSV_LINE =
      Pattern.compile("\\S[^\\t\\n]*(\\t[^\\t\\n]*){1,3}(\\n|$)");

  private FormatSniffer() {}

  /** Never {@link Format#AUTO}; {@link Format#TEXT} if a file is one document of any kind. */
  static Format of(byte[] bytes, int from, int length, String name) {
    Format called = PerhapsRecords.called(name);
    if (called == Format.PARQUET || isParquet(bytes, from, length)) {
      return Format.PARQUET;
    }
    if (isOneDocument(bytes, from, length) && called == null) {
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
    String lines = withoutBlankLines(text);
    Format json = json(lines, called);
    return json == Format.TEXT && called != null
        ? called(called, bytes, from, window, lines)
        : json;
  }

  private static boolean isParquet(byte[] bytes, int from, int length) {
    return ParquetFooter.startsLike(bytes, from, length)
        && ContentSniffer.binary(bytes, from, length) != null;
  }

  /** The format of a file that is named like a list: that format, or {@link Format#TEXT}. */
  private static Format called(Format called, byte[] bytes, int from, int length, String lines) {
    return switch (called) {
      case TSV -> isTsv(bytes, from, length, lines) ? Format.TSV : Format.TEXT;
      case JSONL -> hasDocument(lines) ? Format.JSONL : Format.TEXT;
      case ARC ->
          hasStart(ArcHeader.recordStarts(), bytes, from, length) ? Format.ARC : Format.TEXT;
      default -> hasStart(WARC, bytes, from, length) ? Format.WARC : Format.TEXT;
    };
  }

  private static boolean isTsv(byte[] bytes, int from, int length, String lines) {
    // UTF-16, with or without a byte order mark, is not read as TSV.
    boolean isWide =
        length > 1
            && (PerhapsRecords.isWide(bytes, from) || bytes[from] == 0 || bytes[from + 1] == 0);
    return !isWide
        && (TSV_LINE.matcher(lines).lookingAt() || TsvColumns.named(bytes, from, length) != null);
  }

  /** Whether a record starts at any line in sight; the data before it is damaged. */
  private static boolean hasStart(RecordStarts starts, byte[] bytes, int from, int length) {
    int end = from + length;
    for (int at = from; at < end; at++) {
      if ((at == from || bytes[at - 1] == '\n') && starts.matches(bytes, at, end - at)) {
        return true;
      }
    }
    return false;
  }

  /** Whether any line in sight is a JSON document. */
  private static boolean hasDocument(String lines) {
    return lines.lines().map(String::stripTrailing).anyMatch(FormatSniffer::isWholeDocument);
  }

  private static boolean isWholeDocument(String line) {
    if (!line.startsWith("{") || !line.endsWith("}")) {
      return false;
    }
    UsualMembers.Probe probe = UsualMembers.probe(line);
    return probe.isWhole() && probe.isDocument();
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

  /** Whether another document follows the first one. In XML, the tag may be the root. */
  private static boolean isFollowed(String lower, int start) {
    int close = lower.indexOf("</doc>", start);
    int next = lower.indexOf("<doc", start);
    return close < 0
        ? next < 0
        : next > close && lower.substring(close + "</doc>".length(), next).isBlank();
  }

  /** The text from its first non-blank line on. */
  private static String withoutBlankLines(String text) {
    int blank = 0;
    while (blank < text.length() && Lines.isBlank(text.charAt(blank))) {
      blank++;
    }
    return text.substring(text.lastIndexOf('\n', blank - 1) + 1);
  }

  /** Recognizes most files, above all HTML pages, by their first bytes alone. */
  private static boolean isOneDocument(byte[] bytes, int from, int length) {
    int at = from;
    int end = from + Math.min(length, ContentSniffer.WINDOW_BYTES);
    // Bytes outside ASCII, such as a byte order mark, are negative.
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
    return !mayBe;
  }

  static boolean startsAsJson(String text) {
    return JSON.matcher(text).lookingAt();
  }

  /**
   * Whether a line that starts with an object is damaged; an object over several lines breaks
   * elsewhere.
   */
  private static boolean isCutLine(String line) {
    String shown = line.stripTrailing();
    return shown.length() > 1 && "{[,:".indexOf(shown.charAt(shown.length() - 1)) < 0;
  }

  /** The format of objects that the text starts with; otherwise {@link Format#TEXT}. */
  private static Format json(String text, @Nullable Format called) {
    if (!startsAsJson(text)) {
      return Format.TEXT;
    }
    if (text.stripLeading().startsWith("[")) {
      return UsualMembers.probe(text).isDocument() ? Format.JSON : Format.TEXT;
    }
    int lineEnd = text.indexOf('\n');
    String line = lineEnd < 0 ? text : text.substring(0, lineEnd);
    boolean lineIsWhole = lineEnd >= 0 || text.length() < ContentSniffer.WINDOW_BYTES;
    UsualMembers.Probe probe = UsualMembers.probe(line);
    boolean isLine =
        lineIsWhole
            ? probe.isWhole() && probe.isDocument() && line.stripTrailing().endsWith("}")
            : probe.hasText() && (probe.hasId() || probe.hasUri());
    if (isLine || (lineEnd >= 0 && isCutLine(line) && hasDocument(text.substring(lineEnd + 1)))) {
      return Format.JSONL;
    }
    boolean isDocument = UsualMembers.probe(text).isDocument();
    if (called == Format.JSONL && (probe.isWhole() || !isDocument)) {
      return Format.JSONL;
    }
    return isDocument ? Format.JSON : Format.TEXT;
  }
}
