package io.kmodel.indexer.evaluate;

import com.google.common.base.CharMatcher;
import com.google.common.base.Splitter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The lines of TREC's files as trec_eval reads them: columns between white space, blank lines for
 * nothing, lines that begin with # for comments. A line that is not UTF-8 is read as ISO-8859-1, so
 * that no two of its names are the same.
 */
final class TrecLines {
  /** What C's isspace is true of, which is what trec_eval separates columns by. */
  private static final Splitter COLUMNS =
      Splitter.on(CharMatcher.anyOf(" \t\u000B\f\r")).omitEmptyStrings();

  private static final String COMMENT = "#";

  /** A whole number, as some write it. */
  private static final Pattern WITH_ZEROS = Pattern.compile("([+-]?[0-9]+)\\.0*");

  private TrecLines() {}

  /** Takes the columns of a line, whose number counts from 1. */
  @FunctionalInterface
  interface Consumer {
    void accept(String[] columns, int line) throws IOException;
  }

  /**
   * Reads a file.
   *
   * @param columns a line has at least
   * @param most columns a line may have
   */
  static void read(Path file, int columns, int most, Consumer consumer) throws IOException {
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(Files.newInputStream(file), StandardCharsets.ISO_8859_1))) {
      int number = 0;
      for (String latin; (latin = in.readLine()) != null; ) {
        number++;
        String line = decoded(latin);
        List<String> found = COLUMNS.splitToList(line);
        if (found.isEmpty() || found.getFirst().startsWith(COMMENT)) {
          continue;
        }
        if (found.size() < columns || found.size() > most) {
          String more = most > columns ? " or more" : "";
          throw new IOException(
              "%s: line %d: expected %d columns%s, got %d: '%s'"
                  .formatted(file, number, columns, more, found.size(), line));
        }
        consumer.accept(found.toArray(String[]::new), number);
      }
    }
  }

  /** A line whose bytes were read as ISO-8859-1. */
  private static String decoded(String latin) {
    byte[] bytes = latin.getBytes(StandardCharsets.ISO_8859_1);
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      return latin;
    }
  }

  static int integer(String column, Path file, int line) throws IOException {
    Matcher withZeros = WITH_ZEROS.matcher(column);
    try {
      return Integer.parseInt(withZeros.matches() ? withZeros.group(1) : column);
    } catch (NumberFormatException e) {
      throw new IOException(
          "%s: line %d: expected a whole number, got '%s'".formatted(file, line, column), e);
    }
  }

  static double score(String column, Path file, int line) throws IOException {
    try {
      double score = Double.parseDouble(column);
      if (!Double.isNaN(score)) {
        return score;
      }
    } catch (NumberFormatException e) {
      // Said below, as of a score that is not a number.
    }
    throw new IOException("%s: line %d: '%s' is no score".formatted(file, line, column));
  }
}
