package io.kmodel.indexer.source.warc;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.DictionaryFile;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.github.luben.zstd.Zstd;
import io.kmodel.indexer.source.HeapGuard;
import io.kmodel.indexer.source.unpack.DocumentBuffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.netpreserve.jwarc.MessageHeaders;

/** Any bytes as the body of a response: a page within the limit, which says so if it was cut. */
class HttpPayloadFuzzTest {
  private static final int LIMIT = 1 << 16;

  private static final List<String> ENCODINGS =
      List.of("", "gzip", "deflate", "br", "zstd", "gzip, br", "x-gzip, deflate, zstd", "identity");

  private static final byte[] STATUS = "HTTP/1.1 200 OK\r\n".getBytes(US_ASCII);

  /** The first byte says which encodings its header names. */
  @DictionaryFile(resourcePath = "http.dict")
  @FuzzTest
  void anyBodyIsAPageWithinTheLimitOrSaysWhyNot(byte[] input) throws InterruptedException {
    int choice = input.length == 0 ? 0 : input[0] & 0xFF;
    byte[] body = Arrays.copyOfRange(input, Math.min(1, input.length), input.length);
    String encoding = ENCODINGS.get(choice % ENCODINGS.size());
    boolean chunked = choice / ENCODINGS.size() % 2 == 1;
    HttpPayload payload = decode(encoding, chunked, body);
    assertThat(payload.page().length).isBetween(0, LIMIT);
    if (encoding.isEmpty() && !chunked) {
      assertThat(page(payload)).isEqualTo(body);
      assertThat(payload.cut()).isNull();
    }
  }

  /** Up to three encodings and chunks of any sizes are undone. */
  @FuzzTest
  void whatWasEncodedIsDecoded(FuzzedDataProvider data) throws IOException, InterruptedException {
    int steps = data.consumeInt(0, 3);
    int kinds = data.consumeInt(0, 255);
    int chunk = data.consumeInt(0, 1 << 10);
    byte[] content = data.consumeRemainingAsBytes();
    byte[] body = content;
    StringBuilder names = new StringBuilder();
    for (int i = 0; i < steps; i++) {
      int kind = kinds >> (2 * i) & 3;
      body = encoded(body, kind);
      names
          .append(i == 0 ? "" : ", ")
          .append(List.of("gzip", "deflate", "deflate", "zstd").get(kind));
      if (kind == 2 && looksLikeZlib(body)) {
        return;
      }
    }
    if (body.length == 0 || body.length > LIMIT / 2 || content.length > LIMIT) {
      return;
    }
    HttpPayload payload =
        decode(names.toString(), chunk > 0, chunk > 0 ? chunks(body, chunk) : body);
    assertThat(payload.cut()).isNull();
    assertThat(payload.tooLarge()).isNull();
    assertThat(page(payload)).isEqualTo(content);
  }

  private static HttpPayload decode(String encoding, boolean chunked, byte[] body)
      throws InterruptedException {
    StringBuilder header = new StringBuilder(new String(STATUS, US_ASCII));
    header.append(encoding.isEmpty() ? "" : "Content-Encoding: " + encoding + "\r\n");
    header.append(chunked ? "Transfer-Encoding: chunked\r\n" : "").append("\r\n");
    byte[] head = header.toString().getBytes(US_ASCII);
    DocumentBuffer response = new DocumentBuffer(LIMIT, HeapGuard.UNLIMITED);
    response.start();
    assertThat(response.reserve(head.length + (long) body.length)).isTrue();
    System.arraycopy(head, 0, response.bytes, 0, head.length);
    System.arraycopy(body, 0, response.bytes, head.length, body.length);
    response.length = head.length + body.length;
    HttpPayload payload = new HttpPayload(response, new DocumentBuffer(LIMIT, HeapGuard.UNLIMITED));
    payload.decode(headers(encoding, chunked), head.length);
    return payload;
  }

  private static MessageHeaders headers(String encoding, boolean chunked) {
    List<String> headers = new ArrayList<>();
    if (!encoding.isEmpty()) {
      headers.addAll(List.of("Content-Encoding", encoding));
    }
    if (chunked) {
      headers.addAll(List.of("Transfer-Encoding", "chunked"));
    }
    return MessageHeaders.of(headers.toArray(String[]::new));
  }

  private static byte[] page(HttpPayload payload) {
    return Arrays.copyOf(payload.page().bytes, payload.page().length);
  }

  private static byte[] encoded(byte[] bytes, int kind) throws IOException {
    return switch (kind) {
      case 0 -> Warcs.gzip(bytes);
      case 1 -> Warcs.deflate(bytes, false);
      case 2 -> Warcs.deflate(bytes, true);
      default -> Zstd.compress(bytes);
    };
  }

  /** Whether a raw stream begins as one with a header does; then it is taken for one. */
  private static boolean looksLikeZlib(byte[] bytes) {
    return (bytes[0] & 0x0F) == 8 && ((bytes[0] & 0xFF) << 8 | (bytes[1] & 0xFF)) % 31 == 0;
  }

  private static byte[] chunks(byte[] body, int size) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int from = 0; from < body.length; from += size) {
      int n = Math.min(size, body.length - from);
      out.writeBytes("%x\r\n".formatted(n).getBytes(US_ASCII));
      out.write(body, from, n);
      out.writeBytes("\r\n".getBytes(US_ASCII));
    }
    out.writeBytes("0\r\n\r\n".getBytes(US_ASCII));
    return out.toByteArray();
  }
}
