package io.kmodel.indexer.parse.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The forms of dates that have one meaning. */
class DateTextTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2012|2012-01-01T00:00:00Z",
        "2012-05|2012-05-01T00:00:00Z",
        "2012-05-07|2012-05-07T00:00:00Z",
        "2012/5/7|2012-05-07T00:00:00Z",
        " 2012-05-07T10:11 |2012-05-07T10:11:00Z",
        "2012-05-07 10:11:12|2012-05-07T10:11:12Z",
        "2012-05-07T10:11:12Z|2012-05-07T10:11:12Z",
        "2012-05-07t10:11:12.5z|2012-05-07T10:11:12.500Z",
        "2012-05-07T10:11:12.123456789+02:00|2012-05-07T08:11:12.123Z",
        "2012-05-07T10:11:12-0330|2012-05-07T13:41:12Z",
        "2012-05-07T10:11:12+02|2012-05-07T08:11:12Z",
        "2012-05-07 10:11:12 UTC|2012-05-07T10:11:12Z",
        "20120507|2012-05-07T00:00:00Z",
        "20120507101112|2012-05-07T10:11:12Z",
        "20120507T101112Z|2012-05-07T10:11:12Z",
        "Sun, 06 Nov 1994 08:49:37 GMT|1994-11-06T08:49:37Z",
        "6 Nov 1994 08:49:37 +0100|1994-11-06T07:49:37Z",
        "Sunday, 6-November-1994 08:49|1994-11-06T08:49:00Z",
        "15 March 1994|1994-03-15T00:00:00Z",
        "January 1, 1989, Sunday, Home Edition|1989-01-01T00:00:00Z",
        "Sunday, Sept. 3, 1989|1989-09-03T00:00:00Z",
        "may 7 2012|2012-05-07T00:00:00Z",
        "1325376562|2012-01-01T00:09:22Z",
        "1325376562000|2012-01-01T00:09:22Z",
        "199709041523|1997-09-04T15:23:00Z",
        "200102030405|2001-02-03T04:05:00Z",
        "2001020304050|2033-05-29T22:58:24.050Z",
        "189999999999|1976-01-09T01:46:39.999Z",
      })
  void aDateIsRead(String text, String instant) {
    assertThat(DateText.parse(text)).isEqualTo(Instant.parse(instant).toEpochMilli());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "yesterday",
        "03/04/2012",
        "03.04.2012",
        "12-05-07",
        "2012-13-01",
        "2012-02-30",
        "2012-05/07",
        "2012-05-07T25:00",
        "20121301",
        "6 Nov 1994 08:49:37 CET",
        "6 Mon 1994",
        "Nov 31, 1994",
        "201205",
        "12345",
        "199713041523",
        "99999999999999",
        "2012-05-07T10:11:12+99:00",
      })
  void anythingElseIsNotADate(String text) {
    assertThat(DateText.parse(text)).isNull();
  }

  /** A hostile text costs no more than its length. */
  @Test
  void aLongTextIsNotADate() {
    assertThat(DateText.parse("1 ".repeat(1 << 20))).isNull();
    assertThat(DateText.parse("November".repeat(10) + " ".repeat(100) + "1")).isNull();
  }
}
