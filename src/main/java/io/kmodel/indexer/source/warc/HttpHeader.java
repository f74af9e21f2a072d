package io.kmodel.indexer.source.warc;

import io.kmodel.indexer.source.ContentType;
import io.kmodel.indexer.source.record.ContentSniffer;
import io.kmodel.indexer.source.record.Lines;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.netpreserve.jwarc.HttpParser;
import org.netpreserve.jwarc.MessageHeaders;

/**
 * The header of a response, parsed leniently by jwarc's grammar. Any status line is accepted,
 * because a page counts regardless of its status. Empty lines and interim responses may come before
 * the header.
 *
 * @param length in bytes, with everything before the header; -1 if the header does not end
 */
record HttpHeader(MessageHeaders headers, int length) {
  /** For a page without a header. */
  static final MessageHeaders NO_HEADERS = MessageHeaders.of();

  /** Lines of an unterminated header at which a page may start. */
  private static final int MOST_LOOKS = 16;

  /** Replaces a status line that jwarc does not know. */
  private static final byte[] STATUS_LINE =
      "HTTP/1.0 200 OK\r\n".getBytes(StandardCharsets.US_ASCII);

  /** Reads the header that bytes start with; null if they start with none. */
  static @Nullable HttpHeader of(byte[] bytes, int from, int end) {
    HttpHeader header = null;
    int at = behindLineEnds(bytes, from, end);
    while (true) {
      ByteBuffer there = ByteBuffer.wrap(bytes, at, end - at);
      HttpParser http = parse(bytes, there);
      if (http == null) {
        return header;
      }
      if (!http.isFinished()) {
        return new HttpHeader(NO_HEADERS, startOfPage(bytes, from, end));
      }
      at = there.position();
      header = new HttpHeader(http.headers(), at - from);
      if (!isInterim(http.status()) || !isStatusLine(bytes, at, end)) {
        return header;
      }
    }
  }

  /** Whether bytes start like a response, including those of old and unusual servers. */
  static boolean isStatusLine(byte[] bytes, int from, int end) {
    return Lines.startsWith(bytes, from, end, "http/")
        || Lines.startsWith(bytes, from, end, "icy ");
  }

  /** Whether another response follows, without a page in between. */
  private static boolean isInterim(int status) {
    return status >= 100 && status < 200 && status != 101;
  }

  private static int behindLineEnds(byte[] bytes, int from, int end) {
    int at = from;
    while (at < end && (bytes[at] == '\r' || bytes[at] == '\n')) {
      at++;
    }
    return at;
  }

  /** Parses a header and moves to its end; null if there is no header. */
  private static @Nullable HttpParser parse(byte[] bytes, ByteBuffer there) {
    int line = there.position();
    int end = there.limit();
    HttpParser http = parse(parser(), there);
    if (http != null || !isStatusLine(bytes, line, end)) {
      return http;
    }
    while (line < end && bytes[line] != '\n') {
      line++;
    }
    there.position(Math.min(line + 1, end));
    HttpParser other = parser();
    other.parse(ByteBuffer.wrap(STATUS_LINE));
    return parse(other, there);
  }

  private static HttpParser parser() {
    HttpParser http = new HttpParser();
    http.lenientResponse();
    return http;
  }

  private static @Nullable HttpParser parse(HttpParser http, ByteBuffer bytes) {
    try {
      http.parse(bytes);
    } catch (RuntimeException e) {
      return null;
    }
    return http.isError() ? null : http;
  }

  /**
   * Offset of the page after a header without an empty line: the first line that starts as HTML; -1
   * if there is none.
   */
  private static int startOfPage(byte[] bytes, int from, int end) {
    int looks = 0;
    for (int at = from + 1; at < end && looks < MOST_LOOKS; at++) {
      if (bytes[at] == '<' && bytes[at - 1] == '\n') {
        looks++;
        byte[] page =
            Arrays.copyOfRange(bytes, at, Math.min(end, at + ContentSniffer.WINDOW_BYTES));
        if (ContentSniffer.type(page, page.length, "") == ContentType.HTML) {
          return at - from;
        }
      }
    }
    return -1;
  }
}
