package io.kmodel.indexer.cli.option;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Parses numbers of keys: {@code 2^24}, {@code 16m}, {@code 100000}. They range from 1 to 2^36,
 * half a tebibyte of keys.
 */
public final class KeyCount implements ITypeConverter<Long> {
  private static final int MOST = 36;
  private static final Pattern COUNT = Pattern.compile("2\\^(\\d{1,2})|(\\d{1,11})([kmg]?)");

  @Override
  public Long convert(String value) {
    Matcher count = COUNT.matcher(value.strip().toLowerCase(Locale.ROOT));
    if (!count.matches()) {
      throw new TypeConversionException(
          "'" + value + "' is not a number of keys; write it like 2^24, 16m or 100000");
    }
    long keys =
        count.group(1) != null
            ? 1L << Math.min(MOST + 1, Integer.parseInt(count.group(1)))
            : shifted(Long.parseLong(count.group(2)), shift(count.group(3)));
    if (keys < 1 || keys > 1L << MOST) {
      throw new TypeConversionException("'" + value + "' is not a number from 1 to 2^" + MOST);
    }
    return keys;
  }

  private static long shifted(long number, int bits) {
    return number > (1L << MOST) >> bits ? Long.MAX_VALUE : number << bits;
  }

  private static int shift(String unit) {
    return switch (unit) {
      case "k" -> 10;
      case "m" -> 20;
      case "g" -> 30;
      default -> 0;
    };
  }
}
