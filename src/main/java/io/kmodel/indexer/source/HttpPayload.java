package io.kmodel.indexer.source;

import com.google.common.base.Splitter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import org.brotli.dec.BrotliInputStream;
import org.jspecify.annotations.Nullable;
import org.netpreserve.jwarc.HttpResponse;
import org.netpreserve.jwarc.MessageBody;
import org.netpreserve.jwarc.MessageHeaders;

/**
 * Undoes what HTTP did to a page: chunks, then content encodings, the last applied first. A page
 * that was stored decoded, whatever its header says, stays as it is; of one that ends early or is
 * damaged, what can be decoded is kept, and {@link #cut} says why there is no more.
 *
 * <p>Memory: the page before and after a step, each within the limit of a document, and for brotli
 * its window of up to 16 MiB. Not thread-safe.
 */
final class HttpPayload {
  /** Pages are encoded once; more than this is nothing that a browser would have asked for. */
  private static final int MAX_ENCODINGS = 3;

  private static final Splitter COMMA = Splitter.on(',').trimResults();

  private DocumentBuffer from;
  private DocumentBuffer to;
  private @Nullable String cut;
  private @Nullable String tooLarge;

  HttpPayload(DocumentBuffer one, DocumentBuffer other) {
    this.from = one;
    this.to = other;
  }

  /** Holds the page now. */
  DocumentBuffer page() {
    return from;
  }

  /** Why the page is not whole; null if it is. */
  @Nullable String cut() {
    return cut;
  }

  /** Why the page is not there at all; null if it is. */
  @Nullable String tooLarge() {
    return tooLarge;
  }

  /** The first content encoding that is not undone here; null if there is none. */
  static @Nullable String unknownEncoding(MessageHeaders headers) {
    for (String encoding : encodings(headers)) {
      switch (encoding) {
        case "gzip", "x-gzip", "deflate", "br", "zstd" -> {}
        default -> {
          return encoding;
        }
      }
    }
    return encodings(headers).size() > MAX_ENCODINGS ? "too many" : null;
  }

  /** Decodes the response in the first buffer, whose header takes {@code headerLength} bytes. */
  void decode(MessageHeaders headers, int headerLength) throws InterruptedException {
    if (headers.contains("Transfer-Encoding", "chunked")) {
      joinChunks();
    } else {
      from.dropFirst(headerLength);
    }
    for (String encoding : encodings(headers)) {
      if (tooLarge == null && isEncoded(encoding)) {
        decode(encoding);
      }
    }
  }

  /** The content encodings in the order in which they are undone. */
  private static List<String> encodings(MessageHeaders headers) {
    List<String> encodings = new ArrayList<>();
    for (String value : headers.all("Content-Encoding")) {
      for (String part : COMMA.split(value)) {
        String encoding = part.toLowerCase(Locale.ROOT);
        if (!encoding.isEmpty() && !encoding.equals("identity") && !encoding.equals("none")) {
          encodings.add(encoding);
        }
      }
    }
    Collections.reverse(encodings);
    return encodings;
  }

  private void joinChunks() throws InterruptedException {
    to.clear();
    try {
      MessageBody body =
          HttpResponse.parse(
                  Channels.newChannel(new ByteArrayInputStream(from.bytes, 0, from.length)))
              .body();
      if (!to.readAll((bytes, at, length) -> body.read(ByteBuffer.wrap(bytes, at, length)))) {
        tooLarge = to.problem();
      }
    } catch (IOException | RuntimeException e) {
      cut = "chunked transfer: " + e.getMessage();
    }
    swap();
  }

  /** Whether the page starts as an encoding does; two of them have no sign of their own. */
  private boolean isEncoded(String encoding) {
    return switch (encoding) {
      case "gzip", "x-gzip" -> GzipInput.isGzip(from.bytes, 0, from.length);
      case "zstd" -> Compression.of(from.bytes, 0, from.length) == Compression.ZSTD;
      default -> from.length > 0;
    };
  }

  private void decode(String encoding) throws InterruptedException {
    to.clear();
    try (InputStream in = open(encoding)) {
      if (!to.readAll(in::read)) {
        tooLarge = "%d bytes of %s decode to %s".formatted(from.length, encoding, to.problem());
      }
    } catch (IOException | RuntimeException e) {
      cut = encoding + ": " + e.getMessage();
    }
    swap();
  }

  private InputStream open(String encoding) throws IOException {
    InputBytes in = InputBytes.of(from.bytes, 0, from.length);
    return switch (encoding) {
      case "deflate" -> new Deflated(in, isRawDeflate());
      case "br" -> new BrotliInputStream(in);
      case "zstd" -> Compression.zstd(in);
      default -> new GzipInput(in);
    };
  }

  /** Servers never agreed whether "deflate" has zlib's header. */
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

  /** Frees its inflater, which the class it extends does only for one of its own making. */
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
