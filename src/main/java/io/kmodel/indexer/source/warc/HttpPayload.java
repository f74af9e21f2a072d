package io.kmodel.indexer.source.warc;

import com.google.common.base.CharMatcher;
import com.google.common.base.Splitter;
import com.google.common.base.Utf8;
import com.google.common.collect.ImmutableSet;
import io.kmodel.indexer.source.ContentType;
import io.kmodel.indexer.source.DecoderMemoryException;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.record.ContentSniffer;
import io.kmodel.indexer.source.unpack.Compression;
import io.kmodel.indexer.source.unpack.DecodedInput;
import io.kmodel.indexer.source.unpack.DocumentBuffer;
import io.kmodel.indexer.source.unpack.GzipInput;
import io.kmodel.indexer.source.unpack.InputBytes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.ClosedByInterruptException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import org.brotli.dec.BrotliInputStream;
import org.jspecify.annotations.Nullable;
import org.netpreserve.jwarc.MessageHeaders;

/**
 * Undoes the encodings of an HTTP response: chunks first, then content encodings, the last one
 * applied first. A page that was stored decoded is kept as it is, regardless of its header. If a
 * page ends early or is damaged, the part that can be decoded is kept, and {@link #cut} gives the
 * reason.
 *
 * <p>Memory: the page before and after a step, each within the document size limit; for zstd its
 * window, which has to be granted; for brotli a window of up to 16 MiB. Not thread-safe.
 */
final class HttpPayload {
  /** Pages are encoded once; no browser would have asked for more encodings than this. */
  private static final int MAX_ENCODINGS = 3;

  /** So many hexadecimal digits always fit in a long. */
  private static final int MAX_SIZE_DIGITS = 15;

  private static final Splitter COMMA = Splitter.on(',').trimResults();

  /** May surround the name of an encoding. */
  private static final CharMatcher QUOTES = CharMatcher.anyOf("\"' \t");

  /** Names that stand for no encoding. */
  private static final ImmutableSet<String> NO_ENCODINGS =
      ImmutableSet.of("", "identity", "none", "chunked");

  /** A header field. */
  private static final Pattern TRAILER = Pattern.compile("[\\w!#$%&'*+.^`|~-]+:");

  private DocumentBuffer from;
  private DocumentBuffer to;
  private @Nullable String cut;
  private @Nullable String tooLarge;
  private @Nullable String unknown;

  HttpPayload(DocumentBuffer one, DocumentBuffer other) {
    this.from = one;
    this.to = other;
  }

  /** The buffer that holds the page now. */
  DocumentBuffer page() {
    return from;
  }

  /** Why the page is incomplete; null if it is complete. */
  @Nullable String cut() {
    return cut;
  }

  /**
   * A content encoding that cannot be decoded here; null if there is none. A page that is not text
   * has this encoding; one that is text may not, as for "utf-8".
   */
  @Nullable String unknownEncoding() {
    return unknown;
  }

  /** Why there is no page; null if there is one. */
  @Nullable String tooLarge() {
    return tooLarge;
  }

  /** Whether a page has more content encodings than are decoded. */
  static boolean hasManyEncodings(MessageHeaders headers) {
    return encodings(headers).size() > MAX_ENCODINGS;
  }

  /** Whether a response is encoded, so that its first bytes say nothing. */
  static boolean isEncoded(MessageHeaders headers) {
    return !encodings(headers).isEmpty();
  }

  /** Whether an unencoded response, given the bytes after its header, starts as HTML. */
  static boolean startsAsHtml(MessageHeaders headers, byte[] bytes, int from, int end) {
    int line = lineEnd(bytes, from, end);
    boolean chunked = headers.contains("Transfer-Encoding", "chunked");
    int start = chunked && chunkSize(bytes, from, line) >= 0 ? line : from;
    byte[] page = Arrays.copyOfRange(bytes, start, end);
    return ContentSniffer.type(page, page.length, "") == ContentType.HTML;
  }

  /** Decodes the response in the first buffer, whose header takes {@code headerLength} bytes. */
  void decode(MessageHeaders headers, int headerLength) throws InterruptedException {
    if (headers.contains("Transfer-Encoding", "chunked")) {
      joinChunks(headerLength);
    } else {
      from.dropFirst(headerLength);
    }
    for (String encoding : encodings(headers)) {
      if (!isKnown(encoding)) {
        unknown = encoding;
      } else if (tooLarge == null && isEncoded(encoding)) {
        decode(encoding);
      }
    }
  }

