package io.kmodel.indexer.source;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.netpreserve.jwarc.MessageHeaders;

/**
 * The line that a record of an ARC file starts with, as archives have it and not only as the format
 * (Burner and Kahle, 1996) does: URIs with spaces, schemes in capitals, addresses of IPv6 or none,
 * types with parameters or none, ends in CRLF.
 *
 * <pre>
 * version 1 := uri address date type length
 * version 2 := uri address date type status checksum location offset file length
 * </pre>
 *
 * <p>Fields are separated by a space each, and URIs and types may hold spaces, so what is in
 * between is found first: an address and a date, the last such pair. Of what follows it only the
 * type's beginning and the last field, the length, say anything about the record; so versions need
 * not be told apart.
 */
final class ArcHeader {
  /** Schemes are shorter. */
  private static final int SCHEME_BYTES = 64;

  private static final String SCHEME = "[A-Za-z][A-Za-z0-9+.-]*:";
  private static final String IPV6 = "\\[?[0-9A-Fa-f]*:[0-9A-Fa-f:.]*\\]?";
  private static final String REST = "(?: (.*))?";

  /** Looked for at many places, so it ends where no scheme does. */
  private static final Pattern START =
      Pattern.compile("[A-Za-z][A-Za-z0-9+.-]{0," + SCHEME_BYTES + "}:");

  /** The last pair; what could be the status and the checksum of version 2 is none. */
  private static final Pattern DATED =
      Pattern.compile(
          "(" + SCHEME + ".*) (?:-|\\d+\\.[\\d.]+|" + IPV6 + ") \\d{14}" + REST, Pattern.DOTALL);

  /** Dates of another length, where the URI leaves no doubt. */
  private static final Pattern PLAIN =
      Pattern.compile(
          "(" + SCHEME + "[^ ]*) (?:-|\\d[\\d.]*|" + IPV6 + ") \\d{8,28}" + REST, Pattern.DOTALL);

  /** At most what a long can count. */
  private static final Pattern LENGTH = Pattern.compile("\\d{1,18}");

  private final String uri;
  private final String type;
  private final String length;

  private ArcHeader(String uri, String type, String length) {
    this.uri = uri;
    this.type = type;
    this.length = length;
  }

  /**
   * Reads a line, as the headers that a WARC record would have. What is no such line is passed over
   * up to its end at most.
   *
   * @param bytes of the record, which are those of the input up to another record
   * @param most bytes of a line
   */
  static MessageHeaders read(RecordInput input, RecordBytes bytes, int most) throws IOException {
    input.fill(SCHEME_BYTES);
    int look = Math.min(SCHEME_BYTES, input.available());
    String start = new String(input.array(), input.at(), look, StandardCharsets.ISO_8859_1);
    Matcher scheme = START.matcher(start);
    // What ends too early for either is for whoever reads on to say.
    if (!scheme.lookingAt() && !scheme.hitEnd()) {
      throw new DamagedRecordException("no record header: neither WARC/ nor a URI");
    }
    ArcHeader header = parse(line(bytes, most));
    if (header == null) {
      throw new DamagedRecordException(
          "no record header: a URI without address, date and length behind it");
    }
    bytes.advance(1);
    return header.asWarc();
  }

  /** Finds the starts of ARC records. */
  static RecordStarts recordStarts() {
    return RecordStarts.arc(ArcHeader::isAt);
  }

  /** Whether bytes, as ISO-8859-1, start with a whole line that is one. */
  static boolean isAt(String bytes) {
    if (!START.matcher(bytes).lookingAt()) {
      return false;
    }
    int end = bytes.indexOf('\n');
    return end >= 0 && parse(bytes.substring(0, end)) != null;
  }

  /** Up to its end, which is not passed over. */
  private static String line(RecordBytes bytes, int most) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    while (bytes.fill()) {
      int from = bytes.at();
      int end = from + bytes.available();
      int to = from;
      while (to < end && bytes.array()[to] != '\n') {
        to++;
      }
      line.write(bytes.array(), from, to - from);
      bytes.advance(to - from);
      if (to < end) {
        return line.toString(StandardCharsets.ISO_8859_1);
      }
      if (line.size() > most) {
        throw new DamagedRecordException("a record header of more than %d bytes".formatted(most));
      }
    }
    throw bytes.endsWithin("within a record's header");
  }

  /** Null if it is none. */
  private static @Nullable ArcHeader parse(String line) {
    String fields = line.stripTrailing();
    int last = fields.lastIndexOf(' ');
    String length = fields.substring(last + 1);
    if (last < 0 || !LENGTH.matcher(length).matches()) {
      return null;
    }
    String before = fields.substring(0, last);
    Matcher matcher = DATED.matcher(before);
    if (!matcher.matches()) {
      matcher = PLAIN.matcher(before);
      if (!matcher.matches()) {
        return null;
      }
    }
    String type = matcher.group(2);
    return new ArcHeader(matcher.group(1).strip(), type == null ? "" : type, length);
  }

  private MessageHeaders asWarc() {
    String scheme = uri.substring(0, uri.indexOf(':')).toLowerCase(Locale.ROOT);
    return switch (scheme) {
      case "filedesc" -> asWarc("warcinfo", "text/plain");
      case "dns" -> asWarc("response", "text/dns");
      // Its records have a form of their own.
      default -> asWarc("response", isAlexa() ? "alexa/dat" : "application/http");
    };
  }

  private boolean isAlexa() {
    return type.startsWith("alexa/dat");
  }

  private MessageHeaders asWarc(String warcType, String contentType) {
    return MessageHeaders.of(
        "WARC-Type", warcType,
        "WARC-Target-URI", WellFormed.name(uri),
        "Content-Type", contentType,
        "Content-Length", length);
  }
}
