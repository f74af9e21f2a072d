package io.kmodel.indexer.index.columns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.Tier;
import io.kmodel.indexer.equality.SampleMetadata;
import io.kmodel.indexer.index.model.Column;
import io.kmodel.indexer.index.model.ColumnStatistics;
import io.kmodel.indexer.index.model.ColumnType;
import io.kmodel.indexer.index.model.ColumnValues;
import io.kmodel.indexer.index.model.IndexFiles;
import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.store.InputFile;
import io.kmodel.indexer.store.OutputFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ColumnsTest {
  private static final Column TEXT = new Column("t", ColumnType.STRING);
  private static final Column NUMBER = new Column("n", ColumnType.INT);

  @TempDir Path directory;

  private static List<ColumnValues> sample(int documents) {
    Random random = new Random(documents);
    List<ColumnValues> all = new ArrayList<>();
    ColumnValues values = new ColumnValues(SampleMetadata.COLUMNS);
    for (int doc = 0; doc < documents; doc++) {
      SampleMetadata.fill(values, doc, random);
      all.add(values.copy());
    }
    return all;
  }

  private Path part(String name, List<ColumnValues> documents) throws IOException {
    Path file = directory.resolve(name);
    try (ColumnPartWriter writer = new ColumnPartWriter(file)) {
      for (ColumnValues values : documents) {
        writer.add(values);
      }
      writer.commit();
    }
    return file;
  }

  private static void assertSame(Columns columns, List<ColumnValues> expected) throws IOException {
    assertThat(columns.documents()).isEqualTo(expected.size());
    for (int i = 0; i < columns.columns().size(); i++) {
      ColumnReader reader = columns.reader(i);
      for (int doc = 0; doc < expected.size(); doc++) {
        ColumnValues values = expected.get(doc);
        assertThat(reader.has(doc)).isEqualTo(values.has(i));
        if (values.has(i) && reader.column().type() == ColumnType.STRING) {
          assertThat(reader.string(doc)).asString().isEqualTo(values.string(i));
        } else if (values.has(i)) {
          assertThat(reader.number(doc)).isEqualTo(values.number(i));
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 4095, 4096, 4097, 9000})
  void valuesAreReadAsTheyWereWrittenHoweverTheyAreCut(int documents) throws IOException {
    List<ColumnValues> all = sample(documents);
    Path one = Files.createDirectory(directory.resolve("one"));
    Path many = Files.createDirectory(directory.resolve("many"));
    int cut = documents / 3;
    List<Path> parts =
        List.of(
            part("a", all.subList(0, cut)),
            part("b", List.of()),
            part("c", all.subList(cut, documents)));
    try (Columns whole = Columns.join(one, List.of(part("all", all)), SampleMetadata.COLUMNS);
        Columns joined = Columns.join(many, parts, SampleMetadata.COLUMNS)) {
      assertSame(whole, all);
      assertSame(joined, all);
      for (Column column : SampleMetadata.COLUMNS) {
        String name = IndexFiles.column(column);
        assertThat(many.resolve(name)).hasSameBinaryContentAs(one.resolve(name));
      }
    }
  }

  @Test
  void copiesInAnotherOrderHaveTheirValues() throws IOException {
    List<ColumnValues> all = sample(5000);
    List<ColumnValues> kept = new ArrayList<>();
    try (Columns from =
        Columns.join(directory, List.of(part("all", all)), SampleMetadata.COLUMNS)) {
      Path target = Files.createDirectory(directory.resolve("target"));
      ImmutableList<ColumnStatistics> statistics;
      try (ColumnsWriter to = new ColumnsWriter(target, SampleMetadata.COLUMNS)) {
        for (int i = 0; i < SampleMetadata.COLUMNS.size(); i++) {
          ColumnReader reader = from.reader(i);
          for (int doc = 4999; doc >= 0; doc -= 3) {
            to.append(i, reader, doc);
          }
        }
        statistics = to.commit();
      }
      for (int doc = 4999; doc >= 0; doc -= 3) {
        kept.add(all.get(doc));
      }
      Path other = Files.createDirectory(directory.resolve("other"));
      try (Columns expected =
          Columns.join(other, List.of(part("kept", kept)), SampleMetadata.COLUMNS)) {
        for (int i = 0; i < SampleMetadata.COLUMNS.size(); i++) {
          String name = IndexFiles.column(SampleMetadata.COLUMNS.get(i));
          assertThat(target.resolve(name)).hasSameBinaryContentAs(other.resolve(name));
          expected.reader(i).verify(statistics.get(i));
        }
      }
    }
  }

  /** The examples of the grammars. */
  @Test
  void theBytesAreThoseOfTheGrammar() throws IOException {
    assertThat(body(TEXT, "b", null, "a"))
        .isEqualTo(
            "0200"
                + "01"
                + "0200"
                + "05"
                + "01"
                + "01000000"
                + "02000000"
                + "6162"
                + "0000000000000000"
                + "1100000000000000");
    assertThat(body(NUMBER, -3L, 12L))
        .isEqualTo(
            "0200" + "04" + "fdffffffffffffff" + "f0" + "0000000000000000" + "0c00000000000000");
    assertThat(body(NUMBER, Long.MIN_VALUE, Long.MAX_VALUE))
        .isEqualTo(
            "0200"
                + "40"
                + "0000000000000080"
                + "0000000000000000"
                + "ffffffffffffffff"
                + "0000000000000000"
                + "1b00000000000000");
    assertThat(body(NUMBER, null, null))
        .isEqualTo("0000" + "00" + "0000000000000000" + "0000000000000000" + "0b00000000000000");
    assertThat(body(TEXT)).isEqualTo("0000000000000000");
    ColumnValues values = new ColumnValues(ImmutableList.of(NUMBER, TEXT));
    values.set(1, "a");
    try (InputFile file =
        InputFile.open(
            part("part", List.of(values)), ColumnPartWriter.FORMAT, IndexFiles.VERSION)) {
      assertThat(body(file)).isEqualTo("02" + "01" + "61");
    }
  }

  private String body(Column column, @Nullable Object... values) throws IOException {
    ColumnStatistics statistics;
    try (ColumnWriter writer = new ColumnWriter(directory, column)) {
      for (Object value : values) {
        if (value instanceof Long number) {
          writer.add(number);
        } else if (value instanceof String string) {
          byte[] utf8 = string.getBytes(StandardCharsets.UTF_8);
          writer.add(utf8, 0, utf8.length);
        } else {
          writer.addNone();
        }
      }
      statistics = writer.commit(true);
    }
    try (InputFile file = map(column)) {
      new ColumnReader(file, column, values.length).verify(statistics);
      return body(file);
    }
  }

  private InputFile map(Column column) throws IOException {
    Path path = directory.resolve(IndexFiles.column(column));
    return InputFile.map(path, IndexFiles.COLUMNS, IndexFiles.VERSION);
  }

  private static String body(InputFile file) throws IOException {
    byte[] bytes = new byte[(int) (file.bodyEnd() - file.bodyStart())];
    file.reader(1 << 12).readBytes(bytes, 0, bytes.length);
    return HexFormat.of().formatHex(bytes);
  }

  /** Of bytes with right checksums: a program made them that is not this one. */
  @Test
  void anyOtherByteIsFoundOrIsAnotherValueAndNothingElseIsThrown() throws IOException {
    for (String hex :
        List.of(body(TEXT, "b", null, "a", "b", "\u00E9"), body(NUMBER, -3L, 12L, null, 5L, 5L))) {
      Column column = hex.contains("c3a9") ? TEXT : NUMBER;
      byte[] right = HexFormat.of().parseHex(hex);
      int found = 0;
      for (int at = 0; at < right.length; at++) {
        for (int value = 0; value < 256; value += Tier.pick(5, 1)) {
          byte[] wrong = right.clone();
          wrong[at] = (byte) value;
          found += isRefused(column, wrong) ? 1 : 0;
        }
      }
      assertThat(found).as("%s", column).isGreaterThan(right.length * Tier.pick(51, 255) / 2);
    }
  }

  private boolean isRefused(Column column, byte[] body) throws IOException {
    try (OutputFile out =
        OutputFile.create(
            directory.resolve(IndexFiles.column(column)), IndexFiles.COLUMNS, IndexFiles.VERSION)) {
      out.writeBytes(body, 0, body.length);
      out.commitUnforced();
    }
    try (InputFile file = map(column)) {
      ColumnReader reader = new ColumnReader(file, column, 5);
      for (int doc = 0; doc < 5; doc++) {
        if (reader.has(doc) && column.equals(TEXT)) {
          reader.string(doc);
        } else if (reader.has(doc)) {
          reader.number(doc);
        }
      }
      reader.verify(
          column.equals(TEXT) ? new ColumnStatistics(4, 0, 0) : new ColumnStatistics(4, -3, 12));
      return false;
    } catch (CorruptIndexException e) {
      return true;
    }
  }

  @Test
  void stringsAreNumberedInTheOrderOfTheirBytes() throws IOException {
    List<ColumnValues> all = sample(9000);
    try (Columns columns =
        Columns.join(directory, List.of(part("a", all)), SampleMetadata.COLUMNS)) {
      for (int column : new int[] {2, 3, 4, 8}) {
        for (int[] range :
            new int[][] {{0, 9000}, {0, 0}, {4000, 4200}, {100, 9000}, {8999, 9000}}) {
          assertOrder(columns, column, all, range[0], range[1]);
        }
      }
    }
  }

  private static void assertOrder(
      Columns columns, int column, List<ColumnValues> all, int from, int to) throws IOException {
    TreeSet<byte[]> expected = new TreeSet<>(Arrays::compareUnsigned);
    for (ColumnValues values : all.subList(from, to)) {
      if (values.has(column)) {
        expected.add(values.string(column).getBytes(StandardCharsets.UTF_8));
      }
    }
    ColumnReader reader = columns.reader(column);
    StringOrder order = StringOrder.of(reader, from, to);
    assertThat(order.size()).isEqualTo(expected.size());
    int number = 0;
    for (byte[] string : expected) {
      assertThat(order.string(reader, number++)).isEqualTo(string);
    }
    for (int doc = from; doc < to; doc++) {
      if (reader.has(doc)) {
        byte[] string = reader.string(doc);
        assertThat(order.string(reader, order.number(reader, doc))).isEqualTo(string);
      }
    }
  }

  @Test
  void aStringThatIsTooLongIsRefused() throws IOException {
    ColumnValues values = new ColumnValues(ImmutableList.of(TEXT));
    values.set(0, "x".repeat(Column.MAX_STRING_BYTES));
    part("longest", List.of(values));
    values.set(0, "x".repeat(Column.MAX_STRING_BYTES + 1));
    assertThatThrownBy(() -> part("longer", List.of(values)))
        .hasMessage("column 't' has a string of 4097 bytes, the limit is 4096");
    assertThat(directory.resolve("longer")).doesNotExist();
  }
}
