package io.kmodel.indexer.parse;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads the files that analyzers are defined by. */
final class DefinitionFile {
  private DefinitionFile() {}

  /**
   * All of a file, which is in UTF-8, without a byte order mark.
   *
   * @throws IllegalArgumentException if it is not
   */
  static String read(Path file) throws IOException {
    try {
      String text = Files.readString(file);
      return text.startsWith("\uFEFF") ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException(file + " is not in UTF-8", e);
    }
  }
}
