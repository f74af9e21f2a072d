package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.cli.base.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.SegmentReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Fields, analyzers and exports as a user asks for them. */
class FieldsCommandTest extends CommandCalls {
  private String crawl = "";
  private String index = "";

  @BeforeEach
  void writeCrawl() throws IOException {
    Path pages = Files.createDirectory(directory.resolve("crawl"));
    Files.writeString(
        pages.resolve("haus.html"),
        "<meta charset=utf-8><title>Die Häuser</title><h1>Am Fluß</h1><p>Alte Brücken."
            + " <a>Mehr</a>");
    Files.writeString(pages.resolve("other.html"), "<title>Other</title><h2>Bridges</h2>rivers");
    crawl = pages.toString();
    index = directory.resolve("index").toString();
  }

  @Test
  void queriesAreAnalyzedAsTheIndexIs() throws IOException {
    Path stop = Files.writeString(directory.resolve("stop.txt"), "alte\n");
    build(
        "--language", "de", "--stop-words", stop.toString(), "--fields", "title,contents,headings");
    Files.delete(stop);
    assertThat(run("search", index, "brücke")).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("1. haus.html", "[Brücken]");
    assertThat(run("search", index, "headings:fluss")).isEqualTo(ExitCode.OK);
    assertThat(run("search", index, "alte")).isEqualTo(ExitCode.INCOMPLETE);
    assertThat(run("stats", index)).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("analyzer   german, 1 custom stop words");
  }

  @Test
  void anIndexWithoutContentsIsSearchedInAllItsFields() {
    build(
        "--fields",
        "headings",
        "--combine",
        "all=title,headings",
        "--field-analyzer",
        "all = whitespace");
    assertThat(run("search", index, "Bridges")).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("1 document for 'Bridges'");
    assertThat(run("stats", index)).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .contains("analyzer   standard", "           all: whitespace")
        .contains("field.all.parts title,headings");
    assertThat(run("terms", index, "Br", "--field", "all")).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("Bridges");
  }

  @Test
  void aPretokenizedTextKeepsItsTermsAsTheyStand() {
    build("--pretokenized");
    assertThat(run("search", index, "Brücken.")).isEqualTo(ExitCode.OK);
    assertThat(run("search", index, "brücken")).isEqualTo(ExitCode.INCOMPLETE);
  }

  @Test
  void aBuildExportsToCiff() {
    String file = directory.resolve("out.ciff.gz").toString();
    build("--export", "ciff:" + file);
    assertThat(run("import", "ciff", file, "-o", directory.resolve("back").toString()))
        .as(err.toString())
        .isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("an index of 2 documents");
    assertThat(run("build", crawl, "-o", index + 2, "--export", "ciff:" + file))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--overwrite");
    assertThat(directory.resolve("index2")).doesNotExist();
  }

  @Test
  void aLuceneIndexIsCompressedAsAsked() throws IOException {
    for (String codec : new String[] {"best-speed", "best-compression"}) {
      Path target = directory.resolve(codec);
      assertThat(run("build", crawl, "--export", "lucene:" + target, "--codec", codec))
          .as(err.toString())
          .isEqualTo(ExitCode.OK);
      try (Directory lucene = FSDirectory.open(target);
          DirectoryReader reader = DirectoryReader.open(lucene)) {
        SegmentReader segment = (SegmentReader) reader.leaves().get(0).reader();
        assertThat(segment.getSegmentInfo().info.getAttributes().values())
            .anyMatch(mode -> mode.equalsIgnoreCase(codec.replace('-', '_')));
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--language xx | no analyzer for the language 'xx'",
        "--language de --analyzer german | cannot be combined",
        "--analyzer german --stemmer porter | has no parameter 'stemmer'",
        "--fields title,body | unknown part of a document 'body'",
        "--field-analyzer titel=german | field 'titel' has an analyzer but is not indexed",
        "--field-analyzer title=german --field-analyzer title=standard | twice for the field"
            + " 'title'",
        "--combine all=title --combine all=contents | --combine is given twice for the field 'all'",
        "--combine all=title;all=contents | --combine is given twice for the field 'all'",
        "--field-analyzer title | write --field-analyzer like title=whitespace",
        "--field-analyzer title=german=german | unknown analyzer 'german=german'",
        "--export ciff:x | is made from an index: give --output, too",
        "--export lucene:x --lucene-version 9.9 | an index for Lucene 9.9 is made from an index of our own",
        "-o y --export lucene:x --lucene-version 8 | unknown Lucene version '8'; known: 10.6",
        "--export ciff | is not an export target; write it like lucene:DIR or ciff:FILE"
      })
  void whatCannotBeIsAMatterOfUsage(String options, String message) {
    String[] all = ("build " + crawl + " " + options).split(" ", -1);
    if (!options.contains("--export")) {
      all = ("build " + crawl + " -o " + index + " " + options).split(" ", -1);
    }
    assertThat(run(all)).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains(message);
    assertThat(Path.of(index)).doesNotExist();
  }

  /** As Anserini has MS MARCO's documents. */
  @Test
  void headingsOfACollectionMakeAField() throws IOException {
    Files.writeString(
        Path.of(crawl).resolve("docs.jsonl"),
        "{\"docid\": \"D1\", \"url\": \"http://a.org\", \"title\": \"one\", \"headings\": \"two"
            + " three\", \"body\": \"four\"}\n");
    build("--fields", "contents,headings", "--combine", "contents=url,title,headings,contents");
    assertThat(run("postings", index, "three", "--field", "headings")).isEqualTo(ExitCode.OK);
    assertThat(run("postings", index, "three")).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("1× of ", "  D1  at 4");
  }

  @Test
  void appendedPagesLoseTheirBoilerplateAsTheFirstOnesDid() throws IOException {
    String page =
        "<nav>Sitemap</nav><p>%s</p>"
            .formatted("The river rose, and the bridge was closed. ".repeat(9));
    Files.writeString(Path.of(crawl).resolve("flood.html"), page);
    build("--main-content");
    Path added = Files.writeString(directory.resolve("added.html"), page);
    assertThat(run("append", index, added.toString())).as(err.toString()).isEqualTo(ExitCode.OK);
    assertThat(run("search", index, "river")).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("2 documents for 'river'");
    assertThat(run("search", index, "sitemap")).isEqualTo(ExitCode.INCOMPLETE);
    assertThat(run("stats", index)).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("main-content true");
  }

  private void build(String... options) {
    String[] all = new String[options.length + 4];
    System.arraycopy(new String[] {"build", crawl, "-o", index}, 0, all, 0, 4);
    System.arraycopy(options, 0, all, 4, options.length);
    assertThat(run(all)).as(err.toString()).isEqualTo(ExitCode.OK);
  }
}
