package io.kmodel.indexer.export.ciff;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A file is not valid CIFF or is damaged. The message names the file and the offset in bytes after
 * decompression.
 */
public final class MalformedCiffException extends IOException {
  private static final long serialVersionUID = 1L;

  MalformedCiffException(Path file, long offset, String problem) {
    super("%s: before offset %d: %s".formatted(file, offset, problem));
  }

  MalformedCiffException(Path file, long offset, String problem, Throwable cause) {
    super("%s: before offset %d: %s".formatted(file, offset, problem), cause);
  }
}
