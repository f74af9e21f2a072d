package io.kmodel.indexer.source.warc;

import io.kmodel.indexer.source.record.DamagedRecordException;
import io.kmodel.indexer.source.record.RecordBytes;
import io.kmodel.indexer.source.record.RecordStarts;
import io.kmodel.indexer.source.record.WellFormed;
import io.kmodel.indexer.source.remote.UnavailableException;
import io.kmodel.indexer.source.unpack.RecordInput;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.netpreserve.jwarc.MessageHeaders;
import org.netpreserve.jwarc.WarcParser;

/**
 * Reads the headers of WARC records, leniently by jwarc's grammar. Lines that are not UTF-8 are
 * read as ISO-8859-1. If a header ends at an empty line before it has declared the record's length,
 * and a field follows, the header continues there; ClueWeb09 has some such headers. Memory: a
 * header, three times. Not thread-safe.
 */
final class WarcHeaderReader {
  static final String CONTENT_LENGTH = "Content-Length";
  static final String NO_LENGTH = "record has no Content-Length";

  /** Groups of empty lines that are skipped in a header. */
  private static final int MOST_GAPS = 3;

  /** Bytes that are examined to recognize a field. */
  private static final int FIELD_BYTES = 64;

  private final RecordInput input;
  private final RecordBytes bytes;
  private final RecordStarts starts = RecordStarts.warc();
  private final int maxBytes;
  private final WarcParser parser = new WarcParser();

  /** The current header, as far as it was parsed. */
  private final ByteArrayOutputStream headerBytes = new ByteArrayOutputStream();

  /** Reads from the start of a record. */
  WarcHeaderReader(RecordInput input, RecordBytes bytes, int maxBytes) {
    this.input = input;
    this.bytes = bytes;
    this.maxBytes = maxBytes;
    parser.setLenient(true);
  }

  /**
   * Reads the header of the record that starts here.
   *
   * @throws DamagedRecordException if there is no header, or it is too long
   */
  MessageHeaders read() throws IOException {
    parser.reset();
    headerBytes.reset();
    try {
      while (!parser.isFinished()) {
        if (!bytes.fill()) {
          throw bytes.endsWithin("within a record's header");
        }
        ByteBuffer there = ByteBuffer.wrap(bytes.array(), bytes.at(), bytes.available());
        int before = there.remaining();
        parser.parse(there);
        int taken = before - there.remaining();
        headerBytes.write(bytes.array(), bytes.at(), taken);
        bytes.advance(taken);
        if (parser.isError()) {
          throw new DamagedRecordException(
              "no record header: unexpected byte at offset %d in it".formatted(parser.position()));
        }
        if (parser.position() > maxBytes) {
          throw new DamagedRecordException(
              "record header is longer than %d bytes".formatted(maxBytes));
        }
      }
      MessageHeaders headers = parser.headers();
      for (int i = 0; i < MOST_GAPS && isBroken(headers); i++) {
        headers = headerWithRest();
      }
      return WarcHeaders.mayHaveLost(headers) ? decodedHeader(headers) : headers;
    } catch (UnavailableException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new DamagedRecordException("no record header: " + e);
    }
  }

  /** Whether a header ended at an empty line before it was complete, and continues after it. */
  private boolean isBroken(MessageHeaders headers) throws IOException {
    if (headers.first(CONTENT_LENGTH).isPresent() || !bytes.fill()) {
      return false;
    }
    input.fill(FIELD_BYTES);
    int end = bytes.at() + Math.min(bytes.available(), FIELD_BYTES);
    int at = bytes.at();
    while (at < end && (bytes.array()[at] == '\r' || bytes.array()[at] == '\n')) {
      at++;
    }
    int name = at;
    while (at < end && (Character.isLetterOrDigit(bytes.array()[at]) || bytes.array()[at] == '-')) {
      at++;
    }
    return at > name && at < end && bytes.array()[at] == ':';
  }

  /** The current header with the lines after its empty ones, up to the next empty line. */
  private MessageHeaders headerWithRest() throws IOException {
    StringBuilder header = new StringBuilder();
    header.append(headerBytes.toString(StandardCharsets.ISO_8859_1).stripTrailing());
    int before = header.length();
    boolean ended = false;
    while (!ended && bytes.fill() && header.length() < maxBytes && !starts.isNext(input)) {
      String line = line();
      ended = line.isEmpty() && header.length() > before;
      if (!line.isEmpty() || ended) {
        header.append("\r\n").append(line);
      }
    }
    byte[] whole = header.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    headerBytes.reset();
    headerBytes.writeBytes(whole);
    MessageHeaders headers = parsed(whole);
    if (headers == null) {
      throw new DamagedRecordException(NO_LENGTH);
    }
    return headers;
  }

  /** The fields of a header; null if it has no end. */
  private @Nullable MessageHeaders parsed(byte[] whole) {
    parser.reset();
    parser.parse(ByteBuffer.wrap(whole));
    return parser.isFinished() ? parser.headers() : null;
  }

  /** The rest of a line, without its end, which is consumed. */
  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    boolean ended = false;
    while (!ended && bytes.fill() && line.length() < maxBytes) {
      char c = (char) (bytes.array()[bytes.at()] & 0xFF);
      bytes.advance(1);
      ended = c == '\n';
      if (!ended && c != '\r') {
        line.append(c);
      }
    }
    return line.toString();
  }

  /** Decodes the current header again, whose lines may not be UTF-8; jwarc puts U+FFFD for them. */
  private MessageHeaders decodedHeader(MessageHeaders lossy) throws IOException {
    StringBuilder text = new StringBuilder();
    for (String line : headerBytes.toString(StandardCharsets.ISO_8859_1).split("(?<=\n)", -1)) {
      text.append(WellFormed.name(line));
    }
    MessageHeaders decoded = parsed(text.toString().getBytes(StandardCharsets.UTF_8));
    return decoded == null ? lossy : decoded;
  }
}
