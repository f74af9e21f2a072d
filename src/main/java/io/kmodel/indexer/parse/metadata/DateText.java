package io.kmodel.indexer.parse.metadata;

import com.google.common.collect.ImmutableList;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads dates in forms that have one meaning only:
 *
 * <ul>
 *   <li>ISO 8601, from the year alone to fractions of a second, with hyphens, slashes or nothing
 *       between its parts, and with T, a space or nothing before the time
 *   <li>RFC 1123 and its older relatives: {@code Sun, 06 Nov 1994 08:49:37 GMT}, {@code 6 November
 *       1994}
 *   <li>{@code November 6, 1994}, which may continue after a comma
 *   <li>seconds since 1970 in 9 to 11 digits, and milliseconds in 12 or 13; but 12 digits that
 *       start with 19 or 20 are a date to the minute
 * </ul>
 *
 * <p>A missing part has its first value: a year means its first of January. Times without a zone
 * are UTC. Numbers such as 03/04/2012, and names of zones other than UTC and GMT, are not read.
 */
final class DateText {
  private static final String TIME = "(\\d{2}):(\\d{2})(?::(\\d{2})(?:[.,](\\d{1,9}))?)?";
  private static final String ZONE = "\\s*(z|utc?|gmt|[+-]\\d{2}:?(?:\\d{2})?)?";
  private static final String NAME = "([a-z]{3,9})\\.?";

  private static final Pattern ISO =
      Pattern.compile(
          "(\\d{4})(?:([-/])(\\d{1,2})(?:\\2(\\d{1,2})(?:[t ]\\s*" + TIME + ZONE + ")?)?)?");

  private static final Pattern BASIC =
      Pattern.compile("(\\d{4})(\\d{2})(\\d{2})(?:t?(\\d{2})(\\d{2})(\\d{2})?" + ZONE + ")?");

  private static final Pattern DAY_FIRST =
      Pattern.compile(
          "(?:[a-z]{3,9}\\.?,?\\s+)?(\\d{1,2})[\\s-]+"
              + NAME
              + "[\\s,-]+(\\d{4})(?:[\\s,]+"
              + TIME
              + ZONE
              + ")?");

  private static final Pattern MONTH_FIRST =
      Pattern.compile("(?:[a-z]{3,9}\\.?,?\\s+)??" + NAME + "\\s+(\\d{1,2}),?\\s+(\\d{4})(?:,.*)?");

  private static final Pattern SINCE_1970 =
      Pattern.compile("(\\d{9,11})|(?!(?:19|20)\\d{10}$)(\\d{12,13})");

  private static final ImmutableList<String> MONTHS =
      ImmutableList.of(
          "january",
          "february",
          "march",
          "april",
          "may",
          "june",
          "july",
          "august",
          "september",
          "october",
          "november",
          "december");

  /** Longer texts are not dates. */
  private static final int MOST_CHARS = 200;

  private static final int ABBREVIATION = 3;
  private static final int NANO_DIGITS = 9;

  private DateText() {}

  /** Returns milliseconds since 1970; null if the text is not a date. */
  static @Nullable Long parse(String text) {
    if (text.length() > MOST_CHARS) {
      return null;
    }
    String lower = text.strip().toLowerCase(Locale.ROOT);
    try {
      return parsed(lower);
    } catch (DateTimeException e) {
      return null;
    }
  }

  private static @Nullable Long parsed(String text) {
    Matcher matcher = SINCE_1970.matcher(text);
    if (matcher.matches()) {
      String seconds = matcher.group(1);
      return seconds == null ? Long.parseLong(text) : Long.parseLong(seconds) * 1000;
    }
    matcher = ISO.matcher(text);
    if (matcher.matches()) {
      return millis(matcher, number(matcher, 1), part(matcher, 3), part(matcher, 4), 5);
    }
    matcher = BASIC.matcher(text);
    if (matcher.matches()) {
      LocalDateTime time =
          time(
              number(matcher, 1),
              number(matcher, 2),
              number(matcher, 3),
              number(matcher, 4),
              number(matcher, 5),
              number(matcher, 6));
      return time.toInstant(zone(matcher.group(7))).toEpochMilli();
    }
    matcher = DAY_FIRST.matcher(text);
    if (matcher.matches()) {
      int month = month(matcher.group(2));
      return month == 0 ? null : millis(matcher, number(matcher, 3), month, number(matcher, 1), 4);
    }
    matcher = MONTH_FIRST.matcher(text);
    if (matcher.matches()) {
      int month = month(matcher.group(1));
      LocalDateTime time = time(number(matcher, 3), month, number(matcher, 2), 0, 0, 0);
      return time.toInstant(ZoneOffset.UTC).toEpochMilli();
    }
    return null;
  }

  /**
   * Returns a day with the time that groups of a matcher have.
   *
   * @param hour the group of the hour; minute, second, fraction and zone follow
   */
  private static long millis(Matcher matcher, int year, int month, int day, int hour) {
    LocalDateTime time =
        time(
            year,
            month,
            day,
            number(matcher, hour),
            number(matcher, hour + 1),
            number(matcher, hour + 2));
    String fraction = matcher.group(hour + 3);
    if (fraction != null) {
      time =
          time.withNano(Integer.parseInt(fraction + "0".repeat(NANO_DIGITS - fraction.length())));
    }
    return time.toInstant(zone(matcher.group(hour + 4))).toEpochMilli();
  }

  private static LocalDateTime time(
      int year, int month, int day, int hour, int minute, int second) {
    return LocalDateTime.of(year, month, day, hour, minute, second);
  }

  /** Returns the number of a group; 0 if it is missing. */
  private static int number(Matcher matcher, int group) {
    String digits = matcher.group(group);
    return digits == null ? 0 : Integer.parseInt(digits);
  }

  /** Returns the month or day of a group; 1 if it is missing. */
  private static int part(Matcher matcher, int group) {
    return matcher.group(group) == null ? 1 : number(matcher, group);
  }

  private static ZoneOffset zone(@Nullable String zone) {
    if (zone == null || Character.isLetter(zone.charAt(0))) {
      return ZoneOffset.UTC;
    }
    return ZoneOffset.of(zone.endsWith(":") ? zone.substring(0, zone.length() - 1) : zone);
  }

  /** Returns the number of a month; 0 if no month has the name. */
  private static int month(String name) {
    for (int i = 0; i < MONTHS.size(); i++) {
      String month = MONTHS.get(i);
      if (month.equals(name)
          || (i == 8 && name.equals("sept"))
          || month.substring(0, ABBREVIATION).equals(name)) {
        return i + 1;
      }
    }
    return 0;
  }
}
