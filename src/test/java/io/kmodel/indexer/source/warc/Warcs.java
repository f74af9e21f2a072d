package io.kmodel.indexer.source.warc;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.BitSet;
import java.util.UUID;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.netpreserve.jwarc.HttpRequest;
import org.netpreserve.jwarc.HttpResponse;
import org.netpreserve.jwarc.MediaType;
import org.netpreserve.jwarc.WarcCompression;
import org.netpreserve.jwarc.WarcConversion;
import org.netpreserve.jwarc.WarcMetadata;
import org.netpreserve.jwarc.WarcRecord;
import org.netpreserve.jwarc.WarcRequest;
import org.netpreserve.jwarc.WarcResource;
import org.netpreserve.jwarc.WarcResponse;
import org.netpreserve.jwarc.WarcRevisit;
import org.netpreserve.jwarc.WarcWriter;
import org.netpreserve.jwarc.Warcinfo;

/** Archives for tests, written by jwarc. */
public final class Warcs {
  private static final Instant DATE = Instant.parse("2024-02-29T12:00:00Z");

  private Warcs() {}

  /** Writes records, each in a gzip member of its own or none at all. */
  public static byte[] write(WarcCompression compression, WarcRecord... records)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (WarcWriter writer = new WarcWriter(Channels.newChannel(out), compression)) {
      for (WarcRecord record : records) {
        writer.write(record);
      }
    }
    return out.toByteArray();
  }

  public static UUID id(String uri) {
    return UUID.nameUUIDFromBytes(uri.getBytes(StandardCharsets.UTF_8));
  }

  /** A page as its server sent it; headers are names and values in turn. */
  public static WarcResponse response(String uri, String type, byte[] body, String... headers)
      throws IOException {
    HttpResponse.Builder http = new HttpResponse.Builder(200, "OK");
    for (int i = 0; i < headers.length; i += 2) {
      http.addHeader(headers[i], headers[i + 1]);
    }
    return new WarcResponse.Builder(uri)
        .recordId(id(uri))
        .date(DATE)
        .body(http.body(MediaType.parseLeniently(type), body).build())
        .build();
  }

  public static WarcResponse html(String uri, String html) throws IOException {
    return response(uri, "text/html; charset=utf-8", html.getBytes(StandardCharsets.UTF_8));
  }

  public static WarcResource resource(String uri, String type, String text) throws IOException {
    return new WarcResource.Builder(URI.create(uri))
        .recordId(id(uri))
        .date(DATE)
        .body(MediaType.parse(type), text.getBytes(StandardCharsets.UTF_8))
        .build();
  }

  public static WarcConversion conversion(String uri, String text) throws IOException {
    return new WarcConversion.Builder()
        .setHeader("WARC-Target-URI", uri)
        .recordId(id(uri))
        .date(DATE)
        .body(MediaType.PLAIN_TEXT, text.getBytes(StandardCharsets.UTF_8))
        .build();
  }

  public static Warcinfo info() throws IOException {
    return new Warcinfo.Builder()
        .recordId(id("info"))
        .date(DATE)
        .body(MediaType.WARC_FIELDS, "software: test\r\n".getBytes(StandardCharsets.US_ASCII))
        .build();
  }

  public static WarcRequest request(String uri) throws IOException {
    return new WarcRequest.Builder(URI.create(uri))
        .recordId(id("request " + uri))
        .date(DATE)
        .body(new HttpRequest.Builder("GET", "/").build())
        .build();
  }

  public static WarcMetadata metadata(String uri) throws IOException {
    return new WarcMetadata.Builder()
        .recordId(id("metadata " + uri))
        .date(DATE)
        .setHeader("WARC-Target-URI", uri)
        .body(MediaType.WARC_FIELDS, "fetchTimeMs: 5\r\n".getBytes(StandardCharsets.US_ASCII))
        .build();
  }

  public static WarcRevisit revisit(String uri) throws IOException {
    return new WarcRevisit.Builder(
            URI.create(uri),
            URI.create("http://netpreserve.org/warc/1.0/revisit/server-not-modified"))
        .recordId(id("revisit " + uri))
        .date(DATE)
        .body(new HttpResponse.Builder(304, "Not Modified").build())
        .build();
  }

  public static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    }
    return out.toByteArray();
  }

  /** A stream of deflate, with zlib's header or raw. */
  static byte[] deflate(byte[] bytes, boolean raw) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, raw);
    try (DeflaterOutputStream deflated = new DeflaterOutputStream(out, deflater)) {
      deflated.write(bytes);
    } finally {
      deflater.end();
    }
    return out.toByteArray();
  }

  /**
   * A stream of brotli that decodes to 16 MiB of the letter a: every prefix code has one symbol, so
   * that one command inserts as many literals of no bits as its 24 extra bits say.
   */
  public static byte[] brotliBomb() {
    int length = 1 << 24;
    int insertBase = 22_594; // of insert length code 23
    int command = 504; // insert length code 23, copy length code 0
    long[][] bits = { // width, value
      {1, 0},
      {1, 1},
      {1, 0},
      {2, 2},
      {24, length - 1L}, // window, last, not empty, its length
      {3, 0},
      {2, 0},
      {4, 0},
      {2, 0},
      {2, 0}, // one type of blocks, one tree of each
      {2, 1},
      {2, 0},
      {8, 'a'}, // literals
      {2, 1},
      {2, 0},
      {10, command},
      {2, 1},
      {2, 0},
      {6, 0}, // distances
      {24, length - insertBase}
    };
    BitSet stream = new BitSet();
    int at = 0;
    for (long[] field : bits) {
      for (int i = 0; i < field[0]; i++, at++) {
        stream.set(at, (field[1] >> i & 1) == 1);
      }
    }
    return Arrays.copyOf(stream.toByteArray(), (at + 7) / 8);
  }

  public static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      bytes.writeBytes(part);
    }
    return bytes.toByteArray();
  }
}
