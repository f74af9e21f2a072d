package io.kmodel.indexer.parse.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import java.util.List;
import org.junit.jupiter.api.Test;
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
    "ger,de",
    "FRE,fr",
    "chi-Hant,zh-hant",
    "eng-GB,en-gb",
    "gsw,gsw",
    "haw,haw"
  })
  void aTagIsInLowerCase(String text, String tag) {
    assertThat(LanguageTag.parse(text)).isEqualTo(tag);
  }

  /** The codes of bibliographies mean what those of terminology do. */
  @Test
  void aLanguageHasOneTag() {
    String bibliographic =
        "alb arm baq bur chi cze dut fre geo ger gre ice mac mao may per rum slo tib wel";
    String terminological =
        "sqi hye eus mya zho ces nld fra kat deu ell isl mkd mri msa fas ron slk bod cym";
    assertThat(tags(bibliographic)).isEqualTo(tags(terminological)).doesNotContainNull();
  }

  private static List<String> tags(String codes) {
    return Splitter.on(' ').splitToStream(codes).map(LanguageTag::parse).toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "e", "english", "de; en", "en,fr", "en-", "{lang}", "en-verylonglong"})
  void anythingElseIsNoTag(String text) {
    assertThat(LanguageTag.parse(text)).isNull();
  }
}
