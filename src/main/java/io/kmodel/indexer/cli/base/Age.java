package io.kmodel.indexer.cli.base;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Times as people write them: {@code 90m}, {@code 12h}, {@code 2d}. */
public final class Age implements ITypeConverter<Duration> {
  /** Far beyond the age of any file. */
  private static final Duration LONGEST = Duration.ofDays(36_500);

  @Override
  public Duration convert(String value) {
    String text = value.strip().toUpperCase(Locale.ROOT);
    Duration age;
    try {
      // Only days come before the T of ISO 8601.
      age = Duration.parse((text.endsWith("D") ? "P" : "PT") + text);
    } catch (DateTimeParseException | ArithmeticException e) {
      age = Duration.ofSeconds(-1);
    }
    if (age.isNegative() || age.compareTo(LONGEST) > 0) {
      throw new TypeConversionException(
          "'" + value + "' is not an age; write it like 90m, 12h or 2d");
    }
    return age;
  }
}
