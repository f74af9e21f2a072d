package io.kmodel.indexer.evaluate;

import com.google.common.base.CharMatcher;
import com.google.common.base.Splitter;
import io.kmodel.indexer.store.library.GzipFile;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipException;

/**
 * Reads TREC's line formats like trec_eval: columns are separated by white space; blank lines and
 * lines that begin with # are ignored, as is a byte order mark at the start. Files may be gzipped.
 * Names are kept as bytes, one ISO-8859-1 character each, so that they compare like their bytes.
 */
final class TrecLines {
  /** Whether C's isspace matches; trec_eval separates columns by it. */
  private static final CharMatcher SPACE = CharMatcher.anyOf(" \t\u000B\f\r");

  private static final String COMMENT = "#";

  /** The UTF-8 byte order mark, with one character per byte. */
  private static final String BYTE_ORDER_MARK = "\u00EF\u00BB\u00BF";

  /** A whole number written with zero decimals. */
  private static final Pattern WITH_ZEROS = Pattern.compile("([+-]?[0-9]+)\\.0*");

  /** Numbers that Java and C read alike: no type suffixes, no hexadecimal digits. */
  private static final Pattern DECIMAL =
      Pattern.compile("[+-]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?");

  private static final Pattern INFINITY =
      Pattern.compile("[+-]?inf(?:inity)?", Pattern.CASE_INSENSITIVE);

  private TrecLines() {}

  /**
   * How a line is split into columns.
   *
   * @param least minimum number of columns
   * @param most maximum number of columns
   */
  record Layout(Splitter splitter, int least, int most) {
    static Layout ofWhiteSpace(int least, int most) {
      return new Layout(Splitter.on(SPACE).omitEmptyStrings(), least, most);
    }

    static Layout ofTabs(int columns) {
      return new Layout(Splitter.on('\t'), columns, columns);
    }

    private boolean has(int columns) {
      return columns >= least && columns <= most;
    }
  }

  /** Receives the columns of a line; line numbers count from 1. */
  @FunctionalInterface
  interface Consumer {
    void accept(String[] columns, int line) throws IOException;
  }

  /**
   * Reads a file.
   *
   * @param byHeader layouts for files whose first line is one of these
   */
  static void read(Path file, Layout usual, Map<String, Layout> byHeader, Consumer consumer)
      throws IOException {
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(GzipFile.unpacked(file), StandardCharsets.ISO_8859_1))) {
      Layout layout = usual;
      int number = 0;
      for (String read; (read = in.readLine()) != null; ) {
        number++;
        boolean isMarked = number == 1 && read.startsWith(BYTE_ORDER_MARK);
        String line = isMarked ? read.substring(BYTE_ORDER_MARK.length()) : read;
        Layout other = number == 1 ? byHeader.get(line) : null;
        if (other != null) {
          layout = other;
          continue;
        }
        if (isBlankOrComment(line)) {
          continue;
        }
        List<String> found = layout.splitter().splitToList(line);
        if (!layout.has(found.size())) {
          String more = layout.most() > layout.least() ? " or more" : "";
          throw new IOException(
              "%s: line %d: expected %d columns%s, got %d: '%s'"
                  .formatted(file, number, layout.least(), more, found.size(), shown(line)));
        }
        consumer.accept(found.toArray(String[]::new), number);
      }
    } catch (EOFException | ZipException e) {
      throw GzipFile.damaged(file, e);
    }
  }

  private static boolean isBlankOrComment(String line) {
    int at = SPACE.negate().indexIn(line);
    return at < 0 || line.startsWith(COMMENT, at);
  }

  /** Encodes a name for a run, whose columns end at white space: a space becomes %20. */
  static String word(String name) {
    if (SPACE.matchesNoneOf(name)) {
      return name;
    }
    StringBuilder word = new StringBuilder();
    name.chars()
        .forEach(
            c -> {
              if (SPACE.matches((char) c)) {
                word.append(String.format(Locale.ROOT, "%%%02X", c));
              } else {
                word.append((char) c);
              }
            });
    return word.toString();
  }

  /** Formats a name for users: decoded as UTF-8 if its bytes are valid UTF-8. */
  static String shown(String name) {
    byte[] bytes = name.getBytes(StandardCharsets.ISO_8859_1);
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      return name;
    }
  }

  static int integer(String column, Path file, int line) throws IOException {
    Matcher withZeros = WITH_ZEROS.matcher(column);
    try {
      return Integer.parseInt(withZeros.matches() ? withZeros.group(1) : column);
    } catch (NumberFormatException e) {
      throw new IOException(
          "%s: line %d: expected a whole number from -2^31 to 2^31 - 1, got '%s'"
              .formatted(file, line, shown(column)),
          e);
    }
  }

  /** Parses a score, including infinity as printed by C and Python; turns -0 into 0. */
  static double score(String column, Path file, int line) throws IOException {
    if (DECIMAL.matcher(column).matches()) {
      return Double.parseDouble(column) + 0.0; // which makes -0.0 into 0.0
    }
    if (INFINITY.matcher(column).matches()) {
      return column.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    }
    throw new IOException(
        "%s: line %d: expected a score, got '%s'".formatted(file, line, shown(column)));
  }
}
