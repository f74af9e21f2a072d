package io.kmodel.indexer.source.trec;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.source.ContentType;
import io.kmodel.indexer.source.Docno;
import io.kmodel.indexer.source.Format;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.SourceReading;
import io.kmodel.indexer.source.record.RecordedSkips;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class TrecRecordsTest {
  @TempDir Path root;

  @Test
  void trecTextHasItsHeadlineAsTitleAndItsTextAsContents() throws Exception {
    write(
        "ft911",
        """
        <DOC>
        <DOCNO> FT911-1 </DOCNO>
        <DATE>910514 </DATE>
        <HEADLINE>
        FT  14 MAY 91 / Herons <I>wait</I> &amp; see
        </HEADLINE>
        <BYLINE> nobody </BYLINE>
        <TEXT>
        The heron <F P=105> waits.
        </TEXT>
        <TEXT>More.</TEXT>
        </DOC>

        <DOC><docno>FT911-2</docno> Only words. </DOC>
        """);
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).containsExactly("FT911-1", "FT911-2");
    assertThat(read.skips.all()).isEmpty();
    assertThat(read.docs).extracting(SourceReading.Doc::type).containsOnly(ContentType.HTML);
    assertThat(read.texts().get(0).replaceAll("\\s+", " "))
        .isEqualTo(
            "<!doctype html><title> FT 14 MAY 91 / Herons wait &amp; see </title><body>"
                + "910514 The heron <F P=105> waits. More.");
    assertThat(read.texts().get(1)).isEqualTo("<!doctype html><title></title><body> Only words. ");
  }

  /** WikiExtractor does not escape quotes in titles. */
  @Test
  void attributesOfADocumentAreReadAsHtmlReadsThem() throws Exception {
    write(
        "wiki",
        """
        <doc id="12" url="http://a.org/?curid=12" title="Anarchism">
        one
        </doc>
        <doc id="13" url="u" title=""Strange Fred" Example">
        two
        </doc>
        <doc url=/u>x id=14/ title='a > b' ID="no" / >
        three
        </doc>
        <doc title=a"b id = '15'>
        four
        </doc>
        """);
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).containsExactly("12", "13", "15");
    assertThat(read.skips.all())
        .singleElement()
        .satisfies(skip -> assertThat(skip.reason()).isEqualTo(SkipReason.DAMAGED_RECORD));
    assertThat(read.texts().get(1)).endsWith("<body>\ntwo\n");
  }

  @Test
  void arithmeticInAHeadlineIsNoTag() throws Exception {
    write(
        "a",
        """
        <DOC><DOCNO>1</DOCNO><HL>profits < expected, margins > 5 percent</HL><TEXT>a</TEXT></DOC>
        <DOC><DOCNO>2</DOCNO><HL>1<2 and 3>2, <b>bold</b><!-- no --><?pi?></HL><TEXT>b</TEXT></DOC>
        """);
    assertThat(SourceReading.of(root).texts())
        .containsExactly(
            "<!doctype html><title>profits < expected, margins > 5 percent</title><body>a",
            "<!doctype html><title>1<2 and 3>2,  bold   </title><body>b");
  }

  @Test
  void whatStandsInCdataIsText() throws Exception {
    write(
        "a",
        """
        <DOC><DOCNO>1</DOCNO><HL>x <![CDATA[ a <p> & ]]> y</HL><TEXT>x <![CDATA[ cd <p> ]]> y</TEXT>
        <TEXT><![CDATA[</a>]]><![CDATA[]]>&amp;<![CDATA[ open</TEXT><TEXT>more ]]></TEXT></DOC>
        <DOC><DOCNO>2</DOCNO><![CDATA[<p>&amp;]]></DOC>
        """);
    assertThat(SourceReading.of(root).texts())
        .containsExactly(
            "<!doctype html><title>x  a &lt;p> &amp;  y</title><body>x  cd &lt;p>  y\n"
                + "&lt;/a>&amp;\nmore ]]>",
            "<!doctype html><title></title><body>&lt;p>&amp;amp;");
  }

  @Test
  void whatASectionLeavesOpenTakesNothingOfTheNextOne() throws Exception {
    for (String open :
        List.of(
            "<!-- note", "<x and", "<script>", "<style>", "i<n then", "<a b=\"", "<template>")) {
      write(
          "a",
          "<DOC><DOCNO>1</DOCNO><HL>a</HL><DATE>1999 %s</DATE><TEXT>Herons.</TEXT></DOC>"
              .formatted(open));
      assertThat(SourceReading.of(root).texts())
          .as(open)
          .containsExactly(
              "<!doctype html><title>a</title><body>1999 %s\nHerons."
                  .formatted(open.startsWith("i") ? "i" : ""));
    }
  }

  @Test
  void aHeadlineWithAnEndTagThatIsNoneEndsNoTitle() throws Exception {
    write("a", "<DOC><DOCNO>1</DOCNO><HL>a </title b=\"</HL><TEXT>Herons.</TEXT></DOC>");
    assertThat(SourceReading.of(root).texts())
        .containsExactly("<!doctype html><title>a &lt;/title b=\"</title><body>Herons.");
  }

  @Test
  void trecWebHasThePageBehindItsHeader() throws Exception {
    write(
        "gov2",
        """
        <DOC>
        <DOCNO>GX000-00-0000000</DOCNO>
        <DOCHDR>
        http://www.nasa.gov/a 1.2.3.4 20040201
        HTTP/1.1 200 OK
        Content-type: text/html; charset=iso-8859-1
        </DOCHDR>
        <html><title>Page</title><body>Body</body></html>
        </DOC>
        """);
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).containsExactly("GX000-00-0000000");
    assertThat(read.docs.get(0).charset()).isEqualTo("iso-8859-1");
    assertThat(read.docs.get(0).type()).isEqualTo(ContentType.HTML);
    assertThat(read.texts().get(0).strip())
        .isEqualTo("<html><title>Page</title><body>Body</body></html>");
    assertThat(SourceReading.of(root, SourceReading.docno(Docno.URI)).ids())
        .containsExactly("http://www.nasa.gov/a");
  }

  @Test
  void aDateAloneIsNotAllOfADocument() throws Exception {
    write(
        "a",
        """
        <DOC><DOCNO>1</DOCNO><DATE>1999</DATE><BODY>Herons wait.</BODY></DOC>
        <DOC><DOCNO>2</DOCNO><DD>1999</DD><TEXT>Herons wait.</TEXT><BODY>Not this.</BODY></DOC>
        """);
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).containsExactly("1", "2");
    assertThat(read.texts().get(0)).contains("1999", "Herons wait.");
    assertThat(read.texts().get(1)).contains("1999", "Herons wait.").doesNotContain("Not this.");
  }

  @Test
  void aPageOfTrecWebMayHoldNuls() throws Exception {
    write(
        "gov2",
        """
        <DOC>
        <DOCNO>1</DOCNO>
        <DOCHDR>
        http://www.nasa.gov/a 1.2.3.4 20040201
        </DOCHDR>
        <html><title>Page</title><body>Body\0 of the page</body></html>
        </DOC>
        """);
    assertThat(SourceReading.of(root).ids()).containsExactly("1");
  }

  @Test
  void whatIsWrongInATrecFileIsReportedAndTheOthersAreRead() throws Exception {
    write(
        "a",
        """
        <DOC><DOCNO>1</DOCNO>one</DOC>
        junk
        more junk
        <DOC><DOCNO>2</DOCNO>two
        <DOC><DOCNO>3</DOCNO>three</DOC>
        <DOC>no number</DOC>
        <DOC><DOCNO>5</DOCNO>%s</DOC>
        <DOC><DOCNO>6</DOCNO>six</DOC>
        <DOC><DOCNO>7</DOCNO>clipped\
        """
            .formatted("large\n".repeat(300_000)));
    SourceReading read = SourceReading.of(root, SourceOptions.withLimit(1 << 20));
    assertThat(read.ids()).containsExactly("1", "3", "6");
    assertThat(read.skips.all())
        .extracting(RecordedSkips.Skip::detail)
        .containsExactly(
            "bytes outside of a <DOC>",
            "another <DOC> before its </DOC>",
            "document has no DOCNO",
            "more than the limit of 1048576 bytes",
            "the file ends before its </DOC>");
  }

  @Test
  void aTrecDocumentEndsAtItsEndTagWhereverTheNextOneStarts() throws Exception {
    String one = "<DOC>\n<DOCNO>1</DOCNO>\n<TEXT>one</TEXT>\n</DOC>";
    String two = one.replace('1', '2');
    String three = one.replace('1', '3');
    for (String file :
        List.of(
            one + two + three,
            one + " " + two + "\t" + three + "\n",
            (one + two + three).replace("\n", ""),
            (one + "\n" + two + "\n" + three + "\n").replace('\n', '\r'),
            (one + "\n" + two + "\n" + three + "\n").replace("\n", "\r\n"),
            "  " + one + "\n  " + two + "\n \t" + three + "\n",
            "\uFEFF" + one + "\n" + two + "\n\n" + three,
            "\n \n" + one + "\n" + " ".repeat(100) + two + "\n" + three)) {
      write("a", file);
      SourceReading read = SourceReading.of(root);
      assertThat(read.ids()).as(file).containsExactly("1", "2", "3");
      assertThat(read.texts()).allSatisfy(text -> assertThat(text).containsOnlyOnce("one"));
      assertThat(read.skips.all()).as(file).isEmpty();
    }
  }

  @Test
  void anEndTagIsFoundWhereverItLiesInTheWindow() throws Exception {
    for (int length = (1 << 16) - 60; length < (1 << 16) + 10; length++) {
      write(
          "a", "<DOC><DOCNO>1</DOCNO>" + "<".repeat(length) + "</DOC><DOC><DOCNO>2</DOCNO></DOC>");
      SourceReading read = SourceReading.of(root, SourceReading.format(Format.TREC));
      assertThat(read.ids()).as("%d", length).containsExactly("1", "2");
      assertThat(read.skips.all()).isEmpty();
    }
  }

  @Test
  void aTrecDocumentInOneLineThatIsTooLargeSaysSo() throws Exception {
    write(
        "a",
        "<DOC><DOCNO>1</DOCNO>%s</DOC>\n<DOC><DOCNO>2</DOCNO>two</DOC>\n<DOC><DOCNO>3</DOCNO>%s\n"
            .formatted("large ".repeat(300_000), "large ".repeat(300_000)));
    SourceReading read = SourceReading.of(root, SourceOptions.withLimit(1 << 20));
    assertThat(read.ids()).containsExactly("2");
    assertThat(read.reasons()).containsExactly(SkipReason.TOO_LARGE, SkipReason.TOO_LARGE);
  }

  @Test
  void aTrecDocumentWithAnEmptyNumberHasNoId() throws Exception {
    write("a", "<DOC><DOCNO> </DOCNO>one</DOC>\n<DOC><DOCNO>2</DOCNO>two</DOC>\n");
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).containsExactly("2");
    assertThat(read.skips.only().detail()).isEqualTo("document has an empty DOCNO");
    assertThat(SourceReading.of(root, SourceReading.docno(Docno.PATH)).ids()).hasSize(2);
  }

  @Test
  @Timeout(30)
  void tagsOfSectionsWithoutEndTagsTakeNoTimeThatGrowsWithTheirSquare() throws Exception {
    write(
        "a", "<DOC><DOCNO>1</DOCNO><TEXT>one</TEXT>%s</DOC>".formatted("<DD>x".repeat(1_000_000)));
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).containsExactly("1");
    assertThat(read.texts().get(0)).endsWith("<body>one" + "\nx".repeat(1_000_000));
  }

  @Test
  void aTitleWithoutAnEndTagTakesNoSectionsText() throws Exception {
    write(
        "a", "<DOC><DOCNO>1</DOCNO><DATE>d</DATE><HEAD>one<TEXT>body</TEXT><HEAD>two</HEAD></DOC>");
    assertThat(SourceReading.of(root).texts())
        .containsExactly("<!doctype html><title>two</title><body>d\nbody");
  }

  @Test
  @Timeout(30)
  void aLongNameInAStartTagTakesNoTimeThatGrowsWithItsSquare() throws Exception {
    write("a", "<DOC id=1>a</DOC>\n<DOC %s>b</DOC>\n".formatted("a".repeat(1_000_000)));
    assertThat(SourceReading.of(root).ids()).containsExactly("1");
  }

  /** As AP's, on TREC's first disks. */
  @Test
  void allTitlesCountAndTextWithoutAnEndTagEndsWhereTheNextSectionStarts() throws Exception {
    write(
        "ap",
        """
        <DOC><DOCNO>AP1</DOCNO><HEAD>one</HEAD><HEADLINE>two</HEADLINE><HEAD>three</HEAD>
        <TEXT>four<DATE>1990</DATE></DOC>
        <DOC><DOCNO>AP2</DOCNO><TEXT>five<HL>six</HL>seven</DOC>
        <DOC><DOCNO>AP3</DOCNO><TEXT><TITLE>eight</TITLE>nine</TEXT></DOC>
        <DOC><DOCNO>AP4</DOCNO><TEXT>ten <textarea> eleven</TEXT></DOC>
        """);
    SourceReading read = SourceReading.of(root);
    assertThat(read.texts())
        .containsExactly(
            "<!doctype html><title>one\ntwo\nthree</title><body>four\n1990",
            "<!doctype html><title>six</title><body>five<HL>six</HL>seven",
            "<!doctype html><title>eight</title><body><TITLE>eight</TITLE>nine",
            "<!doctype html><title></title><body>ten <textarea> eleven");
    assertThat(read.skips.all()).isEmpty();
  }

  /** As LDC's newswire, NTCIR's and WikiExtractor's. */
  @Test
  void anIdMayBeAnAttributeOfTheStartTag() throws Exception {
    for (String start :
        List.of(
            "<DOC id=\"XIN_1\" type=\"story\" >",
            "<DOC type='a > b' ID='XIN_1'>",
            "<DOC\n  lang=en id=XIN_1\n>",
            "<doc id=\"XIN_1\" url=\"http://a/?curid=12\" title=\"id = 7\">",
            "<DOC docid=\"7\" id = \"XIN_1\">")) {
      String end = start.substring(1, 4).equals("doc") ? "</doc>" : "</DOC>";
      write(
          "a",
          start + "<HEADLINE>h</HEADLINE><TEXT>one</TEXT>" + end + "\n" + start + " two " + end);
      SourceReading read = SourceReading.of(root);
      assertThat(read.ids()).as(start).containsExactly("XIN_1", "XIN_1");
      assertThat(read.texts())
          .containsExactly(
              "<!doctype html><title>h</title><body>one",
              "<!doctype html><title></title><body> two ");
      assertThat(read.skips.all()).as(start).isEmpty();
    }
    write("a", "<DOC id=\"1\"><DOCNO>2</DOCNO>one</DOC>\n<DOC lang=en>two</DOC>\n");
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).containsExactly("2");
    assertThat(read.skips.only().detail()).isEqualTo("document has no DOCNO");
  }

  /** As on pages about XML, of which WT10g has some. */
  @Test
  void tagsInAnotherCaseThanTheFilesFirstOneAreText() throws Exception {
    String file =
        "<DOC>\n<DOCNO>1</DOCNO>\none\n<doc>\n</doc>\nmore\n</DOC>\n<DOC><DOCNO>2</DOCNO>two</DOC>\n";
    for (String text : List.of(file, swapped(file))) {
      write("a", text);
      SourceReading read = SourceReading.of(root);
      assertThat(read.ids()).containsExactly("1", "2");
      assertThat(read.texts().getFirst()).contains("one\n", "more");
      assertThat(read.skips.all()).isEmpty();
      assertThat(SourceReading.of(root, SourceReading.format(Format.TREC)).ids()).hasSize(2);
    }
  }

  @Test
  void aTagThatIsOnlySpokenOfSaysNothingOfTheOthers() throws Exception {
    write("a", "<!-- each <doc > is one -->\n<DOC>\n<DOCNO>1</DOCNO>a</DOC>\n<doc>b</doc>\n");
    SourceReading read = SourceReading.of(root, SourceReading.format(Format.TREC));
    assertThat(read.ids()).containsExactly("1");
    assertThat(read.skips.all())
        .extracting(RecordedSkips.Skip::detail)
        .containsOnly("bytes outside of a <DOC>");
  }

  private static String swapped(String file) {
    return file.replace("DOC>", "Doc>").replace("doc>", "DOC>");
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(root.resolve(name), text);
  }
}
