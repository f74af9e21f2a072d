package io.kmodel.indexer.search.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PeriodTest {
  @ParameterizedTest
  @CsvSource({
    "2021, 2021-01-01T00:00:00Z, 2021-12-31T23:59:59.999Z",
    "2020-02, 2020-02-01T00:00:00Z, 2020-02-29T23:59:59.999Z",
    "1969-12-31, 1969-12-31T00:00:00Z, 1969-12-31T23:59:59.999Z",
    "2021-03-05T10:30, 2021-03-05T10:30:00Z, 2021-03-05T10:30:59.999Z",
    "2021-03-05T10:30Z, 2021-03-05T10:30:00Z, 2021-03-05T10:30:59.999Z",
    "2021-03-05T10:30:09+02:00, 2021-03-05T08:30:09Z, 2021-03-05T08:30:09.999Z",
    "2021-03-05T10:30:09.120Z, 2021-03-05T10:30:09.120Z, 2021-03-05T10:30:09.120Z",
    "0001, 0001-01-01T00:00:00Z, 0001-12-31T23:59:59.999Z",
    "9999, 9999-01-01T00:00:00Z, 9999-12-31T23:59:59.999Z"
  })
  void aDateStandsForAllOfItsTime(String text, Instant first, Instant last) {
    assertThat(Period.parse(text)).isEqualTo(new Period(first.toEpochMilli(), last.toEpochMilli()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "21",
        "20211",
        "-2021",
        "2021-13",
        "2021-02-29",
        "2021-3-5",
        "2021-03-05T10",
        "2021-03-05T24:00",
        "2021-03-05T10:30:60",
        "2021-03-05T10:30:00.1Z",
        "2021-03-05T10:30+25:00",
        "2021-03-05 10:30",
        "yesterday"
      })
  void anythingElseIsRefused(String text) {
    assertThatThrownBy(() -> Period.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("'%s' is not a date; write it like 2021,", text);
  }
}
