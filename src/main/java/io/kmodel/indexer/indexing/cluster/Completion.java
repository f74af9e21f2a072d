package io.kmodel.indexer.indexing.cluster;

import com.google.common.hash.Hashing;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.indexing.report.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Recognizes the complete output of an interrupted build that only had to clean up: the checksum of
 * a file that names all others is recorded before the output gets its name.
 */
final class Completion {
  /** In a workspace: the checksum. */
  static final String MARK = "complete";

  private final Workspace work;
  private final String file;
  private final Reader output;

  /** Reads small files of the output. */
  @FunctionalInterface
  interface Reader {
    /** The content of a file; null if it does not exist. */
    byte @Nullable [] read(String name) throws IOException;
  }

  /**
   * The completion of an output.
   *
   * @param file of the output that names all others
   */
  Completion(Workspace work, String file, Reader output) {
    this.work = work;
    this.file = file;
    this.output = output;
  }

  /** Records the checksum of an output without its name. */
  void mark(Path made) throws IOException {
    work.write(MARK, digest(Files.readAllBytes(made.resolve(file))));
  }

  /** The report of the complete output; null unless the mark is its own. */
  @Nullable BuildReport report() throws IOException {
    byte[] mark = work.read(MARK);
    if (mark == null) {
      return null;
    }
    byte[] named = output.read(file);
    byte[] report = output.read(BuildReport.FILE_NAME);
    return named != null && report != null && Arrays.equals(mark, digest(named))
        ? Json.MAPPER.readValue(report, BuildReport.class)
        : null;
  }

  private static byte[] digest(byte[] content) {
    return Hashing.sha256().hashBytes(content).toString().getBytes(StandardCharsets.US_ASCII);
  }
}
