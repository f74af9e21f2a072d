package io.kmodel.indexer.analysis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.parse.MalformedDocumentException;
import io.kmodel.indexer.parse.ParsedDocument;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.core.WhitespaceTokenizer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FailingAnalyzersTest {
  private static final Schema SCHEMA =
      Schema.of(
          List.of(
              new Field(Schema.ID, Detail.DOCUMENTS, false, true),
              new Field(Schema.CONTENTS, Detail.POSITIONS, true, true)));

  /** Java's regular expressions recurse; it ended the build. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "analyzer.tokenizer = pattern(pattern=\"(?:a|b)+c\")",
        "analyzer.tokenizer = keyword\n"
            + "analyzer.filter.1 = patternReplace(pattern=\"(?:a|b)+c\", replacement=x)",
        "analyzer.tokenizer = standard\n"
            + "analyzer.charFilter.1 = patternReplace(pattern=\"(?:a|b)+c\", replacement=x)"
      })
  void aTextThatOverflowsTheStackOfARegularExpressionIsRefusedAlone(
      String chain, @TempDir Path directory) throws Exception {
    Path file = Files.writeString(directory.resolve("chain.properties"), chain);
    try (Analyzer analyzer = AnalyzerChain.read(file).newAnalyzer()) {
      DocumentAnalysis analysis = new DocumentAnalysis(analyzer);
      List<String> expected = analyze(analysis, "one ac");
      assertThatThrownBy(() -> analyze(analysis, "ab".repeat(200_000)))
          .isInstanceOf(MalformedDocumentException.class)
          .hasCauseInstanceOf(StackOverflowError.class);
      assertThat(analyze(analysis, "one ac")).isEqualTo(expected);
    }
  }

  @Test
  void whatAnAnalyzerThrowsBeforeAndBehindTheTokensIsTheDocuments() {
    for (int step = 0; step < 3; step++) {
      int failing = step;
      Analyzer analyzer =
          new Analyzer() {
            @Override
            protected Reader initReader(String field, Reader reader) {
              fail(failing == 0);
              return reader;
            }

            @Override
            protected TokenStreamComponents createComponents(String field) {
              Tokenizer words = new WhitespaceTokenizer();
              return new TokenStreamComponents(words, new Failing(words, failing));
            }
          };
      assertThatThrownBy(() -> analyze(new DocumentAnalysis(analyzer), "one two"))
          .isInstanceOf(MalformedDocumentException.class)
          .hasCauseInstanceOf(StackOverflowError.class);
    }
  }

  private static void fail(boolean now) {
    if (now) {
      throw new StackOverflowError();
    }
  }

  /** Fails at its beginning, or at its end. */
  private static final class Failing extends TokenFilter {
    private final int failing;

    Failing(TokenStream words, int failing) {
      super(words);
      this.failing = failing;
    }

    @Override
    public boolean incrementToken() throws IOException {
      return input.incrementToken();
    }

    @Override
    public void reset() throws IOException {
      super.reset();
      fail(failing == 1);
    }

    @Override
    public void end() throws IOException {
      super.end();
      fail(failing == 2);
    }
  }

  private static List<String> analyze(DocumentAnalysis analysis, String text)
      throws MalformedDocumentException {
    List<String> terms = new ArrayList<>();
    analysis.analyze(
        new ParsedDocument("x", "", text),
        SCHEMA,
        (field, bytes, offset, length, position) ->
            terms.add(new String(bytes, offset, length, UTF_8)));
    return terms;
  }
}
