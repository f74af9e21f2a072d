package io.kmodel.indexer.source.parquet;

import dev.hardwood.internal.reader.Page;
import dev.hardwood.metadata.LogicalType;
import dev.hardwood.metadata.LogicalType.DecimalType;
import dev.hardwood.metadata.LogicalType.IntType;
import dev.hardwood.metadata.LogicalType.TimeType;
import dev.hardwood.metadata.LogicalType.TimestampType;
import dev.hardwood.metadata.PhysicalType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleFunction;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The text of a column's values: strings as they are, numbers and truth values as JSON writes them,
 * dates and times in ISO 8601. NaN and infinity are no values, as in JSON.
 */
@FunctionalInterface
interface LeafText {
  /** Days from the start of the Julian calendar to 1970, from which legacy timestamps count. */
  long JULIAN_1970 = 2_440_588;

  /** Decimals with more digits after the point are damage, and would take much memory. */
  int MOST_SCALE = 1 << 12;

  /** The text of a value that is not null, in UTF-8; null if it has none. */
  byte @Nullable [] of(Page page, int index);

  /** The texts of a column; null if its values are not text. */
  static @Nullable LeafText of(PhysicalType type, @Nullable LogicalType meaning) {
    if (meaning instanceof DecimalType decimal
        && (decimal.scale() < 0 || decimal.scale() > MOST_SCALE)) {
      return null;
    }
    return switch (type) {
      case BOOLEAN -> (page, i) -> utf8(Boolean.toString(((Page.BooleanPage) page).get(i)));
      case INT32 -> {
        LongFunction<String> text = number(meaning, true);
        yield (page, i) -> utf8(text.apply(((Page.IntPage) page).get(i)));
      }
      case INT64 -> {
        LongFunction<String> text = number(meaning, false);
        yield (page, i) -> utf8(text.apply(((Page.LongPage) page).get(i)));
      }
      case INT96 -> (page, i) -> utf8(legacyTime(((Page.ByteArrayPage) page).get(i)));
      case FLOAT ->
          (page, i) -> {
            float value = ((Page.FloatPage) page).get(i);
            return finite(value, v -> Float.toString(value));
          };
      case DOUBLE -> (page, i) -> finite(((Page.DoublePage) page).get(i), Double::toString);
      case BYTE_ARRAY -> bytes(meaning);
      case FIXED_LEN_BYTE_ARRAY -> fixed(meaning);
    };
  }

  /** Whether values are strings, of which a list is one text. */
  static boolean isString(PhysicalType type, @Nullable LogicalType meaning) {
    return type == PhysicalType.BYTE_ARRAY && bytes(meaning) == STRING;
  }

  /** Strings, and bytes that are not said to be anything else. */
  LeafText STRING = (page, i) -> ((Page.ByteArrayPage) page).get(i);

  private static @Nullable LeafText bytes(@Nullable LogicalType meaning) {
    return switch (meaning) {
      case null -> STRING;
      case LogicalType.StringType string -> STRING;
      case LogicalType.EnumType name -> STRING;
      case LogicalType.JsonType json -> STRING;
      case DecimalType decimal -> decimal(decimal);
      default -> null;
    };
  }

  private static @Nullable LeafText fixed(@Nullable LogicalType meaning) {
    return switch (meaning) {
      case DecimalType decimal -> decimal(decimal);
      case LogicalType.UuidType uuid ->
          (page, i) -> {
            ByteBuffer bytes = ByteBuffer.wrap(((Page.ByteArrayPage) page).get(i));
            return utf8(new UUID(bytes.getLong(), bytes.getLong()).toString());
          };
      case LogicalType.Float16Type half ->
          (page, i) -> {
            float value = Float.float16ToFloat(littleEndian(page, i).getShort());
            return finite(value, v -> Float.toString(value));
          };
      case null -> null;
      default -> null;
    };
  }

  private static LeafText decimal(DecimalType decimal) {
    return (page, i) ->
        utf8(
            new BigDecimal(new BigInteger(((Page.ByteArrayPage) page).get(i)), decimal.scale())
                .toPlainString());
  }

  private static LongFunction<String> number(@Nullable LogicalType meaning, boolean isInt) {
    return switch (meaning) {
      case IntType whole ->
          whole.isSigned()
              ? Long::toString
              : value -> Long.toUnsignedString(isInt ? value & 0xFFFF_FFFFL : value);
      case DecimalType decimal ->
          value -> BigDecimal.valueOf(value, decimal.scale()).toPlainString();
      case LogicalType.DateType date -> value -> LocalDate.ofEpochDay(value).toString();
      case TimeType time -> value -> time(unit(time.unit()).toNanos(value));
      case TimestampType time -> value -> timestamp(value, time);
      case null -> Long::toString;
      default -> Long::toString;
    };
  }

  /** A time of day; some databases end a day at 24:00, which ISO 8601 allows. */
  private static String time(long nanos) {
    return nanos == TimeUnit.DAYS.toNanos(1)
        ? "24:00:00"
        : DateTimeFormatter.ISO_LOCAL_TIME.format(LocalTime.ofNanoOfDay(nanos));
  }

  private static String timestamp(long value, TimestampType type) {
    long perSecond = unit(type.unit()).convert(1, TimeUnit.SECONDS);
    Instant time =
        Instant.ofEpochSecond(
            Math.floorDiv(value, perSecond),
            unit(type.unit()).toNanos(Math.floorMod(value, perSecond)));
    return type.isAdjustedToUTC()
        ? time.toString()
        : DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(
            LocalDateTime.ofInstant(time, ZoneOffset.UTC));
  }

  private static TimeUnit unit(LogicalType.TimeUnit unit) {
    return switch (unit) {
      case MILLIS -> TimeUnit.MILLISECONDS;
      case MICROS -> TimeUnit.MICROSECONDS;
      case NANOS -> TimeUnit.NANOSECONDS;
    };
  }

  /** The time of Impala, Hive and old Spark: nanoseconds of the day, and the Julian day. */
  private static String legacyTime(byte[] value) {
    ByteBuffer bytes = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);
    long nanos = bytes.getLong();
    long day = Integer.toUnsignedLong(bytes.getInt()) - JULIAN_1970;
    return Instant.ofEpochSecond(TimeUnit.DAYS.toSeconds(day), nanos).toString();
  }

  private static ByteBuffer littleEndian(Page page, int i) {
    return ByteBuffer.wrap(((Page.ByteArrayPage) page).get(i)).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static byte @Nullable [] finite(double value, DoubleFunction<String> text) {
    return Double.isFinite(value) ? utf8(text.apply(value)) : null;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
