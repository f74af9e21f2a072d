package io.kmodel.indexer.source;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import io.kmodel.indexer.source.record.RecordedSkips;
import io.kmodel.indexer.source.warc.Warcs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What goes for all collections, and lists of lines. */
class CollectionRecordsTest {
  @TempDir Path root;

  @Test
  void jsonLinesHaveTheNamesOfAnseriniBeirAndMsMarco() throws Exception {
    write(
        "a.jsonl",
        """
        {"id": "doc1", "contents": "The heron\\nwaits \\u00e9"}

        {"_id": "d2", "title": "A title", "text": "and text", "metadata": {"id": "no"}}\r
        {"url": "http://a.org/", "title": "T", "body": "b", "docid": "D3", "headings": "h"}
        {"pid": 4, "passage": "four"}
        {"id": "5", "text": "", "contents": null, "raw": [1, {"a": []}]}\
        """);
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).containsExactly("doc1", "d2", "D3", "4", "5");
    assertThat(read.texts()).containsExactly("The heron\nwaits é", "and text", "b", "four", "");
    assertThat(read.docs)
        .extracting(SourceReading.Doc::title)
        .containsExactly("", "A title", "T", "", "");
    assertThat(read.docs).extracting(SourceReading.Doc::type).containsOnly(ContentType.PLAIN_TEXT);
    assertThat(read.skips.all()).isEmpty();
    assertThat(SourceReading.of(root, SourceReading.docno(Docno.URI)).ids())
        .containsExactly("doc1", "d2", "http://a.org/", "4", "5");
    assertThat(SourceReading.of(root, SourceReading.docno(Docno.PATH)).ids())
        .startsWith("a.jsonl#0", "a.jsonl#55");
  }

  /** As on TREC's disks. */
  @Test
  void filesOfCompressAreUnpacked() throws Exception {
    StringBuilder trec = new StringBuilder();
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 3000; i++) {
      trec.append(
          "<DOC>\n<DOCNO> FT911-%d </DOCNO>\n<TEXT>\ntext %x\n</TEXT>\n</DOC>\n"
              .formatted(i, i * i));
      lines.append("%d\ttext %x\n".formatted(i, i * i));
    }
    byte[] page = "<p>one page</p>".getBytes(UTF_8);
    for (int bits : new int[] {10, 12, 16}) {
      Files.write(
          root.resolve("FT911_1.Z"), Packed.compress(trec.toString().getBytes(UTF_8), bits));
      Files.write(root.resolve("a.tsv.Z"), Packed.compress(lines.toString().getBytes(UTF_8), bits));
      Files.write(root.resolve("b.html.Z"), Packed.compress(page, bits));
      Files.write(root.resolve("c.Z"), Packed.compress(new byte[0], bits));
      SourceReading read = SourceReading.of(root);
      assertThat(read.skips.all()).isEmpty();
      assertThat(read.ids())
          .hasSize(6002)
          .startsWith("FT911-0", "FT911-1")
          .contains("2999", "b.html.Z")
          .endsWith("c.Z");
      assertThat(read.texts().get(3000 + 2999)).isEqualTo("text %x".formatted(2999 * 2999));
      assertThat(read.docs.get(6000).type()).isEqualTo(ContentType.HTML);
      assertThat(read.texts().get(6000)).isEqualTo("<p>one page</p>");
    }
  }

  @Test
  void damagedFilesOfCompressAreNamed() throws Exception {
    byte[] packed = Packed.compress("0\tone\n1\ttwo\n".getBytes(UTF_8), 16);
    // A code that is not known yet, behind ten that are.
    packed[3 + 12] |= (byte) 0xFF;
    packed[3 + 13] |= (byte) 0xFF;
    Files.write(root.resolve("a.tsv.Z"), packed);
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).containsExactly("0");
    assertThat(read.skips.only().reason()).isEqualTo(SkipReason.DAMAGED);
    assertThat(read.skips.only().detail()).contains("Invalid").doesNotContain("Exception");
    Files.write(root.resolve("a.tsv.Z"), new byte[] {0x1F, (byte) 0x9D, (byte) 0x88, 1, 2});
    assertThat(SourceReading.of(root).skips.only().reason()).isEqualTo(SkipReason.BINARY);
  }

  @Test
  void halvesOfSurrogatePairsInJsonBecomeReplacementCharacters() throws Exception {
    write(
        "a.jsonl",
        """
        {"id": "a\\ud800b", "title": "\\udc00", "contents": "c\\ud801"}
        {"id": "a?b", "title": "\\ud83d\\ude00", "contents": "c?"}
        """);
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).containsExactly("a\uFFFDb", "a?b");
    assertThat(read.texts()).containsExactly("c\uFFFD", "c?");
    assertThat(read.docs)
        .extracting(SourceReading.Doc::title)
        .containsExactly("\uFFFD", "\uD83D\uDE00");
  }

  @Test
  void aLineThatIsNoRecordIsReportedWithItsPlaceAndTheOthersAreRead() throws Exception {
    String first = "{\"id\": \"1\", \"contents\": \"one\"}\n";
    write(
        "a.jsonl",
        first
            + "{\"id\": \"2\", \"contents\": \n"
            + "{\"id\": \"3\"}\n"
            + "{\"contents\": \"no id\"}\n"
            + "[1]\n"
            + "{\"id\": \"6\", \"contents\": \"\"} {}\n"
            + "{\"id\": \"7\", \"contents\": \"seven\"}\n");
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).containsExactly("1", "7");
    assertThat(read.reasons()).hasSize(5).containsOnly(SkipReason.DAMAGED_RECORD);
    assertThat(read.skips.all().get(0).place()).endsWith("a.jsonl at byte " + first.length());
    assertThat(read.skips.all().get(1).detail())
        .isEqualTo(
            "record has no text; expected one of [contents, text, body, passage, segment,"
                + " Clean-Text]");
    assertThat(read.skips.all().get(2).detail())
        .isEqualTo(
            "record has no id; expected one of [id, _id, pid, docid, doc_id, docno, ClueWeb22-ID]");
  }

  @Test
  void aLineThatIsTooLongIsPassedOver() throws Exception {
    String longLine = "{\"id\": \"2\", \"contents\": \"" + "word ".repeat(2_000_000) + "\"}\n";
    String file =
        "{\"id\": \"1\", \"contents\": \"one\"}\n"
            + longLine
            + "{\"id\": \"3\", \"contents\": \"three\"}\n";
    write("a.jsonl", file);
    Files.write(root.resolve("b.jsonl.zst"), Zstd.compress(file.getBytes(UTF_8)));
    SourceReading read = SourceReading.of(root, SourceOptions.withLimit(1 << 20));
    assertThat(read.ids()).containsExactly("1", "3", "1", "3");
    assertThat(read.reasons()).containsExactly(SkipReason.TOO_LARGE, SkipReason.TOO_LARGE);
    assertThat(SourceReading.of(root).ids()).containsExactly("1", "2", "3", "1", "2", "3");
  }

  @Test
  @Timeout(60)
  void aFileOfRecordsThatIsABombIsGivenUp() throws Exception {
    byte[] zeros = new byte[100 << 20];
    Arrays.fill(zeros, (byte) '\n');
    byte[] start = "{\"id\": \"1\", \"contents\": \"one\"}\n".getBytes(UTF_8);
    Files.write(
        root.resolve("bomb.jsonl.zst"), Warcs.concat(Zstd.compress(start), Zstd.compress(zeros)));
    write("c.txt", "goes on");
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).containsExactly("1", "c.txt");
    assertThat(read.skips.only().reason()).isEqualTo(SkipReason.EXPANDS);
    assertThat(read.skips.only().detail()).contains("over 1000 times as much");
  }

  /** A frame to pass over, or a dictionary, makes it no other one. */
  @Test
  void placesInTheFirstFrameOfZstdAreThoseOfWhatItHolds() throws Exception {
    byte[] lines = "1\tone\nbad\n2\ttwo\n".getBytes(UTF_8);
    byte[] more = "worse\n".getBytes(UTF_8);
    byte[] frame = Zstd.compress(lines);
    for (byte[] start : List.of(new byte[0], Packed.zstdDictionary(new byte[9]))) {
      Files.write(root.resolve("a.tsv.zst"), Warcs.concat(start, frame, Zstd.compress(more)));
      SourceReading read = SourceReading.of(root);
      assertThat(read.places).extracting(Location::offset).containsExactly(0L, 10L);
      assertThat(read.skips.all())
          .extracting(skip -> skip.place().substring(skip.place().indexOf(" at ")))
          .containsExactly(" at byte 6", " at byte " + (start.length + frame.length));
    }
  }

  @Test
  void tsvHasTwoToFourFields() throws Exception {
    write(
        "a.tsv",
        """
        0\tThe first text\r
        1\tTitle\tThe second
        D2\thttp://a.org/\tThird\tbody\u00E9
        bad
        a\tb\tc\td\te
        3\t
        """);
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).containsExactly("0", "1", "D2", "3");
    assertThat(read.texts()).containsExactly("The first text", "The second", "body\u00E9", "");
    assertThat(read.docs)
        .extracting(SourceReading.Doc::title)
        .containsExactly("", "Title", "Third", "");
    assertThat(read.reasons())
        .containsExactly(SkipReason.DAMAGED_RECORD, SkipReason.DAMAGED_RECORD);
  }

  @Test
  void linesOfWhiteSpaceArePassedOverAsEmptyOnesAre() throws Exception {
    for (String blank :
        List.of(
            "   ",
            "  \r",
            "\r ",
            "\r\r",
            "\t",
            "\t\t\t\t\t",
            " \f\u000B\t\r",
            "\uFEFF",
            "\uFEFF \r")) {
      for (String end : List.of("\n", "\r\n")) {
        String lines = "%s" + end + blank + end + end + "%s" + end + blank;
        write(
            "a.jsonl",
            lines.formatted("{\"id\": 1, \"text\": \"\"}", "{\"id\": 2, \"text\": \"\"}"));
        write("b.tsv", lines.formatted("3\tthree", "4\tfour"));
        write("c", lines.formatted("<DOC><DOCNO>5</DOCNO></DOC>", "<DOC><DOCNO>6</DOCNO></DOC>"));
        SourceReading read = SourceReading.of(root);
        assertThat(read.ids()).as("'%s'", blank).containsExactly("1", "2", "3", "4", "5", "6");
        assertThat(read.skips.all()).as("'%s'", blank).isEmpty();
      }
    }
  }

  /** Nothing of how the library that reads JSON calls things. */
  @Test
  void whatIsWrongWithALineOfJsonIsSaidInPlainWords() throws Exception {
    write(
        "a.jsonl",
        """
        {"id": 1, "text": ""}
        [{"id": 2}]
        "three"
        4
        {"id": 5, "text": "
        {
        {"id": 7, "raw": [}
        {"id": 8} {"id": 9}
        {"id": 10,
        {"id": NaN}
        {"id": +1}
        {"id": 9 /* */}
        {"id": %s}
        """
            .formatted("[".repeat(2000)));
    assertThat(SourceReading.of(root).skips.all())
        .extracting(RecordedSkips.Skip::detail)
        .containsExactly(
            "not a JSON object: starts with an array",
            "not a JSON object: starts with a string",
            "not a JSON object: starts with a number",
            "not a JSON object: unexpected end of text",
            "not a JSON object: unexpected end of text",
            "not a JSON object: Unexpected close marker '}': expected ']' (for Array starting at"
                + " column 18)",
            "not a JSON object: more than one value",
            "not a JSON object: unexpected end of text",
            "record has no text; expected one of [contents, text, body, passage, segment,"
                + " Clean-Text]",
            "not a JSON object: Unexpected character ('+' (code 43)) in numeric value: JSON spec"
                + " does not allow numbers to have plus signs",
            "not a JSON object: Unexpected character ('/' (code 47)): maybe a (non-standard)"
                + " comment?",
            "not a JSON object: Document nesting depth (1001) exceeds the maximum allowed (1000)");
  }

  /** Of ASCII's white space alone it is certain that nothing is lost with it. */
  @Test
  void aLineOfNoBreakSpacesIsReported() throws Exception {
    write("a.jsonl", "{\"id\": 1, \"text\": \"\"}\n\u00A0\n{\"id\": 2, \"text\": \"\"}");
    write("b.tsv", "3\tthree\n\u00A0\n4\tfour");
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).containsExactly("1", "2", "3", "4");
    assertThat(read.reasons())
        .containsExactly(SkipReason.DAMAGED_RECORD, SkipReason.DAMAGED_RECORD);
  }

  @Test
  void byteOrderMarksOfFilesThatWerePutTogetherArePassedOver() throws Exception {
    write("a.jsonl", "\uFEFF{\"id\": 1, \"text\": \"\"}\n\uFEFF{\"id\": 2, \"text\": \"\"}\n");
    write("b.tsv", "\uFEFF3\tthree\n\uFEFF 4\tfour\n");
    write(
        "c",
        """
        \uFEFF<DOC><DOCNO>5</DOCNO>five</DOC>
        \uFEFF<DOC><DOCNO>6</DOCNO>six</DOC>\uFEFF  <DOC><DOCNO>7</DOCNO>seven</DOC>
        <DOC><DOCNO>8</DOCNO>has no end
        \uFEFF<DOC><DOCNO>9</DOCNO>nine</DOC>
        """);
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).containsExactly("1", "2", "3", "4", "5", "6", "7", "9");
    assertThat(read.skips.only().detail()).isEqualTo("another <DOC> before its </DOC>");
    byte[] latin = "\u00EF\u00BB\u00BFcaf\u00E9\ttext".getBytes(ISO_8859_1);
    Files.write(root.resolve("b.tsv"), latin);
    assertThat(SourceReading.of(root.resolve("b.tsv")).ids()).containsExactly("caf\u00E9");
  }

  @Test
  void recordsOfOneFileDifferInTheirPathsHoweverItsMembersAreCut() throws Exception {
    String line = "{\"id\": \"1\", \"contents\": \"one\"}\n";
    byte[] member = Warcs.gzip(line.repeat(300).getBytes(UTF_8));
    Files.write(
        root.resolve("a.jsonl.gz"),
        Warcs.concat(member, member, Warcs.gzip(line.getBytes(UTF_8)), member));
    SourceReading read = SourceReading.of(root, SourceReading.docno(Docno.PATH));
    assertThat(read.ids()).hasSize(901).doesNotHaveDuplicates();
    assertThat(read.ids())
        .startsWith("a.jsonl.gz#0", "a.jsonl.gz#0+" + line.length())
        .contains(
            "a.jsonl.gz#" + member.length, "a.jsonl.gz#" + member.length + "+" + line.length());
  }

  @Test
  void theFormatThatIsGivenIsTakenWhateverTheContent() throws Exception {
    write("a.jsonl", "{\"id\": \"1\", \"contents\": \"one\"}\n");
    assertThat(SourceReading.of(root, SourceReading.format(Format.TEXT)).ids())
        .containsExactly("a.jsonl");
    assertThat(SourceReading.of(root, SourceReading.format(Format.HTML)).docs.get(0).type())
        .isEqualTo(ContentType.HTML);
    SourceReading warc = SourceReading.of(root, SourceReading.format(Format.WARC));
    assertThat(warc.ids()).isEmpty();
    assertThat(warc.reasons()).containsExactly(SkipReason.DAMAGED_RECORD);
    Files.delete(root.resolve("a.jsonl"));
    Files.write(root.resolve("x.txt"), "0\tt\u00E9xt\n".getBytes(ISO_8859_1));
    assertThat(SourceReading.of(root, SourceReading.format(Format.TSV)).ids()).containsExactly("0");
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(root.resolve(name), text);
  }
}
