package io.kmodel.indexer.parse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.junit.jupiter.api.Test;

class AnalyzersTest {
  private static final String TEXT = "The Kingfisher's dives, diving AND the U.S. 3.5";

  @Test
  void eachNameIsTheAnalyzerItSays() throws IOException {
    assertThat(terms("standard"))
        .containsExactly("the", "kingfisher's", "dives", "diving", "and", "the", "u.s", "3.5");
    assertThat(terms("english")).containsExactly("kingfish", "dive", "dive", "u.", "3.5");
    assertThat(terms("whitespace"))
        .containsExactly("The", "Kingfisher's", "dives,", "diving", "AND", "the", "U.S.", "3.5");
    assertThat(Analyzers.names()).containsExactly("standard", "english", "whitespace");
  }

  @Test
  void anUnknownNameIsRefusedWithTheNearestOne() {
    assertThatThrownBy(() -> Analyzers.named("englisch"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "no analyzer 'englisch'; did you mean 'english'?"
                + " there are standard, english, whitespace");
    assertThatThrownBy(() -> Analyzers.named("Standart")).hasMessageContaining("'standard'?");
    assertThatThrownBy(() -> Analyzers.named("white")).hasMessageContaining("'whitespace'?");
  }

  private static List<String> terms(String name) throws IOException {
    List<String> terms = new ArrayList<>();
    try (Analyzer analyzer = Analyzers.named(name);
        TokenStream tokens = analyzer.tokenStream("contents", TEXT)) {
      CharTermAttribute term = tokens.getAttribute(CharTermAttribute.class);
      tokens.reset();
      while (tokens.incrementToken()) {
        terms.add(term.toString());
      }
      tokens.end();
    }
    return terms;
  }
}
