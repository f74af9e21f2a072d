package io.kmodel.indexer.search.filter;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The time that a date stands for: a year, month, day, minute, second or millisecond, in UTC unless
 * an offset is given.
 *
 * @param first millisecond since 1970-01-01T00:00Z
 * @param last millisecond
 */
record Period(long first, long last) {
  private static final Pattern DATE =
      Pattern.compile(
          "(\\d{4})(?:-(\\d\\d)(?:-(\\d\\d)(?:T(\\d\\d):(\\d\\d)(?::(\\d\\d)(?:\\.(\\d{3}))?)?"
              + "(Z|[+-]\\d\\d:\\d\\d)?)?)?)?");

  private static final ChronoUnit[] UNITS = {
    ChronoUnit.YEARS,
    ChronoUnit.MONTHS,
    ChronoUnit.DAYS,
    ChronoUnit.HOURS,
    ChronoUnit.MINUTES,
    ChronoUnit.SECONDS,
    ChronoUnit.MILLIS
  };

  /**
   * Parses a date.
   *
   * @throws IllegalArgumentException if it is not a date
   */
  static Period parse(String text) {
    Matcher date = DATE.matcher(text);
    if (date.matches()) {
      try {
        return of(date);
      } catch (DateTimeException e) {
        // There is no such month, day, time or offset.
      }
    }
    throw new IllegalArgumentException(
        "'%s' is not a date; write it like 2021, 2021-03, 2021-03-05 or \"2021-03-05T10:30:00Z\""
            .formatted(text));
  }

  private static Period of(Matcher date) {
    int parts = 1;
    while (parts < UNITS.length && date.group(parts + 1) != null) {
      parts++;
    }
    OffsetDateTime first =
        LocalDateTime.of(
                part(date, 1, 0),
                part(date, 2, 1),
                part(date, 3, 1),
                part(date, 4, 0),
                part(date, 5, 0),
                part(date, 6, 0))
            .plus(part(date, 7, 0), ChronoUnit.MILLIS)
            .atOffset(offset(date.group(8)));
    OffsetDateTime next = first.plus(1, UNITS[parts - 1]);
    return new Period(first.toInstant().toEpochMilli(), next.toInstant().toEpochMilli() - 1);
  }

  private static int part(Matcher date, int group, int absent) {
    String digits = date.group(group);
    return digits == null ? absent : Integer.parseInt(digits);
  }

  private static ZoneOffset offset(@Nullable String text) {
    return text == null ? ZoneOffset.UTC : ZoneOffset.of(text);
  }
}
