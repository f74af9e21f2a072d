package io.kmodel.indexer.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.base.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens from bytes, whatever these and the sink are: of the piece given, and again after it. */
class FieldTokensBorderTest {
  @ParameterizedTest
  @ValueSource(strings = {"standard", "english"})
  void onlyThePieceIsRead(String name) {
    byte[] text = "xxwords\u00E9 \u30ABxx".getBytes(StandardCharsets.UTF_8);
    FieldTokens tokens = Analyzers.fieldTokens(name).orElseThrow();
    List<String> found = new ArrayList<>();
    tokens.tokens(
        1,
        text,
        2,
        text.length - 4,
        (field, bytes, offset, length, position) ->
            found.add(
                field + new String(bytes, offset, length, StandardCharsets.UTF_8) + position));
    assertThat(found).containsExactly("1words\u00E90", "1\u30AB1");
    tokens.tokens(1, text, 3, 0, (field, bytes, offset, length, position) -> found.add("more"));
    assertThat(found).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"standard", "english"})
  void aSinkThatFailsLeavesTheTokenizerUsable(String name) {
    byte[] text = "\u30AB \u5B57 words".getBytes(StandardCharsets.UTF_8);
    FieldTokens tokens = Analyzers.fieldTokens(name).orElseThrow();
    TokenSink failing =
        (field, bytes, offset, length, position) -> {
          throw new IllegalStateException("full");
        };
    assertThatThrownBy(() -> tokens.tokens(0, text, 0, text.length, failing))
        .hasMessageContaining("full");
    List<Integer> offsets = new ArrayList<>();
    tokens.tokens(
        0,
        text,
        0,
        text.length,
        (field, bytes, offset, length, position) -> offsets.add(tokens.startOffset()));
    assertThat(offsets).containsExactly(0, 4, 8);
  }

  @ParameterizedTest
  @ValueSource(strings = {"standard", "english"})
  void bytesThatAreNotUtf8EndAndStayInThePiece(String name) {
    FieldTokens tokens = Analyzers.fieldTokens(name).orElseThrow();
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      byte[] text = new byte[random.nextInt(40)];
      random.nextBytes(text);
      for (int j = 0; j < text.length; j++) {
        text[j] =
            random.nextBoolean()
                ? text[j]
                : (byte) "aS_.'\u00E3\u00F0\u00E6\u00E9\u00EA\u00ED\u00BF".charAt(j % 12);
      }
      int most = text.length;
      tokens.tokens(
          0,
          text,
          0,
          text.length,
          (field, bytes, offset, length, position) -> {
            assertThat(Utf8.isWellFormed(bytes, offset, length)).as("seed %d", seed).isTrue();
            assertThat(tokens.startOffset()).as("seed %d", seed).isBetween(0, most);
            assertThat(tokens.endOffset()).as("seed %d", seed).isBetween(0, most);
          });
    }
  }
}
