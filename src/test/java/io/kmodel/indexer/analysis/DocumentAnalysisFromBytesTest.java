package io.kmodel.indexer.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.parse.MalformedDocumentException;
import io.kmodel.indexer.parse.ParsedDocument;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentAnalysisFromBytesTest {
  private static final Schema SCHEMA =
      Schema.of(
          List.of(
              new Field(Schema.ID, Detail.DOCUMENTS, false, true),
              new Field(Schema.TITLE, Detail.POSITIONS, true, true),
              new Field(Schema.CONTENTS, Detail.POSITIONS, true, false)));

  @ParameterizedTest
  @ValueSource(strings = {"standard", "english", "whitespace"})
  void bothWaysGiveTheSameTokens(String name) throws MalformedDocumentException {
    ParsedDocument document =
        new ParsedDocument(
            "doc \uD800 1",
            "The Title's Words",
            "Running in the \u6F22\u5B57 na\u00EFve \uD83D\uDE00 text. ".repeat(100));
    assertSameTokens(name, document);
  }

  @ParameterizedTest
  @ValueSource(strings = {"standard", "english"})
  void unpairedSurrogatesAreNoWordsEitherWay(String name) throws MalformedDocumentException {
    String[] units = {"a", "\uD800", "\uDC00", "\uD83D\uDE00", "\u0301", "1", ".", "\u6F22"};
    for (String first : units) {
      for (String second : units) {
        for (String third : units) {
          String text = first + second + third;
          assertSameTokens(name, new ParsedDocument("1", text, "x" + text + "ed y" + text));
        }
      }
    }
    String tail = "b".repeat(254);
    assertSameTokens(name, new ParsedDocument("1", "\uD800" + tail, tail + "\uD800"));
  }

  @Test
  void aKeywordThatIsTooLongIsRefused() {
    ParsedDocument document = new ParsedDocument("i".repeat(32_767), "", "");
    try (Analyzer analyzer = Analyzers.named("standard")) {
      assertThatThrownBy(
              () ->
                  DocumentAnalysis.of("standard", analyzer)
                      .analyze(document, SCHEMA, (field, bytes, offset, length, position) -> {}))
          .isInstanceOf(MalformedDocumentException.class)
          .hasMessageContaining("32767");
    }
  }

  @Test
  void theAnalyzersWithAWayFromBytesAreKnown() {
    assertThat(Analyzers.fieldTokens("standard")).get().isInstanceOf(StandardTokens.class);
    assertThat(Analyzers.fieldTokens("english")).get().isInstanceOf(EnglishTokens.class);
    assertThat(Analyzers.fieldTokens("whitespace")).isEmpty();
  }

  private static void assertSameTokens(String name, ParsedDocument document)
      throws MalformedDocumentException {
    try (Analyzer analyzer = Analyzers.named(name)) {
      assertThat(tokens(DocumentAnalysis.of(name, analyzer), document))
          .isNotEmpty()
          .isEqualTo(tokens(new DocumentAnalysis(analyzer), document));
    }
  }

  private static List<String> tokens(DocumentAnalysis analysis, ParsedDocument document)
      throws MalformedDocumentException {
    List<String> withoutOffsets = new ArrayList<>();
    analysis.analyze(
        document,
        SCHEMA,
        (field, bytes, offset, length, position) ->
            withoutOffsets.add(text(field, position, bytes, offset, length)));
    List<String> tokens = new ArrayList<>();
    List<String> withOffsets = new ArrayList<>();
    analysis.analyzeWithOffsets(
        document,
        SCHEMA,
        (field, bytes, offset, length, position, start, end) -> {
          String token = text(field, position, bytes, offset, length);
          withOffsets.add(token);
          tokens.add(token + ":" + start + "-" + end);
        });
    assertThat(withOffsets).isEqualTo(withoutOffsets);
    return tokens;
  }

  private static String text(int field, int position, byte[] bytes, int offset, int length) {
    return field + ":" + position + ":" + new String(bytes, offset, length, StandardCharsets.UTF_8);
  }
}
