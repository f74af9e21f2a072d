package io.kmodel.indexer.source.parquet;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.source.DecoderGuard.Memory;
import io.kmodel.indexer.source.Docno;
import io.kmodel.indexer.source.Format;
import io.kmodel.indexer.source.HeapGuard;
import io.kmodel.indexer.source.MetadataRequest;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.SourceReading;
import io.kmodel.indexer.source.crawl.Crawl;
import io.kmodel.indexer.source.record.RecordedSkips.Skip;
import io.kmodel.indexer.source.unpack.CountedDecoders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Pages and rows take no more memory than there is, and no more than a document may. */
class ParquetMemoryTest {
  @TempDir Path root;
  private Path file = Path.of("");

  @BeforeEach
  void nameFile() {
    file = root.resolve("a.parquet");
  }

  @Test
  void pagesTakeNoMoreMemoryThanThereIsAndGiveItBack() throws Exception {
    List<Consumer<Group>> rows = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      String text = (i + " ").repeat(i == 20 ? 500_000 : 1000);
      String id = "d" + i;
      rows.add(group -> group.append("id", id).append("text", text));
    }
    ParquetFiles.of(ParquetFiles.USUAL)
        .with(CompressionCodecName.ZSTD)
        .with(10, 2)
        .with(WriterVersion.PARQUET_1_0, false)
        .write(file, rows);
    CountedDecoders enough = new CountedDecoders(8 << 20, 0);
    SourceReading whole = SourceReading.of(root, HeapGuard.unlimited(enough));
    assertThat(whole.docs).hasSize(40);
    assertThat(enough.most.get(Memory.HEAP)).isBetween(2L << 20, 4L << 20);
    enough.assertAllGivenBack();
    CountedDecoders little = new CountedDecoders(1 << 20, 0);
    SourceReading part = SourceReading.of(root, HeapGuard.unlimited(little));
    assertThat(part.docs).hasSize(30);
    Skip skip = part.skips.only();
    assertThat(skip.reason()).isEqualTo(SkipReason.TOO_LARGE);
    assertThat(skip.detail())
        .matches(
            "row group 2: column 'text' needs \\d MiB to decode, more than the 1 MiB that --memory leaves for it;"
                + " raise --memory or lower --threads; 10 rows were skipped");
    little.assertAllGivenBack();
  }

  @Test
  void columnsShareTheMemoryOfTheirThread() throws Exception {
    String text = "a".repeat(1 << 20);
    ParquetFiles.of(ParquetFiles.USUAL)
        .with(WriterVersion.PARQUET_1_0, false)
        .write(file, List.of(g -> g.append("id", "d").append("title", text).append("text", text)));
    CountedDecoders decoders = new CountedDecoders(3 << 20, 0);
    SourceReading reading = SourceReading.of(root, HeapGuard.unlimited(decoders));
    assertThat(reading.skips.only().detail())
        .startsWith(
            "row group 0: column 'text' needs 3 MiB to decode besides 2 MiB in use, more than the 3"
                + " MiB that --memory leaves for it;");
    decoders.assertAllGivenBack();
  }

  /** A file with a list in each row, of one text or, in the second row, of 20; no page has two. */
  private void writeListOverManyPages() throws IOException {
    List<Consumer<Group>> rows = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      String text = "value %02d ".formatted(i).repeat(20_000);
      rows.add(group -> group.append("text", text));
    }
    ParquetFiles.of("repeated binary text (STRING);")
        .with(CompressionCodecName.UNCOMPRESSED)
        .with(WriterVersion.PARQUET_1_0, false)
        .with(100, 1)
        .withoutChecksums()
        .write(file, rows);
    byte[] whole = Files.readAllBytes(file);
    String latin = new String(whole, ISO_8859_1);
    for (int i = 2; i <= 20; i++) {
      // Before a page's only text are its length and the levels, of two bytes after a length each.
      int level = latin.indexOf("value %02d".formatted(i)) - Integer.BYTES - 2 - Integer.BYTES - 1;
      assertThat(whole[level]).isZero();
      whole[level] = 1;
    }
    Files.write(
        file,
        ParquetFiles.withFooter(
            ParquetFiles.data(whole),
            whole,
            footer -> {
              footer.setNum_rows(11);
              footer.getRow_groups().getFirst().setNum_rows(11);
            }));
  }

  @Test
  void aListOverManyPagesIsLeftOutAloneIfItIsTooLarge() throws Exception {
    writeListOverManyPages();
    SourceOptions byPath = SourceReading.docno(Docno.PATH);
    SourceReading whole = SourceReading.of(file, byPath);
    assertThat(whole.docs).hasSize(11);
    assertThat(whole.texts().get(1)).hasSize(20 * 180_000 + 19).contains("value 01", "value 20");
    assertThat(whole.skips.all()).isEmpty();
    SourceReading limited =
        SourceReading.of(
            file, new SourceOptions(Format.AUTO, Docno.PATH, 1 << 20, byPath.maxExpansion()));
    assertThat(limited.texts()).hasSize(10).doesNotContain(whole.texts().get(1));
    assertThat(limited.skips.only().reason()).isEqualTo(SkipReason.TOO_LARGE);
    assertThat(limited.skips.only().detail())
        .isEqualTo("row group 0, row 1: column 'text' has more than the limit of 1048576 bytes");
    CountedDecoders little = new CountedDecoders(2 << 20, 0);
    SourceReading part = new SourceReading(HeapGuard.unlimited(little));
    part.read(Crawl.open(List.of(file), List.of(), byPath, part.skips).splits(1 << 30).getFirst());
    assertThat(part.texts()).isEqualTo(limited.texts());
    assertThat(part.skips.only().reason()).isEqualTo(SkipReason.TOO_LARGE);
    assertThat(part.skips.only().detail())
        .startsWith("row group 0, row 1: column 'text' needs 3 MiB to decode, more than the 2 MiB");
    little.assertAllGivenBack();
  }

  /** In version 2, a value is what it shares with the one before it, and the rest. */
  @ParameterizedTest
  @EnumSource(names = {"UNCOMPRESSED", "SNAPPY"})
  void valuesThatShareTheirStartsTakeTheMemoryOfAll(CompressionCodecName codec) throws Exception {
    String start = "start ".repeat(20_000);
    List<Consumer<Group>> rows = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      String id = "d" + i;
      rows.add(group -> group.append("id", id).append("text", start + id));
    }
    ParquetFiles.of(ParquetFiles.USUAL)
        .with(codec)
        .with(WriterVersion.PARQUET_2_0, false)
        .write(file, rows);
    assertThat(Files.size(file)).isLessThan(200_000);
    CountedDecoders enough = new CountedDecoders(8 << 20, 0);
    SourceReading whole = SourceReading.of(root, HeapGuard.unlimited(enough));
    assertThat(whole.docs).hasSize(30);
    assertThat(whole.texts().getLast()).isEqualTo(start + "d29");
    assertThat(enough.most.get(Memory.HEAP)).isBetween(30L * start.length(), 5L << 20);
    enough.assertAllGivenBack();
    CountedDecoders little = new CountedDecoders(2 << 20, 0);
    SourceReading none = SourceReading.of(root, HeapGuard.unlimited(little));
    assertThat(none.docs).isEmpty();
    assertThat(none.skips.only().reason()).isEqualTo(SkipReason.TOO_LARGE);
    assertThat(none.skips.only().detail()).contains("needs 4 MiB to decode, more than the 2 MiB");
    little.assertAllGivenBack();
  }

  @Test
  void aPageThatUnpacksToTooMuchIsNotUnpacked() throws Exception {
    String text = "a".repeat(70 << 20);
    ParquetFiles.of(ParquetFiles.USUAL)
        .with(CompressionCodecName.ZSTD)
        .with(WriterVersion.PARQUET_1_0, false)
        .write(file, List.of(group -> group.append("id", "d").append("text", text)));
    SourceReading reading = SourceReading.of(root);
    assertThat(reading.docs).isEmpty();
    assertThat(reading.skips.only().reason()).isEqualTo(SkipReason.EXPANDS);
    assertThat(reading.skips.only().detail()).contains("see --max-expansion; 1 row was skipped");
  }

  @Test
  void allValuesThatAreReadCountForTheLimitOfADocument() throws Exception {
    String large = "large ".repeat(200);
    ParquetFiles.of(ParquetFiles.USUAL + "optional binary lang; optional binary other;")
        .write(
            file,
            List.of(
                row -> row.append("id", "a").append("text", "one").append("other", large),
                row -> row.append("id", "b").append("title", large).append("text", "two"),
                row -> row.append("id", "c").append("text", "three").append("lang", large),
                row -> row.append("id", "d").append("text", "four").append("title", "small")));
    SourceOptions options =
        new SourceOptions(Format.AUTO, Docno.TREC_ID, 1000, 200)
            .withMetadata(new MetadataRequest(true, true, ImmutableList.of()));
    SourceReading reading = SourceReading.of(file, options);
    assertThat(reading.ids()).containsExactly("a", "d");
    assertThat(reading.reasons()).containsExactly(SkipReason.TOO_LARGE, SkipReason.TOO_LARGE);
    assertThat(reading.skips.all().getFirst().detail())
        .isEqualTo("row group 0, row 1: column 'title' has more than the limit of 1000 bytes");
    SourceReading both =
        SourceReading.of(file, new SourceOptions(Format.AUTO, Docno.TREC_ID, 1200, 200));
    assertThat(both.ids()).containsExactly("a", "c", "d");
    assertThat(both.skips.only().detail())
        .isEqualTo("row group 0, row 1: 1207 bytes, the limit is 1200");
  }
}
