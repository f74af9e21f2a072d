package io.kmodel.indexer.cli.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class ByteSizeTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "4294967296, 4294967296",
    "7b, 7",
    "3k, 3072",
    "800m, 838860800",
    "4g, 4294967296",
    "4GiB, 4294967296",
    "4 GB, 4294967296",
    "2t, 2199023255552",
    "' 5m ', 5242880",
    "8388607t, 9223370937343148032",
    "9223372036854775807, 9223372036854775807"
  })
  void sizesAreReadAsPeopleWriteThem(String text, long bytes) {
    assertThat(ByteSize.parse(text)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "m", "-1", "1.5g", "4p", "4gi", "4 g b", "1g1"})
  void whatIsNoSizeIsRefused(String text) {
    assertThatThrownBy(() -> ByteSize.parse(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessage("'%s' is not a size; write it like 800m, 4g or 4294967296", text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"8388608t", "9223372036854775808", "16777216t"})
  void whatIsMoreThanANumberHoldsIsRefused(String text) {
    assertThatThrownBy(() -> ByteSize.parse(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessage("'%s' is too large", text);
  }

  @Test
  void sizesAreShownWithThreeDigitsAndABinaryUnit() {
    assertThat(ByteSize.format(0)).isEqualTo("0 B");
    assertThat(ByteSize.format(1023)).isEqualTo("1023 B");
    assertThat(ByteSize.format(1024)).isEqualTo("1.00 KiB");
    assertThat(ByteSize.format(1536 << 10)).isEqualTo("1.50 MiB");
    assertThat(ByteSize.format(10 << 20)).isEqualTo("10.0 MiB");
    assertThat(ByteSize.format(100L << 30)).isEqualTo("100 GiB");
    assertThat(ByteSize.format(1L << 40)).isEqualTo("1.00 TiB");
    assertThat(ByteSize.format(5000L << 40)).isEqualTo("5000 TiB");
  }
}
