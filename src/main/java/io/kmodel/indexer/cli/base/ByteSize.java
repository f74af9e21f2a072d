package io.kmodel.indexer.cli.base;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Sizes as people write them: {@code 800m}, {@code 4g}, {@code 4GiB}, {@code 1048576}. */
public final class ByteSize implements ITypeConverter<Long> {
  private static final Pattern SIZE = Pattern.compile("(\\d+)\\s*([kmgt]?)(i?b)?");

  @Override
  public Long convert(String value) {
    return parse(value);
  }

  public static long parse(String value) {
    Matcher size = SIZE.matcher(value.strip().toLowerCase(Locale.ROOT));
    if (!size.matches()) {
      throw new TypeConversionException(
          "'" + value + "' is not a size; write it like 800m, 4g or 4294967296");
    }
    int shift =
        switch (size.group(2)) {
          case "k" -> 10;
          case "m" -> 20;
          case "g" -> 30;
          case "t" -> 40;
          default -> 0;
        };
    try {
      return Math.multiplyExact(Long.parseLong(size.group(1)), 1L << shift);
    } catch (ArithmeticException | NumberFormatException e) {
      throw new TypeConversionException("'" + value + "' is too large");
    }
  }

  /** Formats a size for people: three digits and a binary unit. */
  public static String format(long bytes) {
    String[] units = {"B", "KiB", "MiB", "GiB", "TiB"};
    double size = bytes;
    int unit = 0;
    while (size >= 1024 && unit < units.length - 1) {
      size /= 1024;
      unit++;
    }
    return unit == 0
        ? bytes + " B"
        : String.format(
            Locale.ROOT,
            size < 10 ? "%.2f %s" : size < 100 ? "%.1f %s" : "%.0f %s",
            size,
            units[unit]);
  }
}
