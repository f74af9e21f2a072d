package io.kmodel.indexer.cli.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LogTest {
  private static final String LINE_END = System.lineSeparator();

  private final StringWriter err = new StringWriter();
  private final Log log = new Log(new PrintWriter(err), Log.Format.TEXT);

  @Test
  void aMessageStandsAboveTheStatusLine() {
    log.status("10 %");
    log.note("slow");
    log.status("20 %");
    log.status("");
    log.note("done");
    assertThat(err.toString())
        .isEqualTo(
            shown("10 %")
                + "\r\033[Kindexer: slow"
                + LINE_END
                + shown("10 %")
                + "\r\033[K"
                + shown("20 %")
                + "\r\033[Kindexer: done"
                + LINE_END);
  }

  @Test
  void eventsHaveNoStatusLine() {
    new Log(new PrintWriter(err), Log.Format.JSON).status("10 %");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void withoutAStatusLineNothingIsErased() {
    log.status("");
    log.event("ignored", Map.of());
    log.line("plain");
    assertThat(err.toString()).isEqualTo("plain" + LINE_END);
  }

  /** A line that is cut at the margin of the window. */
  private static String shown(String text) {
    return "\033[?7l" + text + "\033[?7h";
  }
}
