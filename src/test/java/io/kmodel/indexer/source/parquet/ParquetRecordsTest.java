package io.kmodel.indexer.source.parquet;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.source.Docno;
import io.kmodel.indexer.source.DocumentReader;
import io.kmodel.indexer.source.Format;
import io.kmodel.indexer.source.JsonMembers;
import io.kmodel.indexer.source.Location;
import io.kmodel.indexer.source.MetadataRequest;
import io.kmodel.indexer.source.RawDocument;
import io.kmodel.indexer.source.SkipListener;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.SourceReading;
import io.kmodel.indexer.source.Split;
import io.kmodel.indexer.source.crawl.Crawl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows of Parquet files are the documents that JSON lines with the same members are. */
class ParquetRecordsTest {
  private static final String NESTED =
      ParquetFiles.USUAL
          + "optional group headings (LIST) { repeated group list {"
          + "   optional binary element (STRING); } }"
          + "required group meta { optional int64 year; optional binary author (STRING);"
          + "   repeated group part { optional binary body (STRING); required boolean good; } }";

  @TempDir Path root;
  private final Random random = new Random(11);

  /** What a document says, without where it was found. */
  private record Said(
      String id, String text, String title, String headings, String url, List<String> metadata) {}

  private static SourceOptions options(Docno docno, JsonMembers members, String... names) {
    SourceOptions usual = SourceOptions.DEFAULT;
    return new SourceOptions(
            members.isUsual() ? Format.AUTO : Format.PARQUET,
            docno,
            members,
            usual.maxDocumentBytes(),
            usual.maxExpansion(),
            usual.maxNesting())
        .withMetadata(new MetadataRequest(true, true, ImmutableList.copyOf(names)));
  }

  private static SourceOptions of(SourceOptions options, Format format) {
    return new SourceOptions(
            format,
            options.docno(),
            options.json(),
            options.maxDocumentBytes(),
            options.maxExpansion(),
            options.maxNesting())
        .withMetadata(options.metadata());
  }

  private static List<Said> said(Path file, SourceOptions options) throws Exception {
    List<Said> documents = new ArrayList<>();
    SkipListener failing =
        (place, reason, detail) -> {
          throw new AssertionError(place + ": " + detail);
        };
    Crawl crawl = Crawl.open(List.of(file), List.of(), options, failing);
    for (Split split : crawl.splits(Long.MAX_VALUE)) {
      try (DocumentReader reader = split.open(failing)) {
        for (RawDocument d = reader.next(); d != null; d = reader.next()) {
          documents.add(
              new Said(
                  d.id(),
                  new String(d.bytes(), 0, d.length(), UTF_8),
                  d.title(),
                  d.headings(),
                  d.url(),
                  values(d)));
        }
      }
    }
    return documents;
  }

  private static List<String> values(RawDocument document) {
    List<String> values = new ArrayList<>(document.metadata().named());
    values.add(document.metadata().date());
    values.add(document.metadata().language());
    return values;
  }

  /** Words, among them such as JSON escapes and such as take several bytes; perhaps none. */
  private String text(int most) {
    StringBuilder text = new StringBuilder();
    for (int word = random.nextInt(most + 1); word > 0; word--) {
      text.append(random.nextInt(50) == 0 ? "\"stra\u00DFe\"\n" : "w" + random.nextInt(900))
          .append(random.nextInt(90) == 0 ? " \uD83D\uDC26 " : " ");
    }
    return text.toString();
  }

  /** Rows for {@link #NESTED}, and the same as lines of JSON. */
  private final class Rows {
    final List<Consumer<Group>> rows = new ArrayList<>();
    final StringBuilder lines = new StringBuilder();

    Rows(int count) {
      for (int i = 0; i < count; i++) {
        Map<String, String> strings = new HashMap<>();
        strings.put("id", "d" + i);
        strings.put("url", i % 3 == 0 ? null : "http://h/" + i % 50);
        strings.put("title", i % 7 == 0 ? null : text(5));
        strings.put("text", i % 9 == 0 ? null : text(i % 100 == 1 ? 2000 : 30));
        List<String> headings = new ArrayList<>();
        for (int k = random.nextInt(4); k > 0; k--) {
          headings.add(random.nextInt(4) == 0 ? null : text(3));
        }
        @Nullable Long year = i % 4 == 0 ? null : 1900L + random.nextInt(120);
        List<String> parts = new ArrayList<>();
        for (int k = random.nextInt(3); k > 0; k--) {
          parts.add(random.nextInt(3) == 0 ? null : text(4));
        }
        rows.add(group -> fill(group, strings, headings, year, parts));
        line(strings, headings, year, parts);
      }
    }

    private static void fill(
        Group group,
        Map<String, String> strings,
        List<String> headings,
        @Nullable Long year,
        List<String> parts) {
      strings.forEach((name, value) -> add(group, name, value));
      Group list = group.addGroup("headings");
      headings.forEach(heading -> add(list.addGroup("list"), "element", heading));
      Group meta = group.addGroup("meta");
      if (year != null) {
        meta.append("year", (long) year);
        meta.append("author", "author of " + year);
      }
      for (String part : parts) {
        Group inner = meta.addGroup("part");
        add(inner, "body", part);
        inner.append("good", part != null);
      }
    }

