package io.kmodel.indexer.search;

import com.google.common.collect.ImmutableList;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads topics that are lines: {@code id<TAB>query}, PISA's {@code id:query} or Terrier's {@code id
 * query}. The first line that is not blank says which, and all must have that form. Without a tab,
 * an id consists of ASCII letters, digits, {@code _}, {@code -} and {@code .}, with at least one
 * digit, so that queries without ids are not mistaken for them. Time: linear.
 */
final class TopicLines {
  private static final String ID = "\\s*+(?=[A-Za-z_.-]*+[0-9])([\\w.-]++)";

  /** A form of lines, as messages show it. */
  private enum Form {
    TAB("id<TAB>query", "([^\\t]*+)\\t(.*+)"),
    COLON("id:query", ID + ":(.*+)"),
    BLANK("'id query'", ID + "\\s++(\\S.*+)");

    final String shown;
    final Pattern pattern;

    Form(String shown, String pattern) {
      this.shown = shown;
      this.pattern = Pattern.compile(pattern);
    }
  }

  private TopicLines() {}

  /**
   * Reads topics.
   *
   * @throws IOException if a line is not of the first one's form, or has no id
   */
  static ImmutableList<Topic> read(String text, Path file) throws IOException {
    ImmutableList.Builder<Topic> topics = ImmutableList.builder();
    @Nullable Form form = null;
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      if (line.isBlank()) {
        continue;
      }
      String place = "%s: line %d".formatted(file, number);
      form = form == null ? form(line, file, number) : form;
      Matcher matcher = form.pattern.matcher(line);
      if (!matcher.matches()) {
        throw new IOException("%s: expected %s, got '%s'".formatted(place, form.shown, line));
      }
      topics.add(
          Topics.topic(matcher.group(1).strip(), Topics.oneLine(matcher.group(2)), "", "", place));
    }
    return topics.build();
  }

  private static Form form(String line, Path file, int number) throws IOException {
    for (Form form : List.of(Form.values())) {
      if (form.pattern.matcher(line).matches()) {
        return form;
      }
    }
    throw Topics.unknown(file, "line %d: ".formatted(number), "got '%s'".formatted(line));
  }
}
