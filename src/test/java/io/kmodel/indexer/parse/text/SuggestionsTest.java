package io.kmodel.indexer.parse.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SuggestionsTest {
  @Test
  void theNearestKeyTakesTheFewestEdits() {
    assertThat(Suggestions.distance("", "abc")).isEqualTo(3);
    assertThat(Suggestions.distance("kitten", "sitting")).isEqualTo(3);
    assertThat(Suggestions.distance("abc", "abc")).isZero();
    List<String> known = List.of("build.html", "log", "lag");
    assertThat(Suggestions.of("log.", known)).hasValue("log");
    assertThat(Suggestions.of("build", known)).as("begins so").hasValue("build.html");
    for (String other : List.of("", "foo", "x", "html")) {
      assertThat(Suggestions.of(other, known)).as(other).isEmpty();
    }
  }
}
