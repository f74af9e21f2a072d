package io.kmodel.indexer.source;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Makes named pipes, where the system has a command for that; a test is skipped where not. */
public final class Pipes {
  private Pipes() {}

  public static void make(Path path) throws IOException, InterruptedException {
    Process process = new ProcessBuilder("mkfifo", path.toString()).start();
    assumeTrue(process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0, "no mkfifo");
  }
}
