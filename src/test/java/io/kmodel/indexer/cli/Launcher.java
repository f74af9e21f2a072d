package io.kmodel.indexer.cli;

import io.kmodel.indexer.Tier;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Runs bin/indexer, with the program that is in target, in a process of its own. */
final class Launcher {
  /** How a call ended, and what it said. */
  record Ended(int exitCode, String out, String err) {}

  /** Java starts faster without its second compiler. */
  private static final Map<String, String> QUICK_JAVA =
      Tier.pick(Map.of("INDEXER_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1"), Map.of());

  private Launcher() {}

  static Ended run(String... arguments) throws IOException, InterruptedException {
    return run(Map.of(), arguments);
  }

  static Ended run(Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    Map<String, String> all = new HashMap<>(QUICK_JAVA);
    all.putAll(environment);
    // As it is: the launcher must not start Maven within Maven.
    all.put("INDEXER_PROGRAM", Path.of("target").toAbsolutePath().toString());
    return run(Path.of("bin/indexer"), all, arguments);
  }

  /** Runs another project's launcher. */
  static Ended run(Path launcher, Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(launcher.toString()));
    command.addAll(List.of(arguments));
    Path out = Files.createTempFile("indexer", ".out");
    Path err = Files.createTempFile("indexer", ".err");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
      builder.environment().putAll(environment);
      int exitCode = builder.start().waitFor();
      return new Ended(exitCode, text(out), text(err));
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }

  private static String text(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }
}
