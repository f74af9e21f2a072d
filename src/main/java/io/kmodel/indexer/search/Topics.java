package io.kmodel.indexer.search;

import com.google.common.collect.ImmutableList;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads topics as elements ({@link TopicMarkup}), lines of JSON ({@link TopicJson}) or other lines
 * ({@link TopicLines}). A file that starts with {@code <} is of the first kind, as is one with
 * other text before a topic with an element; one that starts with a brace is of the second. A gzip
 * file is recognized by its first bytes, the charset by {@link TopicText}.
 */
public final class Topics {
  /** Includes the no-break space. */
  private static final Pattern SPACE = Pattern.compile("[\\s\u00A0]+");

  private Topics() {}

  /**
   * Reads a file of topics, in its order; an empty one has none.
   *
   * @param charset the charset of a file without a byte order mark; null for the one that its XML
   *     declaration names, or else UTF-8
   * @throws IOException if it cannot be read or is malformed; the message says where
   */
  public static ImmutableList<Topic> read(Path file, @Nullable Charset charset) throws IOException {
    ImmutableList<Topic> topics = parse(TopicText.read(file, charset), file);
    Set<String> ids = new HashSet<>();
    for (Topic topic : topics) {
      if (!ids.add(topic.id())) {
        throw new IOException("%s: duplicate topic id '%s'".formatted(file, topic.id()));
      }
    }
    return topics;
  }

  /** The same for a file that names its charset or is UTF-8. */
  public static ImmutableList<Topic> read(Path file) throws IOException {
    return read(file, null);
  }

  private static ImmutableList<Topic> parse(String text, Path file) throws IOException {
    String start = text.stripLeading();
    if (start.startsWith("{")) {
      return TopicJson.read(text, file);
    }
    return start.startsWith("<") || TopicMarkup.follows(text)
        ? TopicMarkup.read(text, file)
        : TopicLines.read(text, file);
  }

  static Topic topic(String id, String title, String description, String narrative, String place)
      throws IOException {
    try {
      return new Topic(id, title, description, narrative);
    } catch (IllegalArgumentException e) {
      throw new IOException(place + ": " + e.getMessage(), e);
    }
  }

  /** The refusal of a file. */
  static IOException unknown(Path file, String line, String found) {
    return new IOException(
        ("%s: %sunknown topic format (%s); known are TREC's <top>, <topic>, <query> and <DOC> with"
                + " a number and a text, JSON lines, and the lines id<TAB>query, id:query and"
                + " 'id query', where an id without a tab has a digit")
            .formatted(file, line, found));
  }

  static String oneLine(String text) {
    return SPACE.matcher(text).replaceAll(" ").strip();
  }
}
