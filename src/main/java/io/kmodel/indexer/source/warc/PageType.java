package io.kmodel.indexer.source.warc;

import io.kmodel.indexer.source.ContentType;
import io.kmodel.indexer.source.record.ContentSniffer;
import org.netpreserve.jwarc.MessageHeaders;

/** The declared type of an archived page. */
enum PageType {
  HTML,
  /** HTML that browsers parse as XML. */
  XHTML,
  /** Text, which may also be HTML. */
  TEXT,
  /** Not declared; the bytes decide. */
  UNKNOWN,
  /**
   * Not a type that browsers show as text. Some servers declare it for pages, so content that
   * starts as HTML still counts.
   */
  DOUBTFUL,
  OTHER;

  /** Whether browsers show it as text, regardless of its bytes. */
  boolean isText() {
    return this == HTML || this == XHTML || this == TEXT;
  }

  /** How a page of this type is parsed. */
  ContentType content(byte[] page, int length) {
    return switch (this) {
      case HTML -> ContentType.HTML;
      case XHTML -> ContentType.XML;
      default -> ContentSniffer.type(page, length, "");
    };
  }

  /** The type according to the content type. */
  static PageType of(MessageHeaders headers) {
    String base = DeclaredType.of(headers).media();
    return switch (base) {
      case "text/html" -> HTML;
      case "application/xhtml+xml" -> XHTML;
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
}
