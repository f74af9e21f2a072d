package io.kmodel.indexer.source.warc;

import io.kmodel.indexer.source.ContentType;
import io.kmodel.indexer.source.Docno;
import io.kmodel.indexer.source.Location;
import io.kmodel.indexer.source.MetadataRequest;
import io.kmodel.indexer.source.RawDocument;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.record.ContentSniffer;
import io.kmodel.indexer.source.record.DamagedRecordException;
import io.kmodel.indexer.source.record.RecordBytes;
import io.kmodel.indexer.source.record.RecordFile;
import io.kmodel.indexer.source.record.RecordRecovery;
import io.kmodel.indexer.source.record.Records;
import io.kmodel.indexer.source.unpack.DocumentBuffer;
import io.kmodel.indexer.source.unpack.InputBytes;
import io.kmodel.indexer.source.unpack.RecordInput;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.netpreserve.jwarc.MessageHeaders;

/**
 * The pages of a WARC or ARC file: response, resource and conversion records that hold HTML or
 * text, regardless of the response's status. Other records are counted by type.
 *
 * <p>Headers of WARC are parsed leniently by jwarc's grammar (for ARC see {@link ArcHeader}). Lines
 * may end in LF alone, as in ClueWeb09; its version 0.18, impossible dates and empty lines within
 * headers are accepted, too. Records are framed here, because jwarc's reader does not bound a
 * header, does not continue after damage, and rejects LF alone at the end of a file. Any number of
 * line ends may follow a record.
 *
 * <p>Damage: a malformed or incomplete record is reported with its offset. Reading continues at the
 * next member (of gzip, or a frame of zstd) that starts with a record, or else at the next such
 * line.
 *
 * <p>Memory: the largest page so far, decoded and encoded, and a header of at most {@value
 * #MAX_HEADER_BYTES} bytes. Not thread-safe.
 */
public final class WarcRecords implements Records {
  private static final int MAX_HEADER_BYTES = 1 << 20;

  /** Characters of a wrong Content-Length that a message shows. */
  private static final int SHOWN_CHARS = 40;

  /** Bytes that identify a status line. */
  private static final int STATUS_BYTES = 8;

  private static final byte[] WARC = {'W', 'A', 'R', 'C', '/'};

  private final RecordFile file;
  private final RecordInput input;
  private final Docno docno;
  private final MetadataRequest wanted;
  private final RecordRecovery recovery;
  private final RecordBytes bytes;
  private final DocumentBuffer decoded;
  private final WarcHeaderReader headerReader;

  /** Of the current record. */
  private Location place = Location.of("");

  private String uri = "";
  private MessageHeaders recordHeaders = HttpHeader.NO_HEADERS;

  /** Why the crawler stored only part of it; null if it stored all. */
  private @Nullable String truncated;

  /**
   * Reads a file.
   *
   * @param wanted the metadata of pages to note
   * @param decoded for pages whose encoding is undone
   */
  public WarcRecords(
      RecordFile file,
      Docno docno,
      MetadataRequest wanted,
      RecordRecovery recovery,
      DocumentBuffer decoded) {
    this.file = file;
    this.input = file.input();
    this.docno = docno;
    this.wanted = wanted;
    this.recovery = recovery;
    this.bytes = recovery.bytes();
    this.decoded = decoded;
    this.headerReader = new WarcHeaderReader(input, bytes, MAX_HEADER_BYTES);
  }

  @Override
  public @Nullable RawDocument next() throws IOException, InterruptedException {
    while (true) {
      try {
        if (!skipLineEnds() || file.isPastEnd()) {
          return null;
        }
        RawDocument document = record();
        if (document != null) {
          return document;
        }
        // The record had no page after all: release its heap before more records are skipped.
        file.buffer().start();
      } catch (InputBytes.ReadFailure | ClosedByInterruptException e) {
        throw e;
      } catch (IOException e) {
        if (!recover(e)) {
          return null;
        }
      }
    }
  }

  /** Whether there is a record to continue with; releases the heap of the damaged one. */
  private boolean recover(IOException e) throws IOException {
    file.buffer().start();
    return e instanceof DamagedRecordException damaged
        ? recovery.afterRecord(damaged)
        : recovery.afterFailure(e);
  }

  /** Skips the line ends between records; returns whether there is another record. */
  private boolean skipLineEnds() throws IOException {
    recovery.endRecords();
    for (int b = input.peek(); b >= 0; b = input.peek()) {
      if (b != '\r' && b != '\n') {
        return true;
      }
      input.advance(1);
    }
    return false;
  }

