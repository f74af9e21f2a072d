package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.build.Recovery;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/** What a build has to say of an earlier one, and of its own interruption. */
class RecoveryArgumentsTest {
  private final StringWriter err = new StringWriter();

  @Test
  void noticesAreEventsWhereTheLogIsJson() {
    tell(Log.Format.JSON, false);
    assertThat(err.toString().lines())
        .hasSize(2)
        .anyMatch(line -> line.endsWith("\"event\":\"note\",\"message\":\"going on\"}"))
        .anyMatch(line -> line.endsWith("\"event\":\"warning\",\"message\":\"damaged\"}"));
  }

  @Test
  void onlyWarningsAreTalkedOfWhereItIsQuiet() {
    tell(Log.Format.TEXT, true);
    assertThat(err.toString()).isEqualTo("indexer: warning: damaged%n".formatted());
    err.getBuffer().setLength(0);
    tell(Log.Format.TEXT, false);
    assertThat(err.toString()).startsWith("indexer: going on%n".formatted()).hasLineCount(2);
  }

  private void tell(Log.Format format, boolean quiet) {
    Log log = new Log(new PrintWriter(err), format);
    Recovery recovery = new RecoveryArguments().toRecovery(log, quiet);
    recovery.notices().accept("going on");
    recovery.warnings().accept("damaged");
  }
}