    private static void add(Group group, String name, @Nullable String value) {
      if (value != null) {
        group.append(name, value);
      }
    }

    private void line(
        Map<String, String> strings,
        List<String> headings,
        @Nullable Long year,
        List<String> parts) {
      lines.append('{');
      strings.forEach((name, value) -> lines.append("\"%s\": %s, ".formatted(name, quoted(value))));
      lines.append("\"headings\": ").append(headings.stream().map(Rows::quoted).toList());
      lines.append(", \"meta\": {\"year\": ").append(year);
      lines.append(", \"author\": ").append(quoted(year == null ? null : "author of " + year));
      lines.append(", \"part\": ");
      lines.append(
          parts.stream()
              .map(p -> "{\"body\": %s, \"good\": %s}".formatted(quoted(p), p != null))
              .toList());
      lines.append("}}\n");
    }

    private static String quoted(@Nullable String value) {
      return value == null
          ? "null"
          : "\"" + value.replace("\"", "\\\"").replace("\n", "\\n") + "\"";
    }
  }

  @ParameterizedTest
  @CsvSource({
    "UNCOMPRESSED, PARQUET_1_0, true, 1000, 7",
    "SNAPPY, PARQUET_1_0, true, 100, 20000",
    "SNAPPY, PARQUET_2_0, false, 333, 50",
    "ZSTD, PARQUET_2_0, true, 200, 20",
    "ZSTD, PARQUET_1_0, false, 1, 1",
    "GZIP, PARQUET_1_0, false, 250, 10",
    "GZIP, PARQUET_2_0, true, 999, 998"
  })
  void rowsAreTheDocumentsOfTheSameJson(
      CompressionCodecName codec, WriterVersion version, boolean dictionary, int group, int page)
      throws Exception {
    Rows rows = new Rows(1000);
    Path file = root.resolve("a.parquet");
    ParquetFiles.of(NESTED)
        .with(codec)
        .with(version, dictionary)
        .with(group, page)
        .write(file, rows.rows);
    Path lines = Files.writeString(root.resolve("a.jsonl"), rows.lines);
    SourceOptions usual =
        options(Docno.TREC_ID, JsonMembers.USUAL, "meta.year", "meta.part.good", "none");
    List<Said> documents = said(file, usual);
    assertThat(documents).hasSize(1000).isEqualTo(said(lines, of(usual, Format.JSONL)));
    assertThat(documents.get(1).metadata.getFirst()).isNotEmpty();
    SourceOptions named =
        options(
            Docno.TREC_ID,
            JsonMembers.parse(
                List.of(
                    "contents=title,meta.part.body,meta.part.good,headings",
                    "title=meta.author,text",
                    "headings=meta.year,headings",
                    "url=meta.author,url",
                    "id=id,title")),
            "meta.author");
    List<Said> others = said(file, named);
    assertThat(others).isNotEqualTo(documents).isEqualTo(said(lines, of(named, Format.JSONL)));
    assertSameAsReader(file, documents);
  }

  /** Apache's reader agrees on the strings. */
  private static void assertSameAsReader(Path file, List<Said> documents) throws IOException {
    List<Group> rows = ParquetFiles.read(file);
    assertThat(rows).hasSameSizeAs(documents);
    for (int i = 0; i < rows.size(); i++) {
      Said document = documents.get(i);
      assertThat(
              List.of(
                  string(rows.get(i), "id"),
                  string(rows.get(i), "url"),
                  string(rows.get(i), "title"),
                  string(rows.get(i), "text")))
          .containsExactly(document.id, document.url, document.title, document.text);
    }
  }

  private static String string(Group row, String name) {
    return row.getFieldRepetitionCount(name) == 0 ? "" : row.getString(name, 0);
  }

  @Test
  void theSampleHoldsTwoBirds() throws Exception {
    List<Said> birds = said(Path.of("corpus-samples/formats/birds.parquet"), SourceOptions.DEFAULT);
    assertThat(birds).extracting(Said::id).containsExactly("parquet-heron", "parquet-tern");
    assertThat(birds).extracting(Said::title).containsExactly("Heron", "Tern");
    assertThat(birds.getLast().text)
        .isEqualTo("The tern dives; it flies from pole to pole & back.");
  }

