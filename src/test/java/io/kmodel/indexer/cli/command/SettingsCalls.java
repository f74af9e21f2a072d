package io.kmodel.indexer.cli.command;

import io.kmodel.indexer.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Commands with an environment and a file of settings. */
abstract class SettingsCalls {
  @TempDir Path directory;
  final Map<String, String> environment = new HashMap<>();
  final StringWriter out = new StringWriter();
  final StringWriter err = new StringWriter();

  /** A file of settings with a text, in place of the one before. */
  final String file(String text) throws IOException {
    return Files.writeString(directory.resolve("settings"), text).toString();
  }

  /** Runs a command line as one that knows all commands. */
  final int run(String... arguments) {
    return run(Commands.all(), arguments);
  }

  /** What it prints is in {@link #out} and {@link #err} afterwards. */
  final int run(CommandLine program, String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    program.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    return Main.execute(program, environment, arguments);
  }
}
