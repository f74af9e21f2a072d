package io.kmodel.indexer.source.lines;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.source.Docno;
import io.kmodel.indexer.source.Format;
import io.kmodel.indexer.source.SourceReading;
import io.kmodel.indexer.source.record.RecordedSkips;
import io.kmodel.indexer.source.unpack.UnpackedPieces;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Lists whose first line names their columns. */
@Timeout(120)
class TsvColumnsTest extends UnpackedPieces {
  @Test
  void dprsPassagesHaveTheirTitlesLast() throws Exception {
    write(
        """
        id\ttext\ttitle
        1\t"The ""Ardea"" waits."\tGrey heron
        2\tIt "catches" fish.\t"Fish"
        3\t""\tEmpty
        """);
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).containsExactly("1", "2", "3");
    assertThat(read.texts()).containsExactly("The \"Ardea\" waits.", "It \"catches\" fish.", "");
    assertThat(titles(read)).containsExactly("Grey heron", "Fish", "Empty");
    assertThat(read.skips.all()).isEmpty();
  }

  @Test
  void namesMayStandInAnyOrderAndCase() throws Exception {
    for (String header : List.of("Title\tPID\tPassage\tURL", "\uFEFFtitle\t_id\tbody\turl\r")) {
      write(header + "\nHeron\t\"7\"\tThe heron\t\"http://a.org/\"\n");
      SourceReading read = SourceReading.of(root);
      assertThat(read.ids()).containsExactly("7");
      assertThat(read.texts()).containsExactly("The heron");
      assertThat(titles(read)).containsExactly("Heron");
      assertThat(SourceReading.of(root, SourceReading.docno(Docno.URI)).ids())
          .containsExactly("http://a.org/");
    }
  }

  /** As tables are written whose every field is quoted, and such as have many columns. */
  @Test
  void theHeaderMayBeQuotedAndLong() throws Exception {
    String others = "\t\"a column of another name\"".repeat(20);
    write("\"id\"\t\"text\"%s\n\"1\"\t\"The heron\"%s\n".formatted(others, others));
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).containsExactly("1");
    assertThat(read.texts()).containsExactly("The heron");
    assertThat(read.skips.all()).isEmpty();
  }

  @Test
  void columnsOfOtherNamesArePassedOver() throws Exception {
    write("id\tText\ttitle\textra\n1\tThe heron\tHeron\tnothing\n");
    SourceReading read = SourceReading.of(root, SourceReading.docno(Docno.TREC_ID));
    assertThat(read.ids()).containsExactly("1");
    assertThat(read.texts()).containsExactly("The heron");
    assertThat(titles(read)).containsExactly("Heron");
    write("lang\tid\ttext\tlang\nen\t1\tThe heron\ten\n");
    assertThat(SourceReading.of(root).texts()).containsExactly("The heron");
    write("id\ttext\ttitle\turl\tlang\tyear\n1\tThe heron\tHeron\thttp://a.org/\ten\t1999\n");
    assertThat(SourceReading.of(root).texts()).containsExactly("The heron");
    write("id\ttext\ttitle\turl\tlang\n1\ta\tb\tc\td\te\n2\ta\n3\tThe heron\tb\tc\td\n");
    SourceReading longer = SourceReading.of(root);
    assertThat(longer.ids()).containsExactly("3");
    assertThat(longer.skips.all())
        .extracting(RecordedSkips.Skip::detail)
        .containsExactly(
            "more than 5 fields in a line, expected 5 as in the first line",
            "2 fields in a line, expected 5 as in the first line");
    write("extra\tid\tother\na\t1\tb\n");
    assertThat(SourceReading.of(root).ids()).as("no text is named").containsExactly("extra", "a");
  }

  @Test
  void theHeaderOfAListThatWasPutBehindAnotherIsNoDocument() throws Exception {
    write("id\ttext\n1\tone\n\uFEFFid\ttext\r\n2\ttwo\nID\tTEXT\n");
    assertThat(SourceReading.of(root).ids()).containsExactly("1", "2", "ID");
  }

  @Test
  void whatNamesNoColumnsIsADocument() throws Exception {
    for (String first :
        List.of(
            "id\ta text",
            "id\ttitle",
            "id\ttext\ttext",
            "id\tid\ttext",
            "id\ttext\t",
            "text\ttitle")) {
      write(first + "\n1\t\"one\"\n");
      SourceReading read = SourceReading.of(root);
      assertThat(read.ids()).as(first).hasSize(2).endsWith("1");
      assertThat(read.texts()).as("quotes are text then").endsWith("\"one\"");
    }
  }

  @Test
  void quotationMarksThatDoNotEncloseAFieldAreText() throws Exception {
    List<String> fields =
        List.of("\"", "\"a", "a\"", "\"a\"b\"", "\"a\"\"", "\"\"a\"", "\"a\" b", "\"a\" \"b\"");
    StringBuilder lines = new StringBuilder("id\ttext\n");
    fields.forEach(field -> lines.append("1\t").append(field).append('\n'));
    write(lines.toString());
    assertThat(SourceReading.of(root).texts()).isEqualTo(fields);
  }

  @Test
  void aLineWithAnotherNumberOfFieldsIsDamaged() throws Exception {
    write("id\ttext\ttitle\n1\tone\n2\ttwo\ttitle\n3\tthree\ttitle\tmore\n");
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).containsExactly("2");
    assertThat(read.skips.all())
        .extracting(RecordedSkips.Skip::detail)
        .containsExactly(
            "2 fields in a line, expected 3 as in the first line",
            "4 fields in a line, expected 3 as in the first line");
  }

  @Test
  void theFirstLineIsLookedAtAlsoWhereTheUserSaysTheFormat() throws Exception {
    String list = "id\ttext\ttitle\n1\tone\tHeron\n";
    Files.write(root.resolve("a.list"), list.getBytes(UTF_8));
    Files.write(root.resolve("b.list"), gzip(list.getBytes(UTF_8)));
    SourceReading read = SourceReading.of(root, SourceReading.format(Format.TSV));
    assertThat(read.texts()).containsExactly("one", "one");
    assertThat(titles(read)).containsExactly("Heron", "Heron");
  }

  /** Who begins in the midst looks at the first line, too. */
  @Test
  void piecesOfLargeListsAreTheWholeList() throws Exception {
    ByteArrayOutputStream list = new ByteArrayOutputStream();
    list.writeBytes("text\tid\ttitle\n".getBytes(UTF_8));
    for (int i = 0; i < LINES; i++) {
      String text = new String(line("x", random.nextInt(3000)), UTF_8).strip();
      list.writeBytes("%s\t%d\t\"t %d\"\n".formatted(text, i, i).getBytes(UTF_8));
    }
    write("a.tsv", list.toByteArray());
    assertPiecesAreWhole();
    Files.delete(root.resolve("a.tsv"));
    write("a.tsv.gz", gzip(list.toByteArray()));
    assertPiecesAreWhole();
  }

  private void assertPiecesAreWhole() throws Exception {
    SourceReading whole = read(Docno.TREC_ID, Long.MAX_VALUE).getFirst();
    assertThat(whole.docs).hasSize(LINES);
    assertThat(whole.docs.getLast().title()).isEqualTo("t " + (LINES - 1));
    List<SourceReading> pieces = read(Docno.TREC_ID, TARGET);
    assertThat(pieces).hasSizeGreaterThan(3);
    SourceReading all = join(pieces);
    assertThat(all.docs).isEqualTo(whole.docs);
    assertThat(all.places).isEqualTo(whole.places);
    assertThat(all.missedBorders).isZero();
    assertThat(all.skips.all()).isEmpty();
  }

  private static List<String> titles(SourceReading read) {
    return read.docs.stream().map(SourceReading.Doc::title).toList();
  }

  private void write(String list) throws Exception {
    Files.write(root.resolve("a.tsv"), list.getBytes(UTF_8));
  }
}
