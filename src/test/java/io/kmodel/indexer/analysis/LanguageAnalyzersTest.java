package io.kmodel.indexer.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.index.model.Column;
import io.kmodel.indexer.index.model.ColumnType;
import io.kmodel.indexer.index.model.ColumnValues;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.parse.ParsedDocument;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LanguageAnalyzersTest {
  private static final Column LANGUAGE = new Column(Schema.DETECTED_LANGUAGE, ColumnType.STRING);

  private static final Schema SCHEMA =
      Schema.of(
              List.of(
                  new Field(Schema.CONTENTS, Detail.POSITIONS, true, false),
                  new Field(Schema.TITLE, Detail.POSITIONS, true, false)))
          .withColumns(ImmutableList.of(LANGUAGE));

  private static final String TEXT =
      "The Häuser of the runners: les chevaux, los caballos y las casas, 東京都の running houses";

  @ParameterizedTest
  @CsvSource({
    "de,german",
    "en,english",
    "fr,french",
    "ja,cjk",
    "zh,cjk",
    "pt,portuguese",
    "sq,standard",
    "'',standard",
    "xx,standard"
  })
  void aDocumentHasTheTermsOfItsLanguagesAnalyzer(String language, String analyzer)
      throws Exception {
    IndexAnalysis analysis = IndexAnalysis.of(AnalysisDefinition.BY_LANGUAGE);
    assertThat(tokens(analysis, language, language))
        .isNotEmpty()
        .isEqualTo(tokens(IndexAnalysis.of(analyzer), language, language));
  }

  @Test
  void oneAnalysisServesDocumentsOfSeveralLanguages() throws Exception {
    IndexAnalysis analysis = IndexAnalysis.of(AnalysisDefinition.BY_LANGUAGE);
    List<String> mixed = tokens(analysis, "de", "en", "", "de");
    List<String> each = new ArrayList<>();
    for (String language : List.of("de", "en", "", "de")) {
      each.addAll(tokens(analysis, language));
    }
    assertThat(mixed).isEqualTo(each);
    assertThat(tokens(analysis, "de")).isNotEqualTo(tokens(analysis, "en"));
  }

  @Test
  void aFieldWithAnAnalyzerKeepsIt() throws Exception {
    IndexAnalysis analysis =
        IndexAnalysis.of(AnalysisDefinition.BY_LANGUAGE)
            .with(Schema.TITLE, AnalysisDefinition.of(Analyzers.WHITESPACE));
    IndexAnalysis german =
        IndexAnalysis.of("german").with(Schema.TITLE, AnalysisDefinition.of(Analyzers.WHITESPACE));
    assertThat(tokens(analysis, "de")).isEqualTo(tokens(german, "de"));
    IndexAnalysis titles =
        IndexAnalysis.of(Analyzers.STANDARD)
            .with(Schema.TITLE, AnalysisDefinition.of(AnalysisDefinition.BY_LANGUAGE));
    IndexAnalysis german2 =
        IndexAnalysis.of(Analyzers.STANDARD).with(Schema.TITLE, AnalysisDefinition.of("german"));
    assertThat(tokens(titles, "de")).isEqualTo(tokens(german2, "de"));
  }

  @Test
  void equalAnalyzersAreMadeOnce() {
    try (Analyzer analyzer = Analyzers.named(AnalysisDefinition.BY_LANGUAGE)) {
      assertThat(LanguageAnalyzers.of(analyzer, "zh"))
          .isSameAs(LanguageAnalyzers.of(analyzer, "ko"))
          .isNotSameAs(LanguageAnalyzers.of(analyzer, "de"));
      assertThat(LanguageAnalyzers.of(analyzer, "sq")).isSameAs(LanguageAnalyzers.of(analyzer, ""));
    }
    try (Analyzer one = Analyzers.named("german")) {
      assertThat(LanguageAnalyzers.of(one, "en")).isSameAs(one);
    }
  }

  private static List<String> tokens(IndexAnalysis analysis, String... languages) throws Exception {
    List<String> tokens = new ArrayList<>();
    try (Analyzer analyzer = analysis.newAnalyzer()) {
      DocumentAnalysis documents = DocumentAnalysis.of(analysis, analyzer);
      ColumnValues values = new ColumnValues(ImmutableList.of(LANGUAGE));
      for (String language : languages) {
        values.clear();
        if (!language.isEmpty()) {
          values.set(0, language);
        }
        ParsedDocument document = new ParsedDocument("id", TEXT, TEXT).withValues(values);
        for (String field : List.of(Schema.CONTENTS, Schema.TITLE)) {
          documents.analyzeText(
              document,
              SCHEMA,
              SCHEMA.ordinal(field),
              (ordinal, bytes, offset, length, position) ->
                  tokens.add(
                      "%d %s %d"
                          .formatted(
                              ordinal,
                              new String(bytes, offset, length, StandardCharsets.UTF_8),
                              position)));
        }
      }
    }
    return tokens;
  }
}
