package io.kmodel.indexer.parse.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class Utf8ReaderTest {
  private static final String TEXT =
      "a\u00E9\u6F22\uD83D\uDE00z\uFFFF\u007F\u0080\u07FF\u0800\uDBFF\uDFFF";

  @Test
  void anySizeOfReadGivesTheSameCharacters() {
    byte[] bytes = ("<" + TEXT + ">").getBytes(StandardCharsets.UTF_8);
    Utf8Reader reader = new Utf8Reader();
    for (int size = 1; size <= 20; size++) {
      reader.read(bytes, 1, bytes.length - 1);
      StringBuilder found = new StringBuilder();
      char[] buffer = new char[24];
      for (int n = reader.read(buffer, 2, size); n >= 0; n = reader.read(buffer, 2, size)) {
        assertThat(n).isBetween(1, size);
        found.append(buffer, 2, n);
      }
      assertThat(found).hasToString(TEXT);
    }
  }

  @Test
  void aCharacterCutOffAtTheEndIsReplaced() {
    byte[] bytes = "a\uD83D\uDE00".getBytes(StandardCharsets.UTF_8);
    Utf8Reader reader = new Utf8Reader();
    reader.read(bytes, 0, 3);
    char[] buffer = new char[8];
    int n = reader.read(buffer, 0, 8);
    assertThat(new String(buffer, 0, n)).isEqualTo("a\uFFFD\uFFFD");
    assertThat(reader.read(buffer, 0, 8)).isEqualTo(-1);
  }
}