  @Test
  void piecesAreRowGroupsAndGiveTheWholeFile() throws Exception {
    List<Consumer<Group>> rows = new ArrayList<>();
    byte[] noise = new byte[9000];
    for (int i = 0; i < 1700; i++) {
      String id = "d" + i;
      random.nextBytes(noise);
      String text = new String(noise, ISO_8859_1);
      rows.add(group -> group.append("id", id).append("text", text));
    }
    Path file = root.resolve("a.parquet");
    ParquetFiles.of(ParquetFiles.USUAL).with(90, 20_000).write(file, rows);
    assertThat(Files.size(file)).isGreaterThan(16 << 20);
    SourceReading whole = SourceReading.of(file);
    assertThat(whole.ids()).hasSize(1700).startsWith("d0", "d1").endsWith("d1699");
    assertThat(whole.docs.getLast().unit() - whole.docs.getFirst().unit()).isPositive();
    for (long bytes : new long[] {1, 5 << 20, 9 << 20}) {
      Crawl crawl = Crawl.open(List.of(file), List.of(), SourceOptions.DEFAULT, whole.skips);
      List<Split> splits = crawl.splits(bytes);
      assertThat(splits).hasSizeGreaterThan(1);
      assertThat(splits.stream().mapToLong(Split::bytes).sum()).isEqualTo(crawl.bytes());
      SourceReading pieces = new SourceReading();
      for (Split split : splits) {
        int before = pieces.docs.size();
        pieces.read(split);
        assertThat(pieces.docs).hasSizeGreaterThan(before);
      }
      assertThat(pieces.missedBorders).isZero();
      assertThat(pieces.docs).isEqualTo(whole.docs);
      assertThat(pieces.places).isEqualTo(whole.places);
    }
    assertThat(whole.skips.all()).isEmpty();
  }

  @Test
  void idsFromPathsNameRowGroupAndRow() throws Exception {
    Path file =
        ParquetFiles.of("required binary body (UTF8);")
            .with(3, 2)
            .writeStrings(root.resolve("a.parquet"), 5);
    SourceReading reading = SourceReading.of(file, SourceReading.docno(Docno.PATH));
    assertThat(reading.ids())
        .containsExactly(
            "a.parquet#0+0", "a.parquet#0+1", "a.parquet#0+2", "a.parquet#1+0", "a.parquet#1+1");
    assertThat(reading.places).extracting(Location::offset).startsWith(4L, 4L, 4L);
    assertThat(reading.docs).extracting(SourceReading.Doc::unit).containsOnly(0L);
  }

  @Test
  void aRowWithoutIdIsReportedWithItsPlace() throws Exception {
    Path file = root.resolve("a.parquet");
    ParquetFiles.of("optional binary docid (STRING); optional binary contents (STRING);")
        .with(2, 1)
        .write(
            file,
            List.of(
                row -> row.append("docid", "a").append("contents", "one"),
                row -> row.append("docid", "b"),
                row -> row.append("contents", "three"),
                row -> row.append("docid", "d").append("contents", "four")));
    SourceReading reading = SourceReading.of(file);
    assertThat(reading.ids()).containsExactly("a", "b", "d");
    assertThat(reading.texts()).containsExactly("one", "", "four");
    assertThat(reading.skips.only().reason()).isEqualTo(SkipReason.DAMAGED_RECORD);
    assertThat(reading.skips.only().detail())
        .isEqualTo(
            "row group 1, row 0: row has no id; expected one of"
                + " [id, _id, pid, docid, doc_id, docno, ClueWeb22-ID]");
  }

  @Test
  void aSummaryOfOtherFilesHasNoRows() throws Exception {
    ParquetFiles.of(ParquetFiles.USUAL).writeStrings(root.resolve("a.parquet"), 5);
    byte[] whole =
        Files.readAllBytes(
            ParquetFiles.of(ParquetFiles.USUAL)
                .with(2, 1)
                .writeStrings(root.resolve("b.parquet"), 5));
    byte[] summary =
        ParquetFiles.withFooter(
            "PAR1".getBytes(UTF_8),
            whole,
            footer -> {
              footer.setNum_rows(2 * footer.getNum_rows());
              for (RowGroup group : List.copyOf(footer.getRow_groups())) {
                group.getColumns().forEach(column -> column.setFile_path("b.parquet"));
                footer.addToRow_groups(group);
              }
            });
    Files.write(root.resolve("_metadata"), summary);
    SourceReading reading = SourceReading.of(root);
    assertThat(reading.docs).hasSize(10);
    assertThat(reading.skips.only().reason()).isEqualTo(SkipReason.METADATA);
    assertThat(reading.skips.only().place()).contains("_metadata");
  }

  /** As pyarrow writes empty tables: their pages of dictionaries have no data behind them. */
  @Test
  void rowGroupsWithoutRowsAreNoDamage() throws Exception {
    Path file =
        ParquetFiles.of(ParquetFiles.USUAL).with(2, 1).writeStrings(root.resolve("a.parquet"), 5);
    byte[] whole = Files.readAllBytes(file);
    byte[] other =
        ParquetFiles.withFooter(
            ParquetFiles.data(whole),
            whole,
            footer -> {
              RowGroup empty = footer.getRow_groups().getFirst().deepCopy();
              empty.setNum_rows(0);
              for (ColumnChunk column : empty.getColumns()) {
                column.getMeta_data().setNum_values(0).setData_page_offset(0);
                column.getMeta_data().setDictionary_page_offset(4);
              }
              footer.getRow_groups().add(1, empty);
            });
    Files.write(file, other);
    SourceReading reading = SourceReading.of(file);
    assertThat(reading.ids()).containsExactly("id 0", "id 1", "id 2", "id 3", "id 4");
    assertThat(reading.skips.all()).isEmpty();
  }
}
