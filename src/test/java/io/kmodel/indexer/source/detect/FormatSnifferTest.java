package io.kmodel.indexer.source.detect;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.source.ContentType;
import io.kmodel.indexer.source.Format;
import io.kmodel.indexer.source.record.ContentSniffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class FormatSnifferTest {
  @Test
  void archivesAreToldByTheirFirstBytesWhateverTheirName() {
    assertThat(sniff("WARC/1.0\r\nWARC-Type: warcinfo", "x")).isEqualTo(Format.WARC);
    assertThat(sniff("WARC/0.18\nWARC-Type: warcinfo", "x.txt")).isEqualTo(Format.WARC);
    assertThat(sniff("WARC/ is a format", "x.warc")).isEqualTo(Format.TEXT);
    assertThat(sniff("filedesc://a.arc 0.0.0.0 19960923142103 text/plain 76\n", "x"))
        .isEqualTo(Format.ARC);
  }

  @Test
  void trecIsADocWithADocno() {
    assertThat(sniff("\n<DOC>\n<DOCNO> FT911-1 </DOCNO>", "ft911_1")).isEqualTo(Format.TREC);
    assertThat(sniff("<doc><docno>1</docno>", "x")).isEqualTo(Format.TREC);
    assertThat(sniff("<DOC>ument", "x")).isEqualTo(Format.TEXT);
    assertThat(sniff("<html><DOC><DOCNO>", "x")).isEqualTo(Format.TEXT);
  }

  @Test
  void jsonLinesAreObjectsWithAnIdAndATextOrCalledSo() {
    assertThat(sniff("{\"id\": \"1\", \"contents\": \"a\"}\n", "x.json")).isEqualTo(Format.JSONL);
    assertThat(sniff("\uFEFF{\"_id\":\"1\",\"title\":\"\",\"text\":\"\"}", "corpus"))
        .isEqualTo(Format.JSONL);
    assertThat(sniff("{\"id\": 1, \"contents\": \"" + "a".repeat(9000), "x"))
        .isEqualTo(Format.JSONL);
    assertThat(sniff("{\"other\": 1}\n", "x.jsonl.zst")).isEqualTo(Format.JSONL);
    assertThat(sniff("{\"other\": 1}\n", "x.json")).isEqualTo(Format.TEXT);
    assertThat(sniff("{braces}", "x.jsonl")).isEqualTo(Format.TEXT);
    // As of MS MARCO's second collection of documents, whose ids come last.
    assertThat(sniff("{\"url\": \"u\", \"body\": \"" + "a".repeat(9000), "msmarco_v2_doc_00.gz"))
        .isEqualTo(Format.JSONL);
    assertThat(sniff("{\"id\": 1, \"contents\": \"a\", \"score\": NaN}\n{", "x.json"))
        .isEqualTo(Format.JSONL);
    assertThat(sniff("{\"menu\": {\"id\": \"file\", \"text\": \"heron\"}}\n", "x.json"))
        .isEqualTo(Format.TEXT);
    assertThat(sniff("{\"id\": \"schema\", \"properties\": \"" + "a".repeat(9000), "x.json"))
        .isEqualTo(Format.TEXT);
  }

  @Test
  void jsonIsAnObjectOrAnArrayOfObjectsThatHaveAnIdAndATextThemselves() {
    String long9000 = "a".repeat(9000);
    for (String json :
        List.of(
            "{\n \"id\": 1,\n \"contents\": \"a\"}\n",
            "\uFEFF\n{\n \"more\": {\"a\": [1]},\n \"contents\": \"a\", \"_id\": \"\"}",
            "[{\"id\": \"1\", \"contents\": \"a\"}, {\"id\": \"2\", \"contents\": \"b\"}]",
            "[\n  {\n    \"docid\": \"1\", \"text\": \"",
            "{\"id\": 1,\n\"text\": \"called .jsonl, but no lines\"}\n",
            "{\n \"id\": 1,\n \"text\": [null, null, \"a\"]}\n",
            "{\"id\": 1,\n\"contents\": [{\"of\": {\"a\": [1]}, \"type\": \"tweet\", \"content\": \"c\"}]}",
            "[{\"id\": \"1\", \"contents\": \"" + long9000,
            "{\"ClueWeb22-ID\": \"clueweb22-en0000-00-00000\",\n\"Clean-Text\": \"" + long9000)) {
      assertThat(sniff(json, "x")).as(json).isEqualTo(Format.JSON);
      assertThat(sniff(json, "x.jsonl")).as(json).isEqualTo(Format.JSON);
    }
    for (String other :
        List.of(
            "{\n \"id\": 1,\n \"more\": {\"contents\": \"a\"}}\n",
            "{\n \"more\": {\"id\": 1,\n \"contents\": \"a\"}}\n",
            "{\n \"id\": [1],\n \"contents\": \"a\"}\n",
            "{\n \"id\": NaN,\n \"contents\": \"a\"}\n",
            "{\n \"id\": 1,\n \"contents\": 2}\n",
            "[[{\"id\": \"1\", \"contents\": \"a\"}]]",
            "[{\"contents\": \"" + long9000,
            "{\"id\": \"http://a.org/\",\n\"items\": [\"" + long9000,
            "[1, 2]",
            "[a link](there)",
            "{\n \"id\": 1, contents: \"a\"}\n")) {
      assertThat(sniff(other, "x.json")).as(other).isEqualTo(Format.TEXT);
    }
  }

  @Test
  void tsvIsCalledSoAndHasTwoToFourFields() {
    assertThat(sniff("0\tThe text\n1\tMore", "collection.tsv")).isEqualTo(Format.TSV);
    assertThat(sniff("D1\thttp://a.org\ttitle\tbody\n", "docs.tsv.gz")).isEqualTo(Format.TSV);
    assertThat(sniff("0\tThe text\n", "collection.txt")).isEqualTo(Format.TEXT);
    assertThat(sniff("a\tb\tc\td\te\n", "x.tsv")).isEqualTo(Format.TEXT);
    assertThat(sniff("no tab\n", "x.tsv")).isEqualTo(Format.TEXT);
  }

  /** A cut line costs itself; one over several lines breaks elsewhere. */
  @Test
  void aListOfJsonWhoseFirstLineIsCutIsOneIfALaterLineIsADocument() {
    String line = "{\"id\": 1, \"contents\": \"a\"}";
    assertThat(sniff("{\"id\": 1, \"contents\": \"a\"\n" + line, "x")).isEqualTo(Format.JSONL);
    assertThat(sniff("{\"id\": 1, \"con\n\n" + line + "\n", "x.json")).isEqualTo(Format.JSONL);
    assertThat(sniff("{\"id\": 1, \"text\": \"a\",\"x\": [\n" + line + "\n]}", "x.json"))
        .isEqualTo(Format.JSON);
    assertThat(sniff("{\"id\": 1, \"text\": \"a\"\n, \"x\": 1}\n", "x")).isEqualTo(Format.JSON);
  }

  @Test
  void whatIsCalledAListIsOneWhereALaterLineStartsSo() {
    String warc = "WARC/1.0\r\nWARC-Type: warcinfo\r\n";
    String arc = "http://a.org/ 0.0.0.0 19960923142103 text/html 76\n";
    String json = "{\"id\": 1, \"contents\": \"a\"}\n";
    assertThat(sniff("\r\n" + warc, "x.warc")).isEqualTo(Format.WARC);
    assertThat(sniff("the rest of a page\r\n\r\n" + warc, "x.wet.gz")).isEqualTo(Format.WARC);
    assertThat(sniff("the rest of a page\r\n\r\n" + warc, "x")).isEqualTo(Format.TEXT);
    assertThat(sniff("the rest WARC/1.0\r\n", "x.warc")).isEqualTo(Format.TEXT);
    assertThat(sniff(arc, "x.arc")).isEqualTo(Format.ARC);
    assertThat(sniff(arc, "x")).isEqualTo(Format.TEXT);
    for (String first : List.of("the rest\"}\n", "# a list\n", "null\n", "[\"id\"]\n")) {
      assertThat(sniff(first + json, "x.jsonl.gz")).isEqualTo(Format.JSONL);
      assertThat(sniff(first + json, "x")).isEqualTo(Format.TEXT);
      assertThat(sniff(first + "{\"id\": 1}\n", "x.ndjson")).isEqualTo(Format.TEXT);
    }
  }

  /** It would be read as UTF-8. */
  @Test
  void utf16IsNoTsv() {
    for (String wide : List.of("0\0\t\0a\0\n\0", "\0" + "0\0\t\0a\0\n")) {
      assertThat(sniff(wide, "x.tsv")).isEqualTo(Format.TEXT);
    }
    byte[] bytes = "0\ttext\n".getBytes(StandardCharsets.UTF_16);
    assertThat(FormatSniffer.of(bytes, 0, bytes.length, "x.tsv")).isEqualTo(Format.TEXT);
  }

  @Test
  void blankLinesBeforeTheFirstDocumentTellNothing() {
    for (String blank : List.of("\n", "\r\n \t\n\n", "\uFEFF\n", "\f\n")) {
      assertThat(sniff(blank + "{\"id\": 1, \"contents\": \"a\"}\n", "x")).isEqualTo(Format.JSONL);
      assertThat(sniff(blank + "0\tThe text\n", "x.tsv")).isEqualTo(Format.TSV);
      assertThat(sniff(blank + "<DOC>\n<DOCNO>1</DOCNO>", "x")).isEqualTo(Format.TREC);
      assertThat(sniff(blank + "\tThe text\n", "x.tsv")).isEqualTo(Format.TEXT);
      assertThat(sniff(blank, "x.tsv")).isEqualTo(Format.TEXT);
    }
  }

  @Test
  void suffixesAreSeenBehindAnyPathInAnyCaseAndBehindAnyCompression() {
    String path = "\u0130\u03a3\ud83d\ude00/".repeat(40) + "x";
    for (String packed : List.of("", ".gz", ".zst", ".zstd", ".bz2", ".xz", ".Z", ".GZ", ".ZSTD")) {
      for (String suffix : List.of(".jsonl", ".ndjson", ".NDJSON", ".JsonL")) {
        assertThat(sniff("{\"other\": 1}\n", path + suffix + packed)).isEqualTo(Format.JSONL);
      }
      assertThat(sniff("0\tThe text\n", path + ".TSV" + packed)).isEqualTo(Format.TSV);
      assertThat(sniff("0\tThe text\n", path + ".tsv.x" + packed)).isEqualTo(Format.TEXT);
      byte[] text = "words".getBytes(StandardCharsets.UTF_8);
      for (String suffix : List.of(".html", ".htm", ".shtml", ".HTM")) {
        assertThat(ContentSniffer.type(text, text.length, path + suffix + packed))
            .isEqualTo(ContentType.HTML);
      }
      for (String suffix : List.of(".xhtml", ".xht", ".XHTML")) {
        assertThat(ContentSniffer.type(text, text.length, path + suffix + packed))
            .isEqualTo(ContentType.XML);
      }
      assertThat(ContentSniffer.type(text, text.length, path + ".html.x" + packed))
          .isEqualTo(ContentType.PLAIN_TEXT);
    }
  }

  @Test
  void everythingElseIsOneDocument() {
    assertThat(sniff("", "x")).isEqualTo(Format.TEXT);
    assertThat(sniff("<!doctype html>", "x.warc")).isEqualTo(Format.TEXT);
    assertThat(sniff("words", "x")).isEqualTo(Format.TEXT);
  }

  private static Format sniff(String start, String name) {
    byte[] bytes = ("???" + start).getBytes(StandardCharsets.UTF_8);
    return FormatSniffer.of(bytes, 3, bytes.length - 3, name);
  }
}