  private @Nullable RawDocument record() throws IOException, InterruptedException {
    long cellOffset = file.cellOffset();
    recovery.startRecord();
    MessageHeaders headers =
        startsAsWarc() ? headerReader.read() : ArcHeader.read(input, bytes, MAX_HEADER_BYTES);
    place = WarcHeaders.place(file, headers, docno, recovery);
    uri = WarcHeaders.uri(headers);
    recordHeaders = headers;
    truncated = WarcHeaders.truncated(headers);
    long length = length(headers);
    long left = input.left();
    if (length > left) {
      throw endsEarly(left, length);
    }
    SkipReason passed = WarcHeaders.reasonToPass(headers);
    if (passed != null) {
      pass(length);
      file.skip(place, passed, headers.first("WARC-Type").orElse("no WARC-Type"));
      return null;
    }
    return isResponse(headers, length)
        ? response(httpHeader(length), length, cellOffset)
        : page(headers, PageType.of(headers), null, length, cellOffset);
  }

  /** Whether there is an HTTP header, as in responses of any content type. */
  private boolean isResponse(MessageHeaders headers, long length) throws IOException {
    String media = headers.first("Content-Type").orElse("").toLowerCase(Locale.ROOT);
    if (media.startsWith("application/http")) {
      return true;
    }
    if (!WarcHeaders.isResponse(headers)) {
      return false;
    }
    int look = (int) Math.min(length, STATUS_BYTES);
    input.fill(look);
    int end = input.at() + Math.min(look, input.available());
    return HttpHeader.isStatusLine(input.array(), input.at(), end);
  }

  /** Reads a response. If it has no header, as in early HTTP, its bytes determine its type. */
  private @Nullable RawDocument response(@Nullable HttpHeader http, long length, long cellOffset)
      throws IOException, InterruptedException {
    if (http != null && http.length() < 0) {
      pass(length);
      if (length > RecordInput.WINDOW_BYTES) {
        String longer = "HTTP header is longer than %d bytes".formatted(RecordInput.WINDOW_BYTES);
        file.skip(place, SkipReason.TOO_LARGE, longer);
      } else {
        file.skip(place, SkipReason.NOT_TEXT, "HTTP header has no end");
      }
      return null;
    }
    return http == null
        ? page(HttpHeader.NO_HEADERS, PageType.UNKNOWN, null, length, cellOffset)
        : page(http.headers(), PageType.of(http.headers()), http, length, cellOffset);
  }

  private @Nullable RawDocument page(
      MessageHeaders described,
      PageType type,
      @Nullable HttpHeader http,
      long length,
      long cellOffset)
      throws IOException, InterruptedException {
    PageType told = type == PageType.DOUBTFUL ? look(http, length) : type;
    if (told == PageType.OTHER) {
      pass(length);
      file.skip(place, SkipReason.NOT_TEXT, declared(described));
      return null;
    }
    if (http != null && HttpPayload.hasManyEncodings(described)) {
      pass(length);
      file.skip(place, noPage(told), "too many content encodings");
      return null;
    }
    DocumentBuffer buffer = file.buffer();
    if (!readBody(length)) {
      tooLarge(told, described, buffer.problem());
      return null;
    }
    HttpPayload payload = new HttpPayload(buffer, decoded);
    if (http != null) {
      payload.decode(http.headers(), http.length());
    }
    if (told == PageType.HTML || told == PageType.XHTML) {
      payload.unpack();
    }
    return document(payload, told, described, cellOffset);
  }

  /** Reports a page that is too large; something that may not be a page is not a loss. */
  private void tooLarge(PageType type, MessageHeaders described, String problem) {
    if (type == PageType.DOUBTFUL) {
      file.skip(place, SkipReason.NOT_TEXT, declared(described));
    } else {
      file.skip(place, SkipReason.TOO_LARGE, problem);
    }
  }

  /** Whether the record starts like WARC, as far as there are bytes. */
  private boolean startsAsWarc() throws IOException {
    input.fill(WARC.length);
    int look = Math.min(WARC.length, bytes.available());
    return Arrays.equals(input.array(), input.at(), input.at() + look, WARC, 0, look);
  }

  private static long length(MessageHeaders headers) throws DamagedRecordException {
    String text = headers.first(WarcHeaderReader.CONTENT_LENGTH).map(String::strip).orElse("");
    if (text.isEmpty()) {
      throw new DamagedRecordException(WarcHeaderReader.NO_LENGTH);
    }
    try {
      long length = Long.parseLong(text);
      if (length >= 0) {
        return length;
      }
    } catch (NumberFormatException e) {
      // Reported like a negative number.
    }
    String start = text.substring(0, Math.min(text.length(), SHOWN_CHARS));
    String shown = start.length() < text.length() ? start + "\u2026" : start;
    throw new DamagedRecordException("Content-Length is not a number: " + shown);
  }

