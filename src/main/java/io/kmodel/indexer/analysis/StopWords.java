package io.kmodel.indexer.analysis;

import com.google.common.collect.ImmutableSet;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Reads files of stop words: UTF-8, one word per line; {@code #} starts a comment. */
public final class StopWords {
  private StopWords() {}

  /**
   * Returns the words of a file, which may have none.
   *
   * @throws IllegalArgumentException if a line has more than one word
   */
  public static ImmutableSet<String> read(Path file) throws IOException {
    ImmutableSet.Builder<String> words = ImmutableSet.builder();
    List<String> lines = DefinitionFile.read(file).lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      int comment = line.indexOf('#');
      String word = (comment < 0 ? line : line.substring(0, comment)).strip();
      if (word.chars().anyMatch(Character::isWhitespace)) {
        throw new IllegalArgumentException(
            "%s: line %d: expected one word but was '%s'".formatted(file, i + 1, word));
      }
      if (!word.isEmpty()) {
        words.add(word);
      }
    }
    return words.build();
  }
}
