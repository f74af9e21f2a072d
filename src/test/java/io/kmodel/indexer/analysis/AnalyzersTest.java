package io.kmodel.indexer.analysis;

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
    assertThat(Analyzers.names())
        .startsWith("standard", "english", "whitespace", "auto", "arabic", "armenian")
        .hasSize(4 + 38);
  }

  @Test
  void anUnknownNameIsRefusedWithTheNearestOne() {
    assertThatThrownBy(() -> Analyzers.named("englisch"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "unknown analyzer 'englisch'; did you mean 'english'?"
                + " known: standard, english, whitespace, auto, arabic, ");
    assertThatThrownBy(() -> Analyzers.named("Standart")).hasMessageContaining("'standard'?");
    assertThatThrownBy(() -> Analyzers.named("foo"))
        .hasMessageStartingWith("unknown analyzer 'foo'; known: standard, english, ");
    assertThatThrownBy(() -> Analyzers.named("white")).hasMessageContaining("'whitespace'?");
  }

  @Test
  void everyLanguageHasLucenesAnalyzer() {
    for (String code : Analyzers.languages()) {
      String name = AnalysisDefinition.ofLanguage(code).analyzer();
      try (Analyzer analyzer = Analyzers.named(code)) {
        assertThat(analyzer.getClass().getSimpleName()).isEqualToIgnoringCase(name + "Analyzer");
        String room = analyzer.getClass().getPackageName();
        String own = room.substring(room.lastIndexOf('.') + 1);
        // Lucene's packages have the codes of their languages, with these exceptions.
        String expected =
            switch (own) {
              case "cjk" -> List.of("zh", "ja", "ko").contains(code) ? code : own;
              case "cz" -> "cs";
              case "br" -> code.equals("br") ? own : "pt-br";
              case "no" -> code.equals("nb") ? code : own;
              default -> own;
            };
        assertThat(code).isEqualTo(expected);
      }
    }
  }

  @Test
  void anUnknownLanguageIsRefusedWithTheNearestOne() {
    assertThat(AnalysisDefinition.ofLanguage("pt-BR").analyzer()).isEqualTo("brazilian");
    assertThat(AnalysisDefinition.of("pt_BR").analyzer()).isEqualTo("brazilian");
    assertThatThrownBy(() -> AnalysisDefinition.ofLanguage("jp"))
        .hasMessageStartingWith(
            "no analyzer for the language 'jp'; known: ar, bg, bn, br, ca, ckb, cs, da, de, ");
    assertThatThrownBy(() -> AnalysisDefinition.ofLanguage("ckp"))
        .hasMessageStartingWith("no analyzer for the language 'ckp'; did you mean 'ckb'? known:");
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
