package io.kmodel.indexer.source.parquet;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.Tier;
import io.kmodel.indexer.source.DocumentReader;
import io.kmodel.indexer.source.MetadataRequest;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.SourceReading;
import io.kmodel.indexer.source.crawl.Crawl;
import io.kmodel.indexer.source.record.RecordedSkips.Skip;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.zip.GZIPOutputStream;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.schema.Type;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Damage costs rows that are counted, and never ends in a message of a library. */
class DamagedParquetTest {
  private static final int ROWS = 60;

  private static final SourceOptions OPTIONS =
      SourceOptions.DEFAULT.withMetadata(new MetadataRequest(true, true, ImmutableList.of()));

  @TempDir Path root;
  private Path file = Path.of("");

  @BeforeEach
  void nameFile() {
    file = root.resolve("a.parquet");
  }

  private byte[] write(ParquetFiles format) throws IOException {
    List<Consumer<Group>> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      int row = i;
      rows.add(
          group -> {
            for (Type field : group.getType().getFields()) {
              String name = field.getName();
              if (name.equals("timestamp")) {
                group.append(name, 1_000_000L * row);
              } else if (name.equals("lang")) {
                group.append(name, 0.5 * row).append(name, 1.5);
              } else if (name.equals("headings")) {
                group.append(name, "part 1 of " + row).append(name, "part 2");
              } else {
                group.append(name, value(name, row));
              }
            }
          });
    }
    format.write(file, rows);
    return Files.readAllBytes(file);
  }

  private static String value(String column, int row) {
    return switch (column) {
      case "id" -> "d" + row;
      // Begins like no neighbour, so that no encoding shares its start.
      case "text" -> "%c%d of %d".formatted('a' + row % 26, row, ROWS);
      default -> "%s %d".formatted(column, row % 3);
    };
  }

  private SourceReading read(byte[] bytes) throws Exception {
    Files.write(file, bytes);
    return SourceReading.of(file);
  }

  /**
   * Pages have checksums. A footer has none: the flips that change documents silently are those in
   * the schema that make a column required, or its annotation one that is not text.
   */
  @ParameterizedTest
  @EnumSource(names = {"UNCOMPRESSED", "SNAPPY", "ZSTD", "GZIP"})
  void everyFlippedBitIsReportedOrHarmless(CompressionCodecName codec) throws Exception {
    byte[] whole = write(ParquetFiles.of(ParquetFiles.USUAL).with(codec).with(25, 10));
    SourceReading intact = read(whole);
    assertThat(intact.docs).hasSize(ROWS);
    int schema = new String(whole, ISO_8859_1).lastIndexOf("row");
    int schemaEnd = schema + "row".length() + 4 * 20;
    int silent = 0;
    for (int bit : Tier.bits(0, whole.length, 3).toArray()) {
      byte[] damaged = whole.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      SourceReading reading = read(damaged);
      for (Skip skip : reading.skips.all()) {
        assertThat(skip.detail())
            .as("bit %d", bit)
            .containsPattern("row group \\d+: column '|Parquet file|row group \\d+: more rows")
            .doesNotContain("null", "xception");
      }
      if (reading.skips.all().isEmpty() && !reading.docs.equals(intact.docs)) {
        assertThat(bit / 8).as("bit %d", bit % 8).isBetween(schema, schemaEnd);
        assertThat(reading.docs).hasSize(ROWS);
        silent++;
      }
    }
    assertThat(silent).isLessThanOrEqualTo(5);
  }

  @ParameterizedTest
  @CsvSource({
    "UNCOMPRESSED, PARQUET_1_0, true",
    "UNCOMPRESSED, PARQUET_2_0, false",
    "SNAPPY, PARQUET_2_0, true",
    "SNAPPY, PARQUET_2_0, false",
    "ZSTD, PARQUET_1_0, false"
  })
  void otherBytesWithoutChecksumsEndInNoOtherException(
      CompressionCodecName codec, WriterVersion version, boolean dictionary) throws Exception {
    String schema =
        ParquetFiles.USUAL
            + "required int64 timestamp (TIMESTAMP(MILLIS,true)); repeated double lang;"
            + "repeated binary headings (STRING);";
    byte[] whole =
        write(
            ParquetFiles.of(schema)
                .with(codec)
                .with(version, dictionary)
                .with(25, 10)
                .withoutChecksums());
    Random random = new Random(8);
    int reported = 0;
    for (int round = 0; round < Tier.pick(300, 20_000); round++) {
      byte[] damaged = whole.clone();
      for (int i = random.nextInt(4); i >= 0; i--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
      }
      Files.write(file, damaged);
      SourceReading reading = SourceReading.of(file, OPTIONS);
      reported += reading.skips.all().isEmpty() ? 0 : 1;
      assertThat(reading.docs.size()).isLessThanOrEqualTo(ROWS);
      for (Skip skip : reading.skips.all()) {
        assertThat(skip.detail())
            .containsPattern("row group \\d+[:,]|Parquet file")
            .doesNotContain("null", "xception", "java", "hardwood");
      }
    }
    assertThat(reported).isGreaterThan(100);
  }

  @ParameterizedTest
  @EnumSource(WriterVersion.class)
  void rowsBeforeDamageAreKeptAndThoseAfterItInTheRowGroupCounted(WriterVersion version)
      throws Exception {
    byte[] whole =
        write(
            ParquetFiles.of(ParquetFiles.USUAL)
                .with(CompressionCodecName.UNCOMPRESSED)
                .with(version, false)
                .with(25, 10));
    String latin = new String(whole, ISO_8859_1);
    // Row 37 is the third one of a page: 10 rows of its row group come before the page.
    whole[latin.indexOf("37 of 60")] ^= 1;
    SourceReading reading = read(whole);
    assertThat(reading.ids()).hasSize(45).contains("d34", "d50").doesNotContain("d35", "d49");
    Skip skip = reading.skips.only();
    assertThat(reading.skips.documents()).isEqualTo(15);
    assertThat(skip.reason()).isEqualTo(SkipReason.DAMAGED_RECORD);
    assertThat(skip.place()).matches(".*a\\.parquet at byte \\d+");
    assertThat(skip.detail())
        .matches(
            "row group 1: column 'text', page at byte \\d+: wrong checksum; 15 rows were skipped");
  }

  @Test
  void damageInColumnsThatAreNotReadCostsNothing() throws Exception {
    ParquetFiles format =
        ParquetFiles.of("required binary id; required binary text; required binary other;")
            .with(CompressionCodecName.UNCOMPRESSED);
    byte[] other = write(format);
    other[new String(other, ISO_8859_1).indexOf("other 1")] ^= 1;
    SourceReading reading = read(other);
    assertThat(reading.docs).hasSize(ROWS);
    assertThat(reading.skips.all()).isEmpty();
  }

  @Test
  void aFileThatWasCutOffHasNoFooterAndSaysSo() throws Exception {
    byte[] whole = write(ParquetFiles.of(ParquetFiles.USUAL).with(25, 10));
    for (int length : Tier.some(lengths(whole.length), 60)) {
      SourceReading reading = read(Arrays.copyOf(whole, length));
      assertThat(reading.docs).isEmpty();
      Skip skip = reading.skips.only();
      assertThat(skip.reason()).isEqualTo(SkipReason.UNREADABLE);
      assertThat(skip.detail()).contains(length < 12 ? "not a Parquet file" : "(truncated?)");
    }
  }

  private static List<Integer> lengths(int all) {
    List<Integer> lengths = new ArrayList<>();
    for (int length = 0; length < all; length++) {
      lengths.add(length);
    }
    return lengths;
  }

  @Test
  void dataWithoutAFooterInTheMiddleOfTheFileIsNoticed() throws Exception {
    byte[] whole = write(ParquetFiles.of(ParquetFiles.USUAL).with(25, 10));
    byte[] shorter = new byte[whole.length - 100];
    System.arraycopy(whole, 0, shorter, 0, 200);
    System.arraycopy(whole, 300, shorter, 200, shorter.length - 200);
    SourceReading reading = read(shorter);
    assertThat(reading.skips.all()).isNotEmpty();
    assertThat(reading.docs.size()).isLessThan(ROWS);
  }

  /** The footer is read from where its length says that it starts. */
  @Test
  void bytesThatAreMissingInTheFooterAreNotCalledData() throws Exception {
    byte[] whole = Files.readAllBytes(Path.of("corpus-samples/formats/birds.parquet"));
    byte[] shorter = new byte[whole.length - 3];
    int middle = whole.length / 2;
    System.arraycopy(whole, 0, shorter, 0, middle);
    System.arraycopy(whole, middle + 3, shorter, middle, shorter.length - middle);
    assertUnreadable(
        shorter, " of 515 bytes after its end, so bytes of the file are missing or altered");
  }

  @Test
  void filesThatCannotBeReadAsParquetSayWhy() throws Exception {
    byte[] whole = write(ParquetFiles.of(ParquetFiles.USUAL));
    byte[] encrypted = whole.clone();
    encrypted[encrypted.length - 1] = 'E';
    assertUnreadable(encrypted, "an encrypted Parquet file");
    assertUnreadable(
        "version https://git-lfs.github.com/spec/v1\noid sha256:00\n".getBytes(ISO_8859_1),
        "not a Parquet file: PAR1 is missing at its start and its end");
    assertUnreadable(new byte[0], "0 bytes are not a Parquet file");
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(whole);
    }
    assertUnreadable(packed.toByteArray(), "a Parquet file in gzip: decompress it");
  }

  private void assertUnreadable(byte[] bytes, String detail) throws Exception {
    SourceReading reading = read(bytes);
    assertThat(reading.docs).isEmpty();
    assertThat(reading.skips.only().reason()).isEqualTo(SkipReason.UNREADABLE);
    assertThat(reading.skips.only().detail()).contains(detail);
  }

  @Test
  @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aFileThatShrinksWhileItIsReadLosesTheRowsBehindItsEnd() throws Exception {
    List<Consumer<Group>> rows = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      String id = "d" + i;
      // So large that nothing of the next page is in memory.
      String text = (i + " ").repeat(100_000);
      rows.add(group -> group.append("id", id).append("text", text));
    }
    ParquetFiles.of(ParquetFiles.USUAL)
        .with(CompressionCodecName.UNCOMPRESSED)
        .with(WriterVersion.PARQUET_1_0, false)
        .with(4, 1)
        .write(file, rows);
    SourceReading reading = new SourceReading();
    Crawl crawl = Crawl.open(List.of(file), List.of(), SourceOptions.DEFAULT, reading.skips);
    try (DocumentReader reader = crawl.splits(1 << 20).getFirst().open(reading.skips);
        FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      assertThat(reader.next()).isNotNull();
      channel.truncate(1000);
      assertThat(reader.next()).isNull();
    }
    assertThat(reading.skips.all())
        .extracting(Skip::detail)
        .satisfiesExactly(
            first ->
                assertThat(first)
                    .matches(
                        "row group 0: column 'text', page at byte \\d+: the file ends before it;"
                            + " 3 rows were skipped"),
            second ->
                assertThat(second)
                    .isEqualTo(
                        "row group 1: column 'id' lies outside of the file; 2 rows were skipped"),
            third -> assertThat(third).startsWith("file has changed: it has 1000 of "));
  }

  @Test
  void aDamagedFirstByteDoesNotHideAFileThatIsNamedLikeParquet() throws Exception {
    byte[] whole = write(ParquetFiles.of(ParquetFiles.USUAL));
    whole[0] = 0;
    assertThat(read(whole).docs).hasSize(ROWS);
  }
}
