package io.kmodel.indexer.parse;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads the files that analyzers are defined by. */
final class DefinitionFile {
  private DefinitionFile() {}

  /**
   * All of a file, which is in UTF-8.
   *
   * @throws IllegalArgumentException if it is not
   */
  static String read(Path file) throws IOException {
    try {
      return Files.readString(file);
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException(file + " is not in UTF-8", e);
    }
  }
}
