package io.kmodel.indexer.source.lines;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.source.Docno;
import io.kmodel.indexer.source.DocumentReader;
import io.kmodel.indexer.source.HeapGuard;
import io.kmodel.indexer.source.SkipListener;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.SourceReading;
import io.kmodel.indexer.source.TsvQuotes;
import io.kmodel.indexer.source.crawl.Crawl;
import io.kmodel.indexer.source.unpack.UnpackedPieces;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Quotation marks around fields, which hold tabs and line feeds, or are characters. */
@Timeout(120)
class TsvQuotesTest extends UnpackedPieces {
  private static final Base64.Encoder PLAIN = Base64.getEncoder();
  private static final Base64.Encoder LINED = Base64.getMimeEncoder();
  private static final String ROWS = "1\t\"a\tb\"\tT\n2\t\"c\nd \"\"e\"\"\"\tU\r\n3\tplain\tV\n";

  @Test
  void quotedFieldsHoldTabsAndLineFeeds() throws Exception {
    write("id\ttext\ttitle\n" + ROWS);
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).containsExactly("1", "2", "3");
    assertThat(read.texts()).containsExactly("a\tb", "c\nd \"e\"", "plain");
    assertThat(read.docs).extracting(SourceReading.Doc::title).containsExactly("T", "U", "V");
    assertThat(read.skips.all()).isEmpty();
    assertThat(format(SourceOptions.DEFAULT)).isEqualTo("quoted tsv");
  }

  @Test
  void theLastFieldMayEndInAnotherLineAndAtTheEndOfTheFile() throws Exception {
    write("id\ttext\n1\t\"a\n\nb\"\n2\t\"c\r\n\"\r\n3\t\"d\ne\"");
    assertThat(SourceReading.of(root).texts()).containsExactly("a\n\nb", "c\r\n", "d\ne");
    write("title\tid\ttext\n\"x\ny\"\t1\t\"a\nb\"\n");
    SourceReading read = SourceReading.of(root);
    assertThat(read.texts()).containsExactly("a\nb");
    assertThat(read.docs.getFirst().title()).isEqualTo("x\ny");
  }

  @Test
  void quotesAreCharactersOfListsWithoutAHeader() throws Exception {
    write("1\t\"a\n2\t\"c\"\n3\td\"\n");
    SourceReading plain = SourceReading.of(root);
    assertThat(plain.texts()).containsExactly("\"a", "\"c\"", "d\"");
    assertThat(format(SourceOptions.DEFAULT)).isEqualTo("tsv");
    write(ROWS);
    SourceOptions yes = SourceOptions.DEFAULT.withQuotes(TsvQuotes.YES);
    SourceReading quoted = SourceReading.of(root, yes);
    assertThat(quoted.ids()).containsExactly("1", "2", "3");
    assertThat(quoted.docs).extracting(SourceReading.Doc::title).startsWith("a\tb");
    assertThat(format(yes)).isEqualTo("quoted tsv");
  }

  @Test
  void quotesAreCharactersIfTheUserSaysSo() throws Exception {
    write("id\ttext\n1\t\"a\"\n2\t\"b\n3\tc\"\n");
    SourceOptions no = SourceOptions.DEFAULT.withQuotes(TsvQuotes.NO);
    SourceReading read = SourceReading.of(root, no);
    assertThat(read.texts()).containsExactly("\"a\"", "\"b", "c\"");
    assertThat(format(no)).isEqualTo("tsv");
  }

  /** A reader of CSV would take 2 and 3 into the text of 1. */
  @Test
  void anUnpairedMarkTakesNoOtherRecordsAway() throws Exception {
    write("id\ttext\n1\t\"The heron\n2\tof 5\"\n3\tis\" grey\n4\t\"last\n");
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).containsExactly("1", "2", "3", "4");
    assertThat(read.texts()).containsExactly("\"The heron", "of 5\"", "is\" grey", "\"last");
  }

  /** As readers of CSV have it, even where each line has the columns of the header. */
  @Test
  void linesWithinQuotesAreTextIfTheUserSaysSo() throws Exception {
    write("id\ttext\n1\t\"first\nkey\tvalue\"\n2\tb\n");
    SourceReading read = SourceReading.of(root, SourceOptions.DEFAULT.withQuotes(TsvQuotes.YES));
    assertThat(read.ids()).containsExactly("1", "2");
    assertThat(read.texts()).containsExactly("first\nkey\tvalue", "b");
  }

  /** A mark that closes more than 64 KiB further on does not count. */
  @Test
  void aFieldEndsWithinAWindow() throws Exception {
    String far = "x\n".repeat(40_000);
    write(
        "id\ttext\ttitle\n1\t\"a\n"
            + "y".repeat(60_000)
            + "\"\tT\n2\t\""
            + far
            + "\"\tU\n3\tc\tV\n");
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).containsExactly("1", "3");
    assertThat(read.skips.all()).hasSize(40_001);
  }

  /** Large files are cut at line feeds, which may be quoted. */
  @Test
  void piecesOfLargeListsAreTheWholeList() throws Exception {
    ByteArrayOutputStream list = new ByteArrayOutputStream();
    list.writeBytes("text\tid\n".getBytes(UTF_8));
    for (int i = 0; i < LINES; i++) {
      byte[] noise = new byte[random.nextInt(2200)];
      random.nextBytes(noise);
      String text =
          i % 2 == 0 ? "\"" + LINED.encodeToString(noise) + "\"" : PLAIN.encodeToString(noise);
      list.writeBytes("%s\t%d\n".formatted(text, i).getBytes(UTF_8));
    }
    write("a.tsv", list.toByteArray());
    assertThat(piecesUntilABorderIsMissed()).as("plain").isLessThan(LINES);
    Files.delete(root.resolve("a.tsv"));
    write("a.tsv.gz", gzip(list.toByteArray()));
    piecesUntilABorderIsMissed();
  }

  /** Pieces up to the first missed border are right; returns how many documents these have. */
  private int piecesUntilABorderIsMissed() throws Exception {
    SourceReading whole = read(Docno.TREC_ID, Long.MAX_VALUE).getFirst();
    assertThat(whole.docs).hasSize(LINES);
    assertThat(whole.skips.all()).isEmpty();
    List<SourceReading> pieces = read(Docno.TREC_ID, TARGET);
    assertThat(pieces).hasSizeGreaterThan(3);
    int from = 0;
    for (SourceReading piece : pieces) {
      int to = from + piece.docs.size();
      assertThat(piece.docs).isEqualTo(whole.docs.subList(from, to));
      from = to;
      if (piece.missedBorders > 0) {
        return from;
      }
    }
    assertThat(from).isEqualTo(LINES);
    return from;
  }

  private String format(SourceOptions options) throws Exception {
    Crawl crawl = Crawl.open(List.of(root), List.of(), options, SkipListener.NONE);
    try (DocumentReader reader =
        crawl
            .splits(Long.MAX_VALUE)
            .iterator()
            .next()
            .open(SkipListener.NONE, HeapGuard.UNLIMITED)) {
      assertThat(reader.next()).isNotNull();
      return reader.format();
    }
  }

  private void write(String list) throws Exception {
    Files.write(root.resolve("a.tsv"), list.getBytes(UTF_8));
  }
}
