package io.kmodel.indexer.source.detect;

import com.google.common.collect.ImmutableMap;
import io.kmodel.indexer.source.Format;
import io.kmodel.indexer.source.json.UsualMembers;
import io.kmodel.indexer.source.record.ContentSniffer;
import io.kmodel.indexer.source.record.Lines;
import io.kmodel.indexer.source.record.TrecTags;
import io.kmodel.indexer.source.unpack.Compression;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Explains why a file that is read as one text may be an undeclared list of records. It may start
 * like JSON objects or contain TREC documents; it may be named like a list or an archive but not
 * start like one; or it may be UTF-16, in which no lists are read.
 */
final class PerhapsRecords {
  private static final Pattern TREC_FURTHER_ON =
      Pattern.compile("(?im)^[ \\t]{0,64}+<doc>\\s{0,100}+<docno>");
  private static final Pattern NEXT_OBJECT = Pattern.compile("\\}\\s{0,100}+,\\s{0,100}+\\{");

  private static final Pattern VECTOR = Pattern.compile("\"vector\"\\s{0,100}+:\\s{0,100}+\\{");

  /** Suffixes of file names that stand for a format. */
  private static final ImmutableMap<String, Format> CALLED =
      ImmutableMap.of(
          ".warc", Format.WARC,
          ".arc", Format.ARC,
          ".wet", Format.WET,
          ".jsonl", Format.JSONL,
          ".ndjson", Format.JSONL,
          ".tsv", Format.TSV,
          ".parquet", Format.PARQUET);

  private PerhapsRecords() {}

  /**
   * Examines a text that {@link FormatSniffer#of} takes for one document. For most texts, the first
   * byte and the name suffice.
   *
   * @param isAll whether these bytes are the whole text
   * @return null if it does not look like a list
   */
  static @Nullable String of(byte[] bytes, int length, boolean isAll, String name) {
    int end = Math.min(length, ContentSniffer.WINDOW_BYTES);
    if (end > 1 && isWide(bytes, 0)) {
      return ofWide(bytes, end, name);
    }
    int at = Lines.markBytes(bytes, 0, end);
    while (at < end && Lines.isBlank(bytes[at])) {
      at++;
    }
    if (at == end) {
      return null;
    }
    return switch (bytes[at]) {
      case '<' -> ofMarkup(text(bytes, at, end));
      case '{', '[' -> ofJson(text(bytes, at, end), isAll && end == length, name);
      default -> ofName(name);
    };
  }

  private static String text(byte[] bytes, int from, int end) {
    return new String(bytes, from, end - from, StandardCharsets.ISO_8859_1);
  }

  /** Whether bytes, at least two, start with the byte order mark of UTF-16. */
  static boolean isWide(byte[] bytes, int from) {
    return (bytes[from] == (byte) 0xFF && bytes[from + 1] == (byte) 0xFE)
        || (bytes[from] == (byte) 0xFE && bytes[from + 1] == (byte) 0xFF);
  }

  private static @Nullable String ofWide(byte[] bytes, int end, String name) {
    String text = new String(bytes, 0, end, StandardCharsets.UTF_16).stripLeading();
    String lower = text.toLowerCase(Locale.ROOT);
    boolean isList =
        FormatSniffer.startsAsJson(text) || lower.startsWith("<doc>") || called(name) != null;
    return isList ? "is UTF-16; if it is a list of records, convert it to UTF-8" : null;
  }

  private static @Nullable String ofMarkup(String text) {
    TrecTags.Start start = TrecTags.start(text);
    if (start != null
        && start.attribute("id") != null
        && text.toLowerCase(Locale.ROOT).contains("<text>")) {
      return "is one <DOC> with an id; if it is a TREC document, use --format trec";
    }
    return TREC_FURTHER_ON.matcher(text).find()
        ? "has <DOC> and <DOCNO> after other text; to read these, use --format trec"
        : null;
  }

  private static @Nullable String ofJson(String text, boolean isAll, String name) {
    boolean isArray = text.startsWith("[");
    boolean isList =
        FormatSniffer.startsAsJson(text)
            && (isArray ? NEXT_OBJECT.matcher(text).find() : isLines(text, isAll, name));
    if (isList && !isArray && VECTOR.matcher(text).find()) {
      return "starts like JSON objects with vectors; if they are, use --format vectors";
    }
    return isList
        ? "starts like JSON objects, but no id and text are in sight (%s); if they are records, use --format %s, and --json-members if the names differ"
            .formatted(UsualMembers.NAMES, isArray ? "json" : "jsonl")
        : ofName(name);
  }

  /** Whether a text that starts with an object may have one object per line. */
  private static boolean isLines(String text, boolean isAll, String name) {
    int lineEnd = text.indexOf('\n');
    if (lineEnd < 0) {
      String end = Compression.plainEnd(name);
      return !isAll && (end.endsWith(".json") || end.endsWith(".jl"));
    }
    return text.substring(0, lineEnd).stripTrailing().endsWith("}")
        && FormatSniffer.startsAsJson(text.substring(lineEnd));
  }

  private static @Nullable String ofName(String name) {
    Format called = called(name);
    return called == null
        ? null
        : "is named like a list or an archive, but does not start like one; if it is, use --format %s"
            .formatted(called.label());
  }

  /** The format that a file name suggests; null if it suggests no list. */
  static @Nullable Format called(String name) {
    String end = Compression.plainEnd(name);
    int dot = end.lastIndexOf('.');
    return dot < 0 ? null : CALLED.get(end.substring(dot));
  }
}
