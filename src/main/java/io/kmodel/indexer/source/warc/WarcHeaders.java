package io.kmodel.indexer.source.warc;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.source.Docno;
import io.kmodel.indexer.source.Location;
import io.kmodel.indexer.source.MetadataRequest;
import io.kmodel.indexer.source.RawMetadata;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.record.RecordFile;
import io.kmodel.indexer.source.record.RecordRecovery;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.netpreserve.jwarc.MessageHeaders;

/**
 * What the header of an archive's record says about a page: its id, and whether it is a page at
 * all.
 */
final class WarcHeaders {
  static final String DATE = "WARC-Date";
  private static final String IDENTIFIED_LANGUAGE = "WARC-Identified-Content-Language";
  private static final String TREC_ID = "WARC-TREC-ID";
  private static final String CLUEWEB22_ID = "ClueWeb22-ID";
  private static final String RECORD_ID = "WARC-Record-ID";
  private static final String TARGET_URI = "WARC-Target-URI";
  private static final String TRUNCATED = "WARC-Truncated";
  private static final String SEGMENT = "WARC-Segment-Number";

  /**
   * How the URIs of texts begin that a crawler writes about itself or its pages: browsertrix, wpull
   * and wget.
   */
  private static final ImmutableList<String> ABOUT_CRAWL =
      ImmutableList.of("urn:text", "urn:pageinfo:", "urn:x-wpull:", "metadata://");

  /** The standard's longest reasons are "disconnect" and "unspecified". */
  private static final int REASON_CHARS = 40;

  private WarcHeaders() {}

  /** The location of a record, with its document's id. */
  static Location place(RecordFile file, MessageHeaders headers, Docno docno, RecordRecovery at) {
    String trec = headers.first(TREC_ID).or(() -> headers.first(CLUEWEB22_ID)).orElse("");
    String uri = uri(headers);
    String record = bare(headers.first(RECORD_ID).orElse(""));
    String path = file.recordId(at.placeName());
    String id =
        switch (docno) {
          case TREC_ID -> first(trec, uri, record, path);
          case URI -> first(uri, trec, record, path);
          case RECORD_ID -> first(record, trec, uri, path);
          case PATH, PATH_STEM -> path;
        };
    return file.place(at.place(), id);
  }

  /**
   * Whether a field that may become an id has replacement characters for bytes that are not UTF-8.
   */
  static boolean mayHaveLost(MessageHeaders headers) {
    return mayHaveLost(headers, TARGET_URI)
        || mayHaveLost(headers, TREC_ID)
        || mayHaveLost(headers, CLUEWEB22_ID)
        || mayHaveLost(headers, RECORD_ID);
  }

  private static boolean mayHaveLost(MessageHeaders headers, String name) {
    return headers.first(name).orElse("").indexOf('\uFFFD') >= 0;
  }

  /** The URI of a record's page, or empty. */
  static String uri(MessageHeaders headers) {
    return bare(headers.first(TARGET_URI).orElse(""));
  }

  /**
   * What the headers of a record and of its page say.
   *
   * @param described the header of the page: of HTTP, or of the record itself
   */
  static RawMetadata metadata(
      MetadataRequest wanted, MessageHeaders headers, MessageHeaders described) {
    if (wanted.isEmpty()) {
      return RawMetadata.NONE;
    }
    String languages = first(described, "Content-Language");
    if (languages.isEmpty()) {
      // Common Crawl lists the languages of a text by their shares, the largest one first.
      languages = first(headers, IDENTIFIED_LANGUAGE).split(",", 2)[0];
    }
    return new RawMetadata(
        first(first(headers, DATE), first(described, "Date")),
        languages,
        DeclaredType.of(described).media(),
        ImmutableList.of());
  }

  private static String first(MessageHeaders headers, String name) {
    return headers.first(name).orElse("").strip();
  }

  /** Whether a record is a server's response. */
  static boolean isResponse(MessageHeaders headers) {
    return headers.first("WARC-Type").orElse("").equalsIgnoreCase("response");
  }

  /** Why a record holds only part of its page, according to its crawler; null if it holds all. */
  static @Nullable String truncated(MessageHeaders headers) {
    String segment = headers.first(SEGMENT).orElse("").strip();
    if (!segment.isEmpty()) {
      return "%s: %s; the other segments are not appended"
          .formatted(SEGMENT, Ascii.truncate(segment, REASON_CHARS, "…"));
    }
    String reason = headers.first(TRUNCATED).orElse("").strip();
    return reason.isEmpty() ? null : TRUNCATED + ": " + Ascii.truncate(reason, REASON_CHARS, "…");
  }

  /** Why a record holds no page; null if it may hold one. */
  static @Nullable SkipReason reasonToPass(MessageHeaders headers) {
    String type = headers.first("WARC-Type").orElse("").toLowerCase(Locale.ROOT);
    return switch (type) {
      case "response" -> null;
      case "resource", "conversion" -> isAboutCrawl(uri(headers)) ? SkipReason.METADATA : null;
      case "revisit" -> SkipReason.REVISIT;
      case "request" -> SkipReason.REQUEST;
      case "metadata", "warcinfo" -> SkipReason.METADATA;
      default -> SkipReason.OTHER_RECORD;
    };
  }

  private static boolean isAboutCrawl(String uri) {
    String start = Ascii.toLowerCase(uri);
    return ABOUT_CRAWL.stream().anyMatch(start::startsWith);
  }

  private static String first(String... candidates) {
    for (String candidate : candidates) {
      if (!candidate.isEmpty()) {
        return candidate;
      }
    }
    return "";
  }

  /** Removes the angle brackets around URIs, as in old files and in ids. */
  private static String bare(String uri) {
    boolean bracketed = uri.length() > 1 && uri.startsWith("<") && uri.endsWith(">");
    return bracketed ? uri.substring(1, uri.length() - 1) : uri;
  }
}
