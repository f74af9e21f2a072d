package io.kmodel.indexer.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class KeyCountTest {
  @ParameterizedTest
  @CsvSource({
    "2^24, 16777216",
    "16m, 16777216",
    "1K, 1024",
    "10000000000, 10000000000",
    "2^36, 68719476736",
    "1g, 1073741824",
    "' 100000', 100000"
  })
  void numbersAreReadAsPeopleWriteThem(String text, long count) {
    assertThat(new KeyCount().convert(text)).isEqualTo(count);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "many", "-1", "2^", "1.5m", "16mb", "9999999999999"})
  void whatIsNoNumberOfKeysIsRefused(String text) {
    assertThatThrownBy(() -> new KeyCount().convert(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("is not a number of keys; write it like 2^24, 16m or 100000");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "2^37", "2^99", "65g", "999999999g", "17179869185g"})
  void moreKeysThanThereIsMemoryForAndNoneAreRefused(String text) {
    assertThatThrownBy(() -> new KeyCount().convert(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessage("'" + text + "' is not a number from 1 to 2^36");
  }
}
