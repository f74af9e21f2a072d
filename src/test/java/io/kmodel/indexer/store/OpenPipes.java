package io.kmodel.indexer.store;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Pipes that this process has open, where the system lists them; a test is skipped where not. */
public final class OpenPipes {
  private OpenPipes() {}

  /** The name of one of them. */
  public static Path any() throws IOException {
    Path descriptors = Path.of("/proc/self/fd");
    assumeTrue(Files.isDirectory(descriptors), "no /proc");
    try (Stream<Path> all = Files.list(descriptors)) {
      return all.filter(OpenPipes::isPipe).findFirst().orElseThrow();
    }
  }

  private static boolean isPipe(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString().startsWith("pipe:");
    } catch (IOException e) {
      return false;
    }
  }
}
