package io.kmodel.indexer.search;

import io.kmodel.indexer.parse.text.TextDecoder;
import io.kmodel.indexer.parse.text.TextDecoder.Encoding;
import io.kmodel.indexer.parse.text.Undecodable;
import io.kmodel.indexer.store.library.GzipFile;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * The text of a file of topics, gzipped or not. A byte order mark determines its charset; else the
 * user does; else the encoding of an XML declaration; else it is UTF-8. Memory: three times the
 * text.
 */
final class TopicText {
  private static final byte[] XML = "<?xml".getBytes(StandardCharsets.US_ASCII);

  private TopicText() {}

  /**
   * Reads and decodes a file.
   *
   * @param given the charset that the user names, or null
   * @throws IOException if it cannot be read, or has bytes that are invalid in its charset; the
   *     message names the line
   */
  static String read(Path file, @Nullable Charset given) throws IOException {
    byte[] bytes = unpacked(file);
    Encoding encoding = TextDecoder.encoding(bytes, bytes.length, startsAsXml(bytes), "");
    if (given != null && encoding.from() == 0) {
      encoding = new Encoding(given, 0);
    }
    String text = TextDecoder.decode(bytes, bytes.length, encoding);
    Undecodable invalid = TextDecoder.undecodable(bytes, bytes.length, encoding, text);
    if (invalid != null) {
      throw new IOException(
          "%s: %s%s; name the file's charset by --topics-encoding, such as windows-1252"
              .formatted(file, line(bytes, encoding, invalid), invalid));
    }
    return text;
  }

  private static String line(byte[] bytes, Encoding encoding, Undecodable invalid) {
    if (invalid.at() < encoding.from()) {
      return "";
    }
    String before = TextDecoder.decode(bytes, invalid.at(), encoding);
    return "line %d: ".formatted(before.chars().filter(c -> c == '\n').count() + 1);
  }

  private static boolean startsAsXml(byte[] bytes) {
    return bytes.length > XML.length && Arrays.equals(bytes, 0, XML.length, XML, 0, XML.length);
  }

  private static byte[] unpacked(Path file) throws IOException {
    try (InputStream in = GzipFile.unpacked(file)) {
      return in.readAllBytes();
    } catch (EOFException | ZipException e) {
      throw GzipFile.damaged(file, e);
    }
  }
}
