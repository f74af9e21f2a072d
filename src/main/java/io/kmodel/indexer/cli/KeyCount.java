package io.kmodel.indexer.cli;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Numbers of keys as people write them: {@code 2^24}, {@code 16m}, {@code 100000}. */
final class KeyCount implements ITypeConverter<Long> {
  private static final Pattern COUNT = Pattern.compile("2\\^(\\d{1,2})|(\\d{1,12})([kmg]?)");

  @Override
  public Long convert(String value) {
    Matcher count = COUNT.matcher(value.strip().toLowerCase(Locale.ROOT));
    if (!count.matches()) {
      throw new TypeConversionException(
          "'" + value + "' is not a number of keys; write it like 2^24, 16m or 100000");
    }
    if (count.group(1) != null) {
      return 1L << Math.min(62, Integer.parseInt(count.group(1)));
    }
    int shift =
        switch (count.group(3)) {
          case "k" -> 10;
          case "m" -> 20;
          case "g" -> 30;
          default -> 0;
        };
    try {
      return Math.multiplyExact(Long.parseLong(count.group(2)), 1L << shift);
    } catch (ArithmeticException e) {
      throw new TypeConversionException("'" + value + "' is too large a number of keys");
    }
  }
}
