package io.kmodel.indexer.source.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.source.DocumentReader;
import io.kmodel.indexer.source.MetadataRequest;
import io.kmodel.indexer.source.RawDocument;
import io.kmodel.indexer.source.SkipListener;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.SourceReading;
import io.kmodel.indexer.source.crawl.Crawl;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.io.api.Binary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The text of values of each type. */
class LeafTextTest {
  @TempDir Path root;

  private static Arguments value(String type, Consumer<Group> set, String text) {
    return Arguments.of(type, set, text);
  }

  private static Consumer<Group> set(int value) {
    return row -> row.append("v", value);
  }

  private static Consumer<Group> set(long value) {
    return row -> row.append("v", value);
  }

  private static Consumer<Group> set(double value) {
    return row -> row.append("v", value);
  }

  private static Consumer<Group> set(float value) {
    return row -> row.append("v", value);
  }

  private static Consumer<Group> set(byte[] value) {
    return row -> row.append("v", Binary.fromConstantByteArray(value));
  }

  static Stream<Arguments> values() {
    byte[] legacy =
        ByteBuffer.allocate(12)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(3_723_000_000_000L)
            .putInt(2_440_589)
            .array();
    byte[] uuid = ByteBuffer.allocate(16).putLong(0x0123456789abcdefL).putLong(-1).array();
    return Stream.of(
        value("binary v (STRING)", set(new byte[] {'a', (byte) 0xC3, (byte) 0xA9}), "a\u00E9"),
        value("binary v (ENUM)", set(new byte[] {'E'}), "E"),
        value("binary v (JSON)", set(new byte[] {'{', '}'}), "{}"),
        value("binary v", set(new byte[] {'b'}), "b"),
        value("boolean v", row -> row.append("v", true), "true"),
        value("int32 v", set(-5), "-5"),
        value("int32 v (INTEGER(32,false))", set(-1), "4294967295"),
        value("int32 v (INTEGER(8,true))", set(-1), "-1"),
        value("int32 v (DATE)", set(19_000), "2022-01-08"),
        value("int32 v (DATE)", set(-1), "1969-12-31"),
        value("int32 v (DECIMAL(9,2))", set(-12_345), "-123.45"),
        value("int32 v (TIME(MILLIS,true))", set(3_723_004), "01:02:03.004"),
        value("int32 v (TIME(MILLIS,false))", set(86_400_000), "24:00:00"),
        value("int64 v", set(Long.MIN_VALUE), "-9223372036854775808"),
        value("int64 v (INTEGER(64,false))", set(-1L), "18446744073709551615"),
        value("int64 v (DECIMAL(18,0))", set(10L), "10"),
        value(
            "int64 v (TIMESTAMP(MILLIS,true))",
            set(1_700_000_000_123L),
            "2023-11-14T22:13:20.123Z"),
        value("int64 v (TIMESTAMP(MICROS,true))", set(-1L), "1969-12-31T23:59:59.999999Z"),
        value("int64 v (TIMESTAMP(NANOS,false))", set(60_000_000_000L), "1970-01-01T00:01:00"),
        value("int64 v (TIME(MICROS,true))", set(1L), "00:00:00.000001"),
        value("int96 v", set(legacy), "1970-01-02T01:02:03Z"),
        value("float v", set(0.1f), "0.1"),
        value("double v", set(1e10), "1.0E10"),
        value("double v", set(Double.NaN), ""),
        value("float v", set(Float.POSITIVE_INFINITY), ""),
        value(
            "binary v (DECIMAL(20,3))",
            set(new BigInteger("-12345678901234567890").toByteArray()),
            "-12345678901234567.890"),
        value("fixed_len_byte_array(2) v (DECIMAL(4,1))", set(new byte[] {1, 2}), "25.8"),
        value(
            "fixed_len_byte_array(16) v (UUID)", set(uuid), "01234567-89ab-cdef-ffff-ffffffffffff"),
        value("fixed_len_byte_array(2) v (FLOAT16)", set(new byte[] {0, 0x3E}), "1.5"));
  }

  @ParameterizedTest
  @MethodSource("values")
  void valuesAreWrittenAsInJson(String type, Consumer<Group> set, String text) throws Exception {
    Path file = root.resolve("a.parquet");
    ParquetFiles.of("required binary id; required binary text; optional " + type + ";")
        .write(
            file,
            List.of(
                row -> {
                  row.append("id", "1").append("text", "");
                  set.accept(row);
                },
                row -> row.append("id", "2").append("text", "")));
    assertThat(values(file)).containsExactly(text, "");
  }

  private static List<String> values(Path file) throws Exception {
    MetadataRequest request = new MetadataRequest(false, false, ImmutableList.of("v"));
    List<String> values = new ArrayList<>();
    Crawl crawl =
        Crawl.open(
            List.of(file),
            List.of(),
            SourceOptions.DEFAULT.withMetadata(request),
            SkipListener.NONE);
    try (DocumentReader reader = crawl.splits(1 << 20).getFirst().open(SkipListener.NONE)) {
      for (RawDocument d = reader.next(); d != null; d = reader.next()) {
        values.add(d.metadata().named(0));
      }
    }
    return values;
  }

  @Test
  void aValueBeyondItsTypeCostsItsRowAlone() throws Exception {
    Path file = root.resolve("a.parquet");
    ParquetFiles.of("required int64 id (TIME(MICROS,true)); required binary text;")
        .write(
            file,
            List.of(
                row -> row.append("id", 1L).append("text", ""),
                row -> row.append("id", Long.MAX_VALUE).append("text", ""),
                row -> row.append("id", 2L).append("text", "")));
    SourceReading reading = SourceReading.of(file);
    assertThat(reading.ids()).containsExactly("00:00:00.000001", "00:00:00.000002");
    assertThat(reading.skips.only().reason()).isEqualTo(SkipReason.DAMAGED_RECORD);
    assertThat(reading.skips.only().detail())
        .isEqualTo("row group 0, row 1: column 'id' has a value that its type does not allow");
  }
}
