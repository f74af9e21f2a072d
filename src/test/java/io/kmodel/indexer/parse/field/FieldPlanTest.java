package io.kmodel.indexer.parse.field;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FieldPlanTest {
  @Test
  void aFieldOfSeveralPartsIsWrittenDownAndOneOfItsOwnPartIsNot() {
    Map<String, String> options = new TreeMap<>();
    FieldPlan.parse("title, contents").combine("all = title, url").addTo(options);
    assertThat(options).containsExactly(Map.entry("field.all.parts", "title,url"));
    options.clear();
    FieldPlan.DEFAULT.withRaw().addTo(options);
    assertThat(options).isEmpty();
  }

  @Test
  void aCombinedFieldTakesThePlaceOfTheOneOfItsName() {
    assertThat(FieldPlan.parse("contents").combine("contents=title,contents").parts())
        .hasToString("{contents=[TITLE, CONTENTS]}");
  }

  @Test
  void mainContentIsWrittenDownAndReadAgain() {
    FieldPlan plan =
        FieldPlan.parse("title,contents").withMainContent(true).combine("title=title,url");
    Map<String, String> options = new TreeMap<>();
    plan.withRaw().addTo(options);
    assertThat(options)
        .containsExactly(
            Map.entry("field.title.parts", "title,url"), Map.entry("main-content", "true"));
    assertThat(FieldPlan.from(List.of("title", "contents"), options)).isEqualTo(plan);
    assertThat(FieldPlan.from(List.of("title", "contents"), Map.of()).mainContent()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "title,body | unknown part of a document 'body'; known: title, contents, ",
        "heading | did you mean 'headings'? known: title, contents, headings, anchors, url",
        "title,title | field 'title' is named twice",
        "raw | unknown part of a document 'raw'",
        "'' | unknown part of a document ''; known: title, "
      })
  void fieldsThatDocumentsDoNotHaveAreRefused(String fields, String message) {
    assertThatThrownBy(() -> FieldPlan.parse(fields))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "all | write combined fields like all=title,contents; got 'all'",
        "id=title | is not one of [id, raw]; got 'id'",
        "raw=title | got 'raw'",
        "a.b=title | got 'a.b'",
        "all=title,title | must hold parts of a document, each once; got [TITLE, TITLE]",
        "all= | unknown part of a document ''; known: title, "
      })
  void aCombinationThatCannotBeIsRefused(String definition, String message) {
    assertThatThrownBy(() -> FieldPlan.DEFAULT.combine(definition))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
