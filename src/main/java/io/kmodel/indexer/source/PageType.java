package io.kmodel.indexer.source;

import com.google.common.base.CharMatcher;
import java.util.Locale;
import org.netpreserve.jwarc.MediaType;
import org.netpreserve.jwarc.MessageHeaders;

/** What a page of an archive is declared to be. */
enum PageType {
  HTML,
  /** Text, which may yet be HTML. */
  TEXT,
  /** Nothing is said; the bytes decide. */
  UNKNOWN,
  /**
   * Of no kind that browsers show as text: servers say that of pages, too, whose bytes start so.
   */
  DOUBTFUL,
  OTHER;

  /** What may stand behind a charset's name, where none stands before it. */
  private static final CharMatcher ENDS = CharMatcher.anyOf(",; \t");

  /** Whether browsers show it as text, whatever its bytes. */
  boolean isText() {
    return this == HTML || this == TEXT;
  }

  /** What the content type says. */
  static PageType of(MessageHeaders headers) {
    String declared = headers.first("Content-Type").orElse("").strip();
    String base = declared.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    return switch (base) {
      case "text/html", "application/xhtml+xml" -> HTML;
      case "", "unknown", "no-type", "unk", "application/unknown" -> UNKNOWN;
      case "text/css", "text/javascript", "text/ecmascript", "text/dns", "text/calendar" -> OTHER;
      case "application/pdf",
          "application/zip",
          "application/json",
          "application/javascript",
          "application/x-javascript",
          "application/x-shockwave-flash" ->
          OTHER;
      default ->
          switch (base.split("/", 2)[0]) {
            case "text" -> TEXT;
            case "image", "audio", "video", "font", "model" -> OTHER;
            default -> DOUBTFUL;
          };
    };
  }

  /** The charset that the content type names; empty if it names none, or makes no sense. */
  static String charset(MessageHeaders headers) {
    String type = headers.first("Content-Type").orElse("");
    try {
      return MediaType.parseLeniently(ENDS.trimTrailingFrom(type))
          .parameters()
          .getOrDefault("charset", "");
    } catch (IllegalArgumentException e) {
      return "";
    }
  }
}