  /**
   * Decompresses an HTML page whose header does not declare its gzip encoding. Other gzip data may
   * be an archived file.
   */
  void unpack() throws InterruptedException {
    if (tooLarge == null && cut == null && isEncoded("gzip")) {
      decode("gzip");
    }
  }

  private static boolean isKnown(String encoding) {
    return switch (encoding) {
      case "gzip", "x-gzip", "deflate", "br", "zstd" -> true;
      default -> false;
    };
  }

  /** In the order of decoding: encodings for the transfer of a page were applied last. */
  private static List<String> encodings(MessageHeaders headers) {
    List<String> encodings = new ArrayList<>();
    for (String name : List.of("Content-Encoding", "Transfer-Encoding")) {
      for (String value : headers.all(name)) {
        for (String part : COMMA.split(value)) {
          String encoding = named(part);
          if (!NO_ENCODINGS.contains(encoding)) {
            encodings.add(encoding);
          }
        }
      }
    }
    Collections.reverse(encodings);
    return encodings;
  }

  /** Without quotes, and without parameters, which no encoding has. */
  private static String named(String part) {
    int end = part.indexOf(';');
    String name = end < 0 ? part : part.substring(0, end);
    return QUOTES.trimFrom(name).toLowerCase(Locale.ROOT);
  }

  /**
   * Joins the chunks after the header. Lines may end in LF alone, and anything after a chunk's size
   * on its line is ignored. A body that does not start with a chunk was stored joined.
   */
  private void joinChunks(int headerLength) throws InterruptedException {
    if (!isChunk(headerLength)) {
      from.dropFirst(headerLength);
      return;
    }
    to.clear();
    int at = headerLength;
    boolean last = false;
    while (!last && cut == null && tooLarge == null) {
      int line = lineEnd(from.bytes, at, from.length);
      long size = chunkSize(from.bytes, at, line);
      if (size < 0) {
        cut = "chunked transfer: no chunk size at byte " + (at - headerLength);
      } else {
        last = size == 0;
        at = addChunk(line, size);
      }
    }
    swap();
  }

  /** Whether the first line is the size of a chunk; a page may start with a number, too. */
  private boolean isChunk(int start) {
    int line = lineEnd(from.bytes, start, from.length);
    long size = chunkSize(from.bytes, start, line);
    if (size <= 0 || size >= from.length - line) {
      return size > 0 || (size == 0 && areTrailers(line));
    }
    byte behind = from.bytes[line + (int) size];
    return behind == '\r' || behind == '\n';
  }

  /** Whether all lines are empty or have the form of header fields, as after a last chunk. */
  private boolean areTrailers(int start) {
    for (int at = start; at < from.length; ) {
      int end = lineEnd(from.bytes, at, from.length);
      String line = new String(from.bytes, at, end - at, StandardCharsets.ISO_8859_1);
      if (!line.isBlank() && !TRAILER.matcher(line).lookingAt()) {
        return false;
      }
      at = end;
    }
    return true;
  }

  /** Appends a chunk and skips the line end after it; returns where the next one starts. */
  private int addChunk(int start, long size) throws InterruptedException {
    int n = (int) Math.min(size, from.length - start);
    if (!to.append(from.bytes, start, n)) {
      tooLarge = to.problem();
      return start;
    }
    int at = start + n;
    if (n < size) {
      cut = "chunked transfer: a chunk has %d of %d bytes".formatted(n, size);
    } else if (size > 0) {
      at += at < from.length && from.bytes[at] == '\r' ? 1 : 0;
      at += at < from.length && from.bytes[at] == '\n' ? 1 : 0;
      cut = at < from.length ? null : "chunked transfer: the last chunk is missing";
    }
    return at;
  }

  /** The offset after the LF that ends a line, or the end of the page. */
  private static int lineEnd(byte[] bytes, int start, int end) {
    int at = start;
    while (at < end && bytes[at] != '\n') {
      at++;
    }
    return Math.min(at + 1, end);
  }

