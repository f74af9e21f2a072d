package io.kmodel.indexer.parse.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tags of languages. */
class LanguageTagTest {
  @ParameterizedTest
  @CsvSource({
    "en,en",
    " EN ,en",
    "pt-BR,pt-br",
    "en_US,en-us",
    "zh-Hant-TW,zh-hant-tw",
    "eng,en",
    "deu,de",
    "eng-GB,en-gb",
    "gsw,gsw",
    "haw,haw"
  })
  void aTagIsInLowerCase(String text, String tag) {
    assertThat(LanguageTag.parse(text)).isEqualTo(tag);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "e", "english", "de; en", "en,fr", "en-", "{lang}", "en-verylonglong"})
  void anythingElseIsNoTag(String text) {
    assertThat(LanguageTag.parse(text)).isNull();
  }
}
