package io.kmodel.indexer.source.detect;

import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.source.Format;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.SourceReading;
import io.kmodel.indexer.source.record.RecordedSkips;
import io.kmodel.indexer.source.warc.Warcs;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that are read as one text, of which somebody may have meant that they are many. */
class PerhapsRecordsTest {
  /** As C4's lines, which have no id. */
  private static final String C4 = "{\"text\":\"a heron\",\"url\":\"http://a/\"}\n";

  @TempDir Path root;

  @Test
  void linesOfJsonThatNobodyKnowsAreOneTextAndNoted() throws Exception {
    Files.write(root.resolve("c4.json.gz"), Warcs.gzip((C4 + C4).getBytes(UTF_8)));
    Files.writeString(root.resolve("plain.json"), C4 + C4);
    Files.writeString(root.resolve("large.json"), C4.replace("heron", "heron".repeat(20_000)));
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).containsExactly("c4.json.gz", "large.json", "plain.json");
    assertThat(read.texts().getFirst()).isEqualTo(C4 + C4);
    assertThat(read.reasons()).hasSize(3).containsOnly(SkipReason.PERHAPS_RECORDS);
    assertThat(read.skips.all())
        .extracting(RecordedSkips.Skip::detail)
        .allMatch(detail -> detail.startsWith("starts like JSON objects, but no id and text"))
        .allMatch(
            detail ->
                detail.contains(
                    "; if they are records, use --format jsonl, and --json-members if "));
  }

  @Test
  void vectorsAreOneTextAndNoted() throws Exception {
    String line = "{\"id\":\"d\",\"vector\": {\"a\":1}}\n";
    Files.writeString(root.resolve("splade.json"), line + line);
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).containsExactly("splade.json");
    assertThat(read.skips.only().reason()).isEqualTo(SkipReason.PERHAPS_RECORDS);
    assertThat(read.skips.only().detail()).endsWith("if they are, use --format vectors");
  }

  @Test
  void whatIsTooLargeForOneTextSaysSo() throws Exception {
    Files.writeString(root.resolve("a.json"), C4.repeat(1000));
    Files.write(root.resolve("b.json.gz"), Warcs.gzip(C4.repeat(1000).getBytes(UTF_8)));
    SourceReading read = SourceReading.of(root, SourceOptions.withLimit(10_000));
    assertThat(read.reasons()).containsOnly(SkipReason.TOO_LARGE).hasSize(2);
    assertThat(read.skips.all())
        .extracting(RecordedSkips.Skip::detail)
        .allMatch(detail -> detail.contains("; it starts like JSON objects, but "));
  }

  /** XML of another kind may have that as its root. */
  @Test
  void oneDocumentWithAnIdIsReadAsATextAndNoted() throws Exception {
    String text = "<DOC id=\"AFP_1\" type=\"story\">\n<TEXT>\nThe heron\n</TEXT>\n</DOC>\n";
    Files.writeString(root.resolve("a.sgm"), text);
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).containsExactly("a.sgm");
    assertThat(read.skips.only().reason()).isEqualTo(SkipReason.PERHAPS_RECORDS);
    assertThat(read.skips.only().detail())
        .startsWith("is one <DOC> with an id")
        .contains("--format trec");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<?xml version='1.0'?>\n<DOC>\n<DOCNO>1</DOCNO>a</DOC>",
        "<!DOCTYPE DOCS SYSTEM 'd'>\n<DOCS>\n <DOC><DOCNO>1</DOCNO>a</DOC></DOCS>"
      })
  void documentsOfTrecBehindSomethingElseAreNoted(String text) throws Exception {
    Files.writeString(root.resolve("a"), text);
    SourceReading read = SourceReading.of(root);
    assertThat(read.skips.only().reason()).isEqualTo(SkipReason.PERHAPS_RECORDS);
    assertThat(read.skips.only().detail()).contains("--format trec");
    assertThat(SourceReading.of(root, SourceReading.format(Format.TREC)).ids())
        .containsExactly("1");
  }

  @ParameterizedTest
  @CsvSource({
    "a.tsv, no tab, tsv",
    "b.tsv.gz, 'a\tb\tc\td\te', tsv",
    "c.jsonl, words, jsonl",
    "d.ndjson, [1], jsonl",
    "e.warc, the rest of a page, warc",
    "f.arc.gz, the rest of a page, arc",
    "g.wet, '{1}', wet",
  })
  void whatIsCalledAListAndDoesNotStartAsOneIsNoted(String name, String text, String format)
      throws Exception {
    byte[] bytes = text.getBytes(UTF_8);
    Files.write(root.resolve(name), name.endsWith(".gz") ? Warcs.gzip(bytes) : bytes);
    SourceReading read = SourceReading.of(root);
    assertThat(read.texts()).containsExactly(text);
    assertThat(read.skips.only().reason()).isEqualTo(SkipReason.PERHAPS_RECORDS);
    assertThat(read.skips.only().detail())
        .isEqualTo(
            "is named like a list or an archive, but does not start like one; if it is, use"
                + " --format %s",
            format);
  }

  @ParameterizedTest
  @CsvSource({
    "a, '{\"id\": 1, \"text\": \"a\"}', UTF-16, true",
    "b, ' <DOC>\n<DOCNO>1</DOCNO></DOC>', UTF-16LE, true",
    "c.tsv, '0\ttext', UTF-16, true",
    "d.txt, words, UTF-16, false",
    "e.tsv.txt, words, UTF-16LE, false"
  })
  void listsInUtf16AreNoted(String name, String text, Charset charset, boolean noted)
      throws Exception {
    String mark = charset.equals(UTF_16LE) ? "\uFEFF" : "";
    Files.write(root.resolve(name), (mark + text).getBytes(charset));
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).containsExactly(name);
    assertThat(read.skips.all())
        .extracting(RecordedSkips.Skip::detail)
        .isEqualTo(
            noted
                ? List.of("is UTF-16; if it is a list of records, convert it to UTF-8")
                : List.of());
  }

  @Test
  void arraysOfObjectsAreNoted() throws Exception {
    Files.writeString(root.resolve("a.json"), "[{\"name\": 1}, {\"name\": 2}]");
    assertThat(SourceReading.of(root).skips.only().detail())
        .contains("use --format json, and --json-members if ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"name\": \"a package\",\n  \"version\": 1}\n",
        "{\"one\": \"line\"}\n",
        "{\"one\": \"line\"}\nand words\n",
        "{braces}\n{braces}\n",
        "[{\"src\": \"icon.png\", \"of\": {\"a\": 1}}]",
        "<doc id='1'>\n<p>XML</p>\n</doc>\n",
        "<doc id='1'>\n<doc>XML</doc>\n<doc>more</doc></doc>\n",
        "{\"id\": NaN, \"text\": \"a\"}\n",
        "{\"id\": \"1\", \"body\": [{\"type\": \"paragraph\", \"content\": \"a\"}]}\n",
        "{\"id\": \"1\", \"contents\": [{\"type\": \"message\", \"content\": \"a\"}]}\n",
        "[1, 2]",
        "<!DOCTYPE html><p>a <DOC><DOCNO>1</DOCNO></DOC>",
        "words about {\"json\": 1}\n{\"json\": 2}\n"
      })
  void othersAreNot(String text) throws Exception {
    Files.writeString(root.resolve("a"), text);
    SourceReading read = SourceReading.of(root);
    assertThat(read.texts()).isEqualTo(List.of(text));
    assertThat(read.skips.all()).isEmpty();
  }

  /** As source maps and maps of the world. */
  @Test
  void aLongLineOfJsonIsNoListUnlessItIsCalledSo() throws Exception {
    String line = C4.replace("heron", "heron".repeat(20_000)).strip();
    Files.writeString(root.resolve("a.js.map"), line);
    Files.writeString(root.resolve("b.geojson"), line);
    assertThat(SourceReading.of(root).skips.all()).isEmpty();
  }

  @Test
  void whoSaysWhatItIsIsNotDoubted() throws Exception {
    Files.writeString(root.resolve("a"), C4 + C4);
    assertThat(SourceReading.of(root, SourceReading.format(Format.TEXT)).skips.all()).isEmpty();
  }

  /** Of what people pack collections in. */
  @ParameterizedTest
  @ValueSource(strings = {"ARROW1\0\0", "SQLite format 3\0"})
  void tablesAreCalledByTheirNames(String start) throws Exception {
    Files.writeString(root.resolve("a"), start);
    assertThat(SourceReading.of(root).skips.only().detail())
        .matches("starts with the (Arrow|SQLite) signature");
  }

  @Test
  void aTarArchiveSaysThatItIsToBeUnpacked() throws Exception {
    byte[] tar = new byte[1024];
    System.arraycopy("a.txt".getBytes(UTF_8), 0, tar, 0, 5);
    System.arraycopy("ustar".getBytes(UTF_8), 0, tar, 257, 5);
    Files.write(root.resolve("a.tar.gz"), Warcs.gzip(tar));
    assertThat(SourceReading.of(root).skips.only().detail())
        .isEqualTo("a tar archive; unpack it to index its files");
  }
}
