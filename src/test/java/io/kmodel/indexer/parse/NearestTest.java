package io.kmodel.indexer.parse;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestTest {
  @Test
  void theNearestKeyTakesTheFewestEdits() {
    assertThat(Nearest.distance("", "abc")).isEqualTo(3);
    assertThat(Nearest.distance("kitten", "sitting")).isEqualTo(3);
    assertThat(Nearest.distance("abc", "abc")).isZero();
    List<String> known = List.of("build.html", "log", "lag");
    assertThat(Nearest.of("log.", known)).hasValue("log");
    assertThat(Nearest.of("build", known)).as("begins so").hasValue("build.html");
    for (String other : List.of("", "foo", "x", "html")) {
      assertThat(Nearest.of(other, known)).as(other).isEmpty();
    }
  }
}
