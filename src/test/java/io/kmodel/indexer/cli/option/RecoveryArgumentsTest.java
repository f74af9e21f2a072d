package io.kmodel.indexer.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.cli.base.Log;
import io.kmodel.indexer.indexing.options.Recovery;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

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

  @Test
  void aBuildBeginsGoesOnOrBeginsAnewAsItIsAskedTo() {
    assertThat(recovery().start()).isEqualTo(Recovery.Start.FRESH);
    assertThat(recovery("--resume").start()).isEqualTo(Recovery.Start.RESUME);
    assertThat(recovery("--restart").start()).isEqualTo(Recovery.Start.RESTART);
    assertThatThrownBy(() -> recovery("--resume", "--restart"))
        .hasMessage("--resume and --restart cannot be combined");
  }

  @Test
  void workIsSealedEverySoManySeconds() {
    assertThat(recovery().sealEvery()).isEqualTo(Recovery.SEAL_EVERY);
    assertThat(recovery("--seal-every=0").sealEvery()).isZero();
    assertThat(recovery("--seal-every=90").sealEvery()).hasSeconds(90);
    assertThatThrownBy(() -> recovery("--seal-every=-1"))
        .hasMessage("--seal-every must not be negative; got -1");
  }

  @Command
  private static final class Call {
    @Mixin private RecoveryArguments recovery = new RecoveryArguments();
  }

  private Recovery recovery(String... arguments) {
    Call call = new Call();
    new CommandLine(call).parseArgs(arguments);
    return call.recovery.toRecovery(new Log(new PrintWriter(err), Log.Format.TEXT), false);
  }

  private void tell(Log.Format format, boolean quiet) {
    Log log = new Log(new PrintWriter(err), format);
    Recovery recovery = new RecoveryArguments().toRecovery(log, quiet);
    recovery.notices().accept("going on");
    recovery.warnings().accept("damaged");
  }
}
