package io.kmodel.indexer.cli.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class AgeTest {
  @ParameterizedTest
  @CsvSource({"90m, 5400", "12h, 43200", "2d, 172800", "2D, 172800", "0s, 0", "1h30m, 5400"})
  void agesAreNumbersWithUnits(String text, long seconds) {
    assertThat(new Age().convert(text)).isEqualTo(Duration.ofSeconds(seconds));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "12", "-1h", "h", "2w", "99999999999999999999d", "99999999999999d"})
  void othersAreRefused(String text) {
    assertThatThrownBy(() -> new Age().convert(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("90m, 12h or 2d");
  }
}
