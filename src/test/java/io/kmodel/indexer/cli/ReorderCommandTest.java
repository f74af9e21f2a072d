package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.cli.base.ExitCode;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Another order of documents from the command line. */
class ReorderCommandTest extends CommandCalls {
  private String output() {
    return directory.resolve("ordered").toString();
  }

  @Test
  void itSaysHowTheListsHaveChangedAndStatsNamesTheOrder() throws IOException {
    assertThat(run("reorder", index(), "--order", "bp", "--output", output()))
        .as(err.toString())
        .isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .startsWith(output() + ": an index of 3 documents in order bp, 0 of them moved")
        .contains(
            "  log2 of a gap    ", "  bits per gap     8.00 (before: 8.00)", "  bits per posting ");
    assertThat(run("stats", output())).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("order      bp\n");
    assertThat(run("verify", "--deep", output())).isEqualTo(ExitCode.OK);
    assertThat(run("search", output(), "river")).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("1. first");
  }

  @Test
  void aMistakeIsNamedInOneLine() throws IOException {
    assertThat(run("reorder", index(), "--output", output())).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--order");
    assertThat(run("reorder", index(), "--order", "age", "--output", output()))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).containsIgnoringCase("url").containsIgnoringCase("bp");
    assertThat(run("reorder", output(), "--order", "bp", "--output", index()))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("no index at " + output());
    assertThat(run("reorder", index(), "--order", "bp", "-o", output(), "--threads", "0"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(run("reorder", index(), "--order", "url", "--output", output()))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString().lines()).hasSize(1);
    assertThat(err.toString())
        .contains("no document of " + index() + " has a URL", "--docno uri", "--store contents");
    assertThat(run("reorder", index(), "--order", "bp", "-o", index())).isEqualTo(ExitCode.USAGE);
    assertThat(run("reorder", index(), "--order", "bp", "-o", index(), "--overwrite"))
        .isEqualTo(ExitCode.USAGE);
  }

  @Test
  void anIndexIsReplacedWithOverwriteOnly() throws IOException {
    String[] call = {"reorder", index(), "--order", "bp", "--output", output(), "--quiet"};
    assertThat(run(call)).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).isEmpty();
    assertThat(run(call)).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("exists already", "--overwrite");
    assertThat(run("reorder", index(), "--order", "bp", "-o", output(), "--overwrite"))
        .isEqualTo(ExitCode.OK);
  }
}
