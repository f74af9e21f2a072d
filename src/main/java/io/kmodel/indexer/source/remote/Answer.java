package io.kmodel.indexer.source.remote;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A server's answer, whose body is read while it is received. */
record Answer(HttpResponse<BodyQueue> response) implements Closeable {
  /** The code of S3 for an object that has to be restored from an archive. */
  static final String ARCHIVED = "InvalidObjectState";

  private static final int BUFFER_BYTES = 1 << 14;

  /** The most of a body that is read to keep the connection, or for the error that it tells. */
  private static final int SMALL_BYTES = 1 << 14;

  private static final Pattern CONTENT_RANGE =
      Pattern.compile("bytes (?:(\\d{1,18})-(\\d{1,18})|\\*)/(\\d{1,18}|\\*)");

  private static final Pattern S3_CODE = Pattern.compile("<Code>([A-Za-z0-9]+)</Code>");

  /** Encodings that the format of a file tells, too. */
  private static final Set<String> KNOWN_ENCODINGS =
      Set.of("", "identity", "gzip", "x-gzip", "zstd", "compress", "x-compress", "aws-chunked");

  /**
   * What Content-Range says.
   *
   * @param from first byte; -1 if no byte can be sent
   * @param to the byte after the last one
   * @param size of the whole file; -1 if unknown
   */
  record Range(long from, long to, long size) {}

  int status() {
    return response.statusCode();
  }

  /** A header; empty if it is missing. */
  String header(String name) {
    return response.headers().firstValue(name).orElse("").strip();
  }

  /** Bytes of the body; -1 if the server does not say. */
  long length() {
    String length = header("content-length");
    return length.matches("\\d{1,18}") ? Long.parseLong(length) : -1;
  }

  /** The range that was sent; null if it is missing or cannot be read. */
  @Nullable Range range() {
    Matcher range = CONTENT_RANGE.matcher(header("content-range"));
    if (!range.matches()) {
      return null;
    }
    boolean isRange = range.group(1) != null;
    return new Range(
        isRange ? Long.parseLong(range.group(1)) : -1,
        isRange ? Long.parseLong(range.group(2)) + 1 : -1,
        range.group(3).equals("*") ? -1 : Long.parseLong(range.group(3)));
  }

  /** The encoding that would have to be undone; empty if all are known. */
  String unknownEncoding() {
    for (String encoding : header("content-encoding").split(",", -1)) {
      String name = encoding.strip().toLowerCase(Locale.ROOT);
      if (!KNOWN_ENCODINGS.contains(name)) {
        return name;
      }
    }
    return "";
  }

  /** When the file was modified; the epoch if the server does not say. */
  Instant modified() {
    Instant time = time(header("last-modified"));
    return time == null ? Instant.EPOCH : time;
  }

  /** How long the server asks to wait; zero if it does not. */
  Duration retryAfter() {
    String after = header("retry-after");
    if (after.matches("\\d{1,9}")) {
      return Duration.ofSeconds(Long.parseLong(after));
    }
    Instant time = time(after);
    Duration wait = time == null ? Duration.ZERO : Duration.between(Instant.now(), time);
    return wait.isNegative() ? Duration.ZERO : wait;
  }

  private static @Nullable Instant time(String text) {
    try {
      return ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
    } catch (DateTimeException e) {
      return null;
    }
  }

  /** The code in an error of S3; empty without one, or if it cannot be read. */
  String errorCode() {
    try {
      String body = new String(readAll(SMALL_BYTES), StandardCharsets.ISO_8859_1);
      Matcher code = S3_CODE.matcher(body);
      return code.find() ? code.group(1) : "";
    } catch (IOException e) {
      return "";
    }
  }

  /** The body, up to a number of bytes. */
  byte[] readAll(int most) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    while (all.size() < most && response.body().read(buffer.clear()) >= 0) {
      all.write(buffer.array(), 0, buffer.position());
    }
    return all.toByteArray();
  }

  /** Reads a small body to its end, so that the connection can be used again. */
  void drop() throws IOException {
    if (length() >= 0 && length() <= SMALL_BYTES) {
      readAll(SMALL_BYTES + 1);
    }
  }

  @Override
  public void close() {
    response.body().close();
  }
}
