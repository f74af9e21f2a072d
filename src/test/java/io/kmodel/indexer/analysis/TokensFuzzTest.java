package io.kmodel.indexer.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryFile;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;

/** Any bytes as text: the tokens, positions and offsets are Lucene's. */
class TokensFuzzTest {
  private static final TokenComparison STANDARD = new TokenComparison(Analyzers.STANDARD);
  private static final TokenComparison ENGLISH = new TokenComparison(Analyzers.ENGLISH);
  private static final FieldTokens TOKENS = Analyzers.fieldTokens(Analyzers.ENGLISH).orElseThrow();

  @DictionaryFile(resourcePath = "text.dict")
  @FuzzTest
  void theTokensOfStandardAreLucenes(byte[] bytes) {
    STANDARD.check(new String(bytes, StandardCharsets.UTF_8));
  }

  @DictionaryFile(resourcePath = "text.dict")
  @FuzzTest
  void theTokensOfEnglishAreLucenes(byte[] bytes) {
    ENGLISH.check(new String(bytes, StandardCharsets.UTF_8));
  }

  /** No text of a document is such, as decoding comes first; nothing may break all the same. */
  @DictionaryFile(resourcePath = "text.dict")
  @FuzzTest
  void bytesThatAreNoUtf8EndAndStayInThePiece(byte[] bytes) {
    TOKENS.tokens(
        0,
        bytes,
        0,
        bytes.length,
        (field, term, offset, length, position) -> {
          assertThat(TOKENS.startOffset()).isBetween(0, bytes.length);
          assertThat(TOKENS.endOffset()).isBetween(TOKENS.startOffset(), bytes.length);
          assertThat(length).isBetween(1, 765);
        });
  }
}
