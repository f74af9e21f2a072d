package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.cli.command.Commands;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;

/** Commands in this process; what they print is kept. */
public abstract class CommandCalls {
  @TempDir public Path directory;
  public final StringWriter out = new StringWriter();
  public final StringWriter err = new StringWriter();

  /** Runs a command line; what it prints is in {@link #out} and {@link #err} afterwards. */
  public final int run(String... arguments) {
    return runWith(Map.of(), arguments);
  }

  /** The same in an environment. */
  public final int runWith(Map<String, String> environment, String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return Main.execute(
        Commands.of(arguments).setOut(new PrintWriter(out)).setErr(new PrintWriter(err)),
        environment,
        arguments);
  }

  /** Runs a command line that must succeed. */
  public final void succeed(String... arguments) {
    int code = run(arguments);
    assertThat(code).as(err.toString()).isEqualTo(ExitCode.OK);
  }

  /** An index of three pages about rivers, made when it is asked for first. */
  public final String index() throws IOException {
    Path index = directory.resolve("index");
    if (!Files.exists(index)) {
      Path crawl = Files.createDirectory(directory.resolve("crawl"));
      page(crawl.resolve("first"), "A river", "river river stone");
      page(crawl.resolve("second"), "", "stone bridge over river");
      page(crawl.resolve("third"), "Nothing", "river nothing");
      succeed("build", crawl.toString(), "-o", index.toString(), "--threads", "1");
    }
    return index.toString();
  }

  private static void page(Path file, String title, String contents) throws IOException {
    Files.writeString(
        file,
        "<!DOCTYPE html><html><head><title>%s</title></head><body><p>%s</p></body></html>"
            .formatted(title, contents));
  }
}
