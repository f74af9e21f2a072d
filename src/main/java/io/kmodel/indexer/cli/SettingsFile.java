package io.kmodel.indexer.cli;

import io.kmodel.indexer.parse.Nearest;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A file of settings: a line is {@code key = value}, blank, or a comment that begins with {@code
 * #}; nothing is quoted or escaped, and a byte order mark counts for nothing. What is neither, or
 * has a key that is not known or was there before, is an error that names the file and the line.
 */
final class SettingsFile {
  private static final char COMMENT = '#';

  /** Has no settings, however often it is read. */
  private static final Path NOTHING = Path.of("/dev/null");

  private final Path file;
  private final Map<String, Entry> entries = new TreeMap<>();

  /** A value, and the line it stands in, from 1. */
  record Entry(String value, int line) {}

  private SettingsFile(Path file) {
    this.file = file;
  }

  /**
   * Reads a file.
   *
   * @param known the keys that there are
   * @throws IllegalArgumentException with file, line and what is wrong there
   */
  static SettingsFile read(Path file, Collection<String> known) throws IOException {
    if (Files.isDirectory(file)) {
      throw new IllegalArgumentException(file + ": is a directory, not a file");
    }
    if (isPipe(file)) {
      throw new IllegalArgumentException(
          file + ": is a pipe or device; settings are read more than once, and so from a file");
    }
    List<String> lines;
    try {
      lines = Files.readAllLines(file);
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException(file + ": is not text in UTF-8", e);
    }
    SettingsFile settings = new SettingsFile(file);
    int number = 0;
    for (String line : lines) {
      number++;
      String text = (number == 1 ? withoutMark(line) : line).strip();
      if (!text.isEmpty() && text.charAt(0) != COMMENT) {
        settings.add(text, number, known);
      }
    }
    return settings;
  }

  /** The launcher has read the memory there, and of a pipe nothing would be left. */
  private static boolean isPipe(Path file) throws IOException {
    return Files.exists(file)
        && Files.readAttributes(file, BasicFileAttributes.class).isOther()
        && !Files.isSameFile(file, NOTHING);
  }

  /** Editors of some systems put a byte order mark there. */
  private static String withoutMark(String line) {
    return line.startsWith("\uFEFF") ? line.substring(1) : line;
  }

  private void add(String text, int line, Collection<String> known) {
    int equals = text.indexOf('=');
    if (equals < 1) {
      throw mistake(line, "expected key = value; got '" + text + "'");
    }
    String key = text.substring(0, equals).strip();
    if (!known.contains(key)) {
      String nearest = Nearest.of(key, known).map("; the nearest is '%s'"::formatted).orElse("");
      throw mistake(line, "there is no setting '" + key + "'" + nearest);
    }
    Entry before = entries.put(key, new Entry(text.substring(equals + 1).strip(), line));
    if (before != null) {
      throw mistake(line, "'" + key + "' was set in line " + before.line() + " already");
    }
  }

  private IllegalArgumentException mistake(int line, String what) {
    return new IllegalArgumentException(place(line) + ": " + what);
  }

  String place(int line) {
    return file + ", line " + line;
  }

  /** All that is set, by key. */
  Map<String, Entry> entries() {
    return entries;
  }
}
