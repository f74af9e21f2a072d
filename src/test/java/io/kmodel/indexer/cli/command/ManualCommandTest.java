package io.kmodel.indexer.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.cli.CommandCalls;
import io.kmodel.indexer.cli.base.ExitCode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The manual page, as man reads it. */
class ManualCommandTest extends CommandCalls {
  @Test
  void theGuideToOptionsIsWhatTheProgramPrints() throws Exception {
    assertThat(run("manual", "--markdown")).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .isEqualTo(Files.readString(Path.of("docs/user/options.md")))
        .doesNotContain("${", "%n");
  }

  @Test
  void theManualPageHasEveryCommandAndOptionAndManReadsIt() throws Exception {
    assertThat(run("manual")).isEqualTo(ExitCode.OK);
    String page = out.toString();
    assertThat(page).startsWith(".TH \"INDEXER\" \"1\"");
    for (CommandLine command : Commands.all().getSubcommands().values()) {
      assertThat(page).contains("\"indexer " + command.getCommandName());
    }
    assertThat(page)
        .containsOnlyOnce("\\fB\\-\\-config\\fR")
        .contains("indexer export ciff INDEX FILE", "\\fB\\-\\-lengths\\fR \\fIWHICH\\fR")
        .doesNotContain("${", "%n");
    Path file = Files.writeString(directory.resolve("indexer.1"), page);
    Path groff = Path.of("/usr/bin/groff");
    if (Files.isExecutable(groff)) {
      Process check =
          new ProcessBuilder(groff.toString(), "-man", "-ww", "-Tutf8", "-z", file.toString())
              .redirectErrorStream(true)
              .start();
      String warnings = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(check.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(warnings).isEmpty();
    }
  }
}
