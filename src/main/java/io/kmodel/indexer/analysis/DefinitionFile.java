package io.kmodel.indexer.analysis;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads the files that define analyzers. */
final class DefinitionFile {
  private DefinitionFile() {}

  /**
   * Returns the content of a UTF-8 file without its byte order mark.
   *
   * @throws IllegalArgumentException if it is not UTF-8
   */
  static String read(Path file) throws IOException {
    try {
      String text = Files.readString(file);
      return text.startsWith("\uFEFF") ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException(file + " is not UTF-8", e);
    }
  }
}