  /** The type of a record of doubtful type, by its first bytes, which are not consumed. */
  private PageType look(@Nullable HttpHeader http, long length) throws IOException {
    MessageHeaders headers = http == null ? HttpHeader.NO_HEADERS : http.headers();
    if (HttpPayload.isEncoded(headers)) {
      return PageType.DOUBTFUL;
    }
    int header = http == null ? 0 : http.length();
    int most = Math.min(RecordInput.WINDOW_BYTES, header + ContentSniffer.WINDOW_BYTES);
    int wanted = (int) Math.min(length, most);
    input.fill(wanted);
    int from = input.at() + header;
    int end = Math.max(from, input.at() + Math.min(wanted, input.available()));
    return HttpPayload.startsAsHtml(headers, input.array(), from, end)
        ? PageType.HTML
        : PageType.OTHER;
  }

  /** How to report a page that cannot be decoded: it may not be a page. */
  private static SkipReason noPage(PageType type) {
    return type.isText() ? SkipReason.DAMAGED : SkipReason.NOT_TEXT;
  }

  private static String declared(MessageHeaders described) {
    return described.first("Content-Type").orElse("");
  }

  /** Reads the header of a response without consuming it; null if there is no header. */
  private @Nullable HttpHeader httpHeader(long length) throws IOException {
    int window = (int) Math.min(length, RecordInput.WINDOW_BYTES);
    input.fill(window);
    int end = input.at() + Math.min(window, input.available());
    return HttpHeader.of(input.array(), input.at(), end);
  }

  private void pass(long length) throws IOException {
    endRecord(bytes.skip(length), length);
  }

  /**
   * Reads a record that may be a page; returns false, with a problem in the buffer, if it is too
   * large.
   */
  private boolean readBody(long length) throws IOException, InterruptedException {
    DocumentBuffer buffer = file.buffer();
    boolean fits = buffer.read(bytes::read, length);
    endRecord(fits ? buffer.length : buffer.length + bytes.skip(length - buffer.length), length);
    return fits;
  }

  private void endRecord(long passed, long length) throws IOException {
    if (passed < length) {
      throw endsEarly(passed, length);
    }
    recovery.checkRecord();
  }

  private DamagedRecordException endsEarly(long there, long length) throws IOException {
    return bytes.endsWithin("after %d of %d bytes of a record".formatted(there, length));
  }

  private static @Nullable String binary(DocumentBuffer page, boolean isText, String charset) {
    return isText
        ? ContentSniffer.binaryForText(page.bytes, page.length, charset)
        : ContentSniffer.binary(page.bytes, page.length);
  }

  private @Nullable RawDocument document(
      HttpPayload payload, PageType type, MessageHeaders described, long cellOffset) {
    if (payload.tooLarge() != null) {
      tooLarge(type, described, payload.tooLarge());
      return null;
    }
    DocumentBuffer text = payload.page();
    if (text.length == 0 && payload.cut() != null && type != PageType.DOUBTFUL) {
      file.skip(place, SkipReason.DAMAGED, payload.cut());
      return null;
    }
    String charset = DeclaredType.of(described).charset();
    String encoding = payload.unknownEncoding();
    String binary =
        text.length == 0 ? "empty" : binary(text, type.isText() && encoding == null, charset);
    if (binary != null && encoding != null) {
      file.skip(place, noPage(type), "content encoding %s: %s".formatted(encoding, binary));
      return null;
    }
    if (binary != null) {
      file.skip(place, SkipReason.NOT_TEXT, binary);
      return null;
    }
    ContentType content = type.content(text.bytes, text.length);
    if (type == PageType.DOUBTFUL && content != ContentType.HTML) {
      file.skip(place, SkipReason.NOT_TEXT, declared(described));
      return null;
    }
    String cut = payload.cut() == null ? truncated : payload.cut();
    if (cut != null) {
      file.skip(place, SkipReason.CUT_SHORT, cut);
    }
    long unit = file.unitAt(cellOffset);
    return RawDocument.of(place, content, text.bytes, text.length, unit)
        .withCharset(charset)
        .withUrl(uri)
        .withMetadata(WarcHeaders.metadata(wanted, recordHeaders, described));
  }
}
