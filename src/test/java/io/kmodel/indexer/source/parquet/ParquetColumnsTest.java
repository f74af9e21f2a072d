package io.kmodel.indexer.source.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.kmodel.indexer.source.Docno;
import io.kmodel.indexer.source.DocumentReader;
import io.kmodel.indexer.source.Format;
import io.kmodel.indexer.source.JsonMembers;
import io.kmodel.indexer.source.Location;
import io.kmodel.indexer.source.MetadataRequest;
import io.kmodel.indexer.source.SkipListener;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.SourceReading;
import io.kmodel.indexer.source.crawl.Crawl;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.parquet.io.api.Binary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Columns are read if they are text, and named to the user if they are missing or not read. */
class ParquetColumnsTest {
  @TempDir Path root;

  /** Options that name the columns of a document's parts. */
  private static SourceOptions naming(String... members) {
    SourceOptions usual = SourceOptions.DEFAULT;
    return new SourceOptions(
            Format.PARQUET,
            Docno.TREC_ID,
            JsonMembers.parse(List.of(members)),
            usual.maxDocumentBytes(),
            usual.maxExpansion(),
            usual.maxNesting())
        .withMetadata(new MetadataRequest(true, true, ImmutableList.of()));
  }

  @Test
  void aFileWithoutAColumnForTheTextNamesItsColumns() throws Exception {
    Path file = root.resolve("a.parquet");
    ParquetFiles.of(
            "required binary id (STRING); required int64 n; optional int32 day (DATE);"
                + " optional group text { optional binary a; repeated double b; }"
                + " optional group list (LIST) { repeated group list { optional binary element (STRING); } }"
                + " optional group map (MAP) { repeated group key_value { required binary key (STRING);"
                + " optional int32 value; } }")
        .write(file, List.of(row -> row.append("id", "1").append("n", 1L)));
    assertUnreadable(
        SourceReading.of(file),
        "a Parquet file that cannot be used: it has no column for the contents, expected one of"
            + " [contents, text, body, passage, segment, Clean-Text]; name others with --format"
            + " parquet --json-members. Its columns: id string, n int64, day date, text group<a"
            + " binary, b list<double>>, list list<string>, map map");
    assertUnreadable(
        SourceReading.of(file, naming("contents=map")), "its column 'map' is not text");
    assertUnreadable(
        SourceReading.of(file, naming("contents=n", "id=list")), "its column 'list' is a list");
    SourceReading numbers = SourceReading.of(file, naming("contents=n"));
    assertThat(numbers.texts()).containsExactly("1");
  }

  @Test
  void aMistypedColumnBesidesOthersIsNotedOnceForTheFile() throws Exception {
    Path file =
        ParquetFiles.of("required binary id; required binary body;")
            .with(2, 1)
            .writeStrings(root.resolve("a.parquet"), 5);
    SourceReading reading = SourceReading.of(file, naming("contents=bdoy,body"));
    assertThat(reading.texts()).hasSize(5).startsWith("body 0");
    assertThat(reading.skips.only().reason()).isEqualTo(SkipReason.MISSING_COLUMN);
    assertThat(reading.skips.only().detail())
        .isEqualTo(
            "no column 'bdoy', as --json-members names it. Its columns: id binary, body binary");
  }

  @Test
  void aFileWithoutAnIdSaysHowToDoWithout() throws Exception {
    Path file =
        ParquetFiles.of("required binary text (STRING);")
            .writeStrings(root.resolve("a.parquet"), 2);
    assertUnreadable(SourceReading.of(file), ", or choose --docno path or uri. Its columns: text");
    assertThat(SourceReading.of(file, SourceReading.docno(Docno.PATH)).docs).hasSize(2);
    Path other =
        ParquetFiles.of("required binary url; required binary text;")
            .writeStrings(root.resolve("b.parquet"), 2);
    assertThat(SourceReading.of(other, SourceReading.docno(Docno.URI)).ids())
        .containsExactly("url 0", "url 1");
  }

  private static void assertUnreadable(SourceReading reading, String detail) {
    assertThat(reading.docs).isEmpty();
    assertThat(reading.skips.only().reason()).isEqualTo(SkipReason.UNREADABLE);
    assertThat(reading.skips.only().detail()).contains(detail);
  }

  @Test
  void textsThatAreNotUtf8AreKeptForTheDecoder() throws Exception {
    Path file = root.resolve("a.parquet");
    byte[] latin = {'c', 'a', 'f', (byte) 0xE9};
    ParquetFiles.of("required binary id; optional binary title; required binary text;")
        .write(
            file,
            List.of(
                row ->
                    row.append("id", Binary.fromConstantByteArray(latin))
                        .append("text", Binary.fromConstantByteArray(latin))));
    SourceReading reading = SourceReading.of(file);
    assertThat(reading.ids()).containsExactly("caf\u00E9");
    assertThat(reading.texts()).containsExactly("caf\uFFFD");
    assertThat(reading.skips.all()).isEmpty();
  }

  @Test
  void columnsThatAreNotReadAreCounted() throws Exception {
    Path file =
        ParquetFiles.of(ParquetFiles.USUAL + "optional binary dump; required binary lang;")
            .with(2, 1)
            .writeStrings(root.resolve("a.parquet"), 5);
    Map<String, Long> unread = new HashMap<>();
    SkipListener listener =
        new SkipListener() {
          @Override
          public void skipped(Location place, SkipReason reason, String detail) {
            throw new AssertionError(detail);
          }

          @Override
          public void unused(Map<String, Long> members) {
            members.forEach((name, count) -> unread.merge(name, count, Long::sum));
          }
        };
    Crawl crawl = Crawl.open(List.of(file), List.of(), SourceOptions.DEFAULT, listener);
    try (DocumentReader reader = crawl.splits(1 << 20).getFirst().open(listener)) {
      while (reader.next() != null) {
        assertThat(reader.format()).isEqualTo("parquet");
      }
    }
    assertThat(unread).isEqualTo(ImmutableSortedMap.of("dump", 5L, "lang", 5L));
  }

  @Test
  void aFileWithoutRowsHasNoDocumentsWhateverItsColumns() throws Exception {
    ParquetFiles.of("required int32 n;").write(root.resolve("a.parquet"), List.of());
    SourceReading reading = SourceReading.of(root);
    assertThat(reading.docs).isEmpty();
    assertThat(reading.skips.all()).isEmpty();
  }
}