  /**
   * The size in a line of hexadecimal digits, with or without an extension; -1 if there is no size.
   */
  private static long chunkSize(byte[] bytes, int start, int end) {
    int first = start;
    while (first < end && (bytes[first] == ' ' || bytes[first] == '\t')) {
      first++;
    }
    int at = first;
    while (at < end && bytes[at] == '0') {
      at++;
    }
    long size = 0;
    int most = Math.min(end, at + MAX_SIZE_DIGITS);
    while (at < most && Character.digit(bytes[at], 16) >= 0) {
      size = size << 4 | Character.digit(bytes[at++], 16);
    }
    if (at == first) {
      return -1;
    }
    while (at < end && (bytes[at] == ' ' || bytes[at] == '\t' || bytes[at] == '\r')) {
      at++;
    }
    return at < end && (bytes[at] == '\n' || bytes[at] == ';') ? size : -1;
  }

  /** Whether the page may have this encoding; two encodings have no signature. */
  private boolean isEncoded(String encoding) {
    return switch (encoding) {
      case "gzip", "x-gzip" -> GzipInput.isGzip(from.bytes, 0, from.length);
      case "zstd" -> Compression.of(from.bytes, 0, from.length) == Compression.ZSTD;
      // Even a dozen deflated bytes are not text, but some texts can be inflated.
      case "deflate" -> !isText() || !Utf8.isWellFormed(from.bytes, 0, from.length);
      default -> from.length > 0;
    };
  }

  private void decode(String encoding) throws InterruptedException {
    to.clear();
    if (encoding.endsWith("gzip") && GzipPage.unpack(from, to)) {
      swap();
      return;
    }
    String failure = null;
    boolean shortage = false;
    try (InputStream in = open(encoding)) {
      if (!to.readAll(in::read)) {
        tooLarge = "%d bytes of %s decode to %s".formatted(from.length, encoding, to.problem());
      }
    } catch (ClosedByInterruptException e) {
      // Interrupted while it waited for memory: nothing is wrong with the page.
      throw new InterruptedException("interrupted while decoding a page");
    } catch (IOException | RuntimeException e) {
      failure = problem(encoding, e);
      shortage = e instanceof DecoderMemoryException;
    }
    if (tooLarge == null && wasStoredDecoded(failure != null)) {
      return;
    }
    if (shortage) {
      tooLarge = failure;
    } else {
      cut = failure == null ? cut : failure;
    }
    swap();
  }

  /** Whether a page is text as it is, and decoding makes less text of it or none. */
  private boolean wasStoredDecoded(boolean failed) {
    if (!isText()) {
      return false;
    }
    return failed
        ? to.length < from.length
        : to.length <= from.length / 2 || ContentSniffer.binary(to.bytes, to.length) != null;
  }

  /** Whether the page is text as it is. */
  private boolean isText() {
    return ContentSniffer.binary(from.bytes, from.length) == null;
  }

  private static String problem(String encoding, Exception e) {
    String message = SkipReason.detail(e);
    String gzip = "gzip: ";
    return encoding
        + ": "
        + (message.startsWith(gzip) ? message.substring(gzip.length()) : message);
  }

  private InputStream open(String encoding) throws IOException {
    return switch (encoding) {
      case "gzip", "x-gzip" -> new GzipInput(encoded(), "page", GzipInput.NEVER_AT_ONCE);
      default -> new DecodedInput(decoder(encoding), () -> decoder(encoding));
    };
  }

  private InputStream decoder(String encoding) throws IOException {
    return switch (encoding) {
      case "deflate" -> new Deflated(encoded(), isRawDeflate());
      case "br" -> new BrotliInputStream(encoded());
      default -> Compression.zstd(encoded(), from.decoders());
    };
  }

  private InputBytes encoded() {
    return InputBytes.of(from.bytes, 0, from.length);
  }

  /** Servers never agreed on whether "deflate" includes the zlib header. */
  private boolean isRawDeflate() {
    byte[] bytes = from.bytes;
    return from.length < 2
        || (bytes[0] & 0x0F) != 8
        || ((bytes[0] & 0xFF) << 8 | (bytes[1] & 0xFF)) % 31 != 0;
  }

  private void swap() {
    DocumentBuffer decoded = to;
    to = from;
    from = decoded;
  }

  /** Ends its inflater, which the superclass does only for one that it created. */
  private static final class Deflated extends InflaterInputStream {
    Deflated(InputStream in, boolean raw) {
      super(in, new Inflater(raw));
    }

    @Override
    public void close() throws IOException {
      inf.end();
      super.close();
    }
  }
}
