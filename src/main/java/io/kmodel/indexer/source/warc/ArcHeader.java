package io.kmodel.indexer.source.warc;

import io.kmodel.indexer.source.record.DamagedRecordException;
import io.kmodel.indexer.source.record.RecordBytes;
import io.kmodel.indexer.source.record.RecordStarts;
import io.kmodel.indexer.source.record.WellFormed;
import io.kmodel.indexer.source.unpack.RecordInput;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.netpreserve.jwarc.MessageHeaders;

/**
 * The header line of an ARC record, as archives write it and not only as the format (Burner and
 * Kahle, 1996) defines it: URIs may contain spaces, schemes may be in capitals, addresses may be
 * IPv6 or absent, types may have parameters or be absent, and lines may end in CRLF.
 *
 * <pre>
 * version 1 := uri address date type length
 * version 2 := uri address date type status checksum location offset file length
 * </pre>
 *
 * <p>A single space separates two fields, but URIs and types may contain spaces too. The parser
 * therefore looks first for the last pair of address and date. Of the fields after it, only the
 * start of the type and the last field, the length, matter, so the two versions need not be told
 * apart.
 */
public final class ArcHeader {
  /** Upper bound on the length of a scheme. */
  private static final int SCHEME_BYTES = 64;

  /** Digits of a date: year, month, day, hour, minute and second. */
  private static final int DATE_DIGITS = 14;

  private static final String SCHEME = "[A-Za-z][A-Za-z0-9+.-]*:";
  private static final String IPV6 = "\\[?[0-9A-Fa-f]*:[0-9A-Fa-f:.]*\\]?";
  private static final String REST = "(?: (.*))?";

  /** Tried at many offsets; the bound on the scheme limits the cost of each try. */
  private static final Pattern START =
      Pattern.compile("[A-Za-z][A-Za-z0-9+.-]{0," + SCHEME_BYTES + "}:");

  /** The last pair of address and date; a status and checksum of version 2 do not match as one. */
  private static final Pattern DATED =
      Pattern.compile(
          "(" + SCHEME + ".*) (?:-|\\d+\\.[\\d.]+|" + IPV6 + ") (\\d{14})" + REST, Pattern.DOTALL);

  /** Accepts dates of other lengths if the URI has no spaces; see {@link #date}. */
  private static final Pattern PLAIN =
      Pattern.compile(
          "(" + SCHEME + "[^ ]*) (?:-|\\d[\\d.]*|" + IPV6 + ") (\\d{8,28})" + REST, Pattern.DOTALL);

  /** At most 18 digits, which always fit in a long. */
  private static final Pattern LENGTH = Pattern.compile("\\d{1,18}");

  private final String uri;
  private final String date;
  private final String type;
  private final String length;

  private ArcHeader(String uri, String date, String type, String length) {
    this.uri = uri;
    this.date = date;
    this.type = type;
    this.length = length;
  }

  /**
   * Reads a header line and returns it as the headers that a WARC record would have. If the line is
   * not an ARC header, no more than the line is consumed.
   *
   * @param bytes the record's bytes, up to the start of another record
   * @param most maximum length of a line in bytes
   */
  static MessageHeaders read(RecordInput input, RecordBytes bytes, int most) throws IOException {
    input.fill(SCHEME_BYTES);
    int look = Math.min(SCHEME_BYTES, input.available());
    String start = new String(input.array(), input.at(), look, StandardCharsets.ISO_8859_1);
    Matcher scheme = START.matcher(start);
    // If the input is too short to decide, reading the line reports that.
    if (!scheme.lookingAt() && !scheme.hitEnd()) {
      throw new DamagedRecordException("no record header: starts with neither WARC/ nor a URI");
    }
    ArcHeader header = parse(line(bytes, most));
    if (header == null) {
      throw new DamagedRecordException(
          "no record header: URI is not followed by address, date and length");
    }
    bytes.advance(1);
    return header.asWarc();
  }

  /** Finds the starts of ARC records. */
  public static RecordStarts recordStarts() {
    return RecordStarts.arc(ArcHeader::isAt);
  }

  /** Whether bytes, as ISO-8859-1, start with a complete ARC header line. */
  static boolean isAt(String bytes) {
    if (!START.matcher(bytes).lookingAt()) {
      return false;
    }
    int end = bytes.indexOf('\n');
    return end >= 0 && parse(bytes.substring(0, end)) != null;
  }

  /** Reads up to the line end, which is not consumed. */
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
        throw new DamagedRecordException("record header is longer than %d bytes".formatted(most));
      }
    }
    throw bytes.endsWithin("within a record's header");
  }

  /** Returns null if the line is not an ARC header. */
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
    String type = matcher.group(3);
    return new ArcHeader(
        matcher.group(1).strip(), date(matcher.group(2)), type == null ? "" : type, length);
  }

  /** Returns a date to the second: zeros replace missing digits, further digits are dropped. */
  private static String date(String digits) {
    return (digits + "0".repeat(Math.max(0, DATE_DIGITS - digits.length())))
        .substring(0, DATE_DIGITS);
  }

  private MessageHeaders asWarc() {
    String scheme = uri.substring(0, uri.indexOf(':')).toLowerCase(Locale.ROOT);
    return switch (scheme) {
      case "filedesc" -> asWarc("warcinfo", "text/plain");
      case "dns" -> asWarc("response", "text/dns");
      // Alexa records have a different format.
      default -> asWarc("response", isAlexa() ? "alexa/dat" : "application/http");
    };
  }

  private boolean isAlexa() {
    return type.startsWith("alexa/dat");
  }

  private MessageHeaders asWarc(String warcType, String contentType) {
    return MessageHeaders.of(
        "WARC-Type",
        warcType,
        "WARC-Target-URI",
        WellFormed.name(uri),
        WarcHeaders.DATE,
        date,
        "Content-Type",
        contentType,
        "Content-Length",
        length);
  }
}
