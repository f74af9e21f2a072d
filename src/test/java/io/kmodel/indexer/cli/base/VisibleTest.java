package io.kmodel.indexer.cli.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/** What documents and files are called does nothing to a terminal. */
class VisibleTest {
  @Test
  void controlCharactersAreShownAndAllElseIsAsItWas() {
    assertThat(Visible.of("a \033]0;owned\007 b\r\n\t\177\u009bc"))
        .isEqualTo("a \\x1b]0;owned\\x07 b\\x0d\\x0a\\x09\\x7f\\x9bc");
    String plain = "Größe 大 \uD835\uDD1E \\x1b…";
    assertThat(Visible.of(plain)).isSameAs(plain);
  }

  /** With them a name can look like another, or like two lines. */
  @Test
  void whatTurnsTextAroundOrBreaksItsLinesIsShown() {
    assertThat(Visible.of("a\u202Etxt.exe\u061C\u200E\u200F\u202A\u2066\u2069\u2028\u2029b"))
        .isEqualTo("a\\u202etxt.exe\\u061c\\u200e\\u200f\\u202a\\u2066\\u2069\\u2028\\u2029b");
    String plain = "\u05D0\u200D\u2010\u2027\u2030\u206A";
    assertThat(Visible.of(plain)).isSameAs(plain);
  }

  @Test
  void linesOfALogStayLines() {
    StringWriter out = new StringWriter();
    new Log(new PrintWriter(out), Log.Format.TEXT).warning("one\n\033[31mtwo");
    assertThat(out.toString().lines()).containsExactly("indexer: warning: one", "\\x1b[31mtwo");
  }
}
