package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ObjectArrays;
import io.kmodel.indexer.cli.base.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Metadata as a user builds, filters, shows and exports it. */
class MetadataCommandsTest extends CommandCalls {
  private String crawl = "";
  private String index = "";

  @BeforeEach
  void writeCrawl() throws IOException {
    crawl =
        Files.writeString(
                directory.resolve("pages.jsonl"),
                """
                {"id":"a","contents":"river bank","published":2019,"day":"2021-03-05","place":"Aare"}
                {"id":"b","contents":"river mouth","published":2021,"day":"2021-12-31T23:59:59.999Z"}
                {"id":"c","contents":"lake","published":"soon","place":"Bern; old\\u0007"}
                """)
            .toString();
    index = directory.resolve("index").toString();
  }

  private void build(String output, String... more) {
    String[] call = {
      "build", crawl, "-o", output, "--json-metadata", "year=published:int,day=day:date,place=place"
    };
    succeed(ObjectArrays.concat(call, more, String.class));
  }

  @Test
  void searchesAreFilteredAndShowWhatIsAskedFor() throws IOException {
    build(index);
    assertThat(
            run(
                "search",
                index,
                "river lake",
                "--filter",
                "day:[2021 TO 2021]",
                "--show",
                "year,day"))
        .as(err.toString())
        .isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .contains("2 documents for 'river lake'")
        .contains("     year: 2019; day: 2021-03-05T00:00:00Z")
        .contains("     year: 2021; day: 2021-12-31T23:59:59.999Z");
    run("search", index, "lake", "--show", "place,year", "--filter", "-day:*");
    assertThat(out.toString()).contains("     place: Bern; old\\x07").doesNotContain("year:");
    assertThat(run("search", index, "lake", "--filter", "host:x")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("the index has no column 'host'; it has day, place, year");
    assertThat(run("search", index, "lake", "--show", "hosts")).isEqualTo(ExitCode.USAGE);
    assertThat(run("search", index, "+place:Aare +river")).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("1 document for");
    run("search", index, "year:2019");
    assertThat(err.toString()).contains("'year' is a column of numbers");
    assertThat(run("terms", index, "--field", "year")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("'year' is a column of numbers, which has no terms");
    assertThat(run("document", index, "a", "--field", "year")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("'year' is a column of metadata, not a stored text");
    assertThat(run("search", index, "lake", "--filter", " ")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("the filter is empty; write it like host:example.org");
  }

  /** Documents that are added are read like the first ones. */
  @Test
  void languagesAreDetectedAndFiltered() throws IOException {
    Path texts =
        Files.writeString(
            directory.resolve("texts.jsonl"),
            """
            {"id":"a","contents":"The river flows past the old town and its bridges."}
            {"id":"b","contents":"Der Fluss fließt an der alten Stadt und ihren Brücken vorbei."}
            {"id":"c","contents":"404"}
            """);
    succeed("build", texts.toString(), "-o", index, "--detect-language");
    Files.writeString(
        texts,
        "{\"id\":\"d\",\"contents\":\"Der Hafen liegt am Ende der Stadt, er ist sehr alt und wird nicht mehr gebraucht.\"}\n");
    succeed("append", index, texts.toString());
    run("search", index, "der alt", "--filter", "detected-language:de", "--json");
    JsonNode hits = new ObjectMapper().readTree(out.toString()).get("hits");
    assertThat(hits).extracting(hit -> hit.get("id").asText()).containsExactlyInAnyOrder("b", "d");
    assertThat(run("search", index, "404", "--filter", "detected-language:*"))
        .isEqualTo(ExitCode.INCOMPLETE);
  }

  @Test
  void membersThatAreNotReadAreCountedByName() throws IOException {
    Files.writeString(
        Path.of(crawl),
        "{\"id\":\"d\",\"contents\":\"x\",\"day\":{\"of\":1}}\n",
        StandardOpenOption.APPEND);
    assertThat(run("build", crawl, "-o", index)).as(err.toString()).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .contains(
            "  not read       8 members of JSON objects\n    3 day\n    3 published\n    2 place\n");
    assertThat(
            run(
                "build",
                crawl,
                "-o",
                index,
                "--overwrite",
                "--format",
                "jsonl",
                "--json-members",
                "title=place"))
        .as(err.toString())
        .isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .contains("  not read       6 members of JSON objects\n    3 day\n    3 published\n");
    build(directory.resolve("other").toString());
    assertThat(out.toString()).doesNotContain("not read");
  }

  @Test
  void namesThatNoDocumentHasAValueForAreInTheReport() throws IOException {
    for (String target : new String[] {"--output", "--export"}) {
      String to =
          (target.equals("--export") ? "lucene:" : "") + directory.resolve(target.substring(2));
      assertThat(
              run(
                  "build",
                  crawl,
                  target,
                  to,
                  "--metadata-from",
                  "year=yaer:int,town=plaec,place=place"))
          .as(err.toString())
          .isEqualTo(ExitCode.OK);
      assertThat(out.toString())
          .contains("noted          no document has a value for town, year\n");
      Path report = directory.resolve(target.substring(2)).resolve("report.json");
      assertThat(new ObjectMapper().readTree(report.toFile()).get("emptyColumns").toString())
          .isEqualTo("[\"town\",\"year\"]");
    }
  }

  @Test
  void topicsAreFilteredAndARunHasNoOtherColumns() throws IOException {
    build(index);
    Path topics = Files.writeString(directory.resolve("topics.tsv"), "1\triver\n2\tlake\n");
    String run = directory.resolve("run").toString();
    assertThat(
            run("search", index, "--topics", topics.toString(), "--run", run, "--filter", "year:*"))
        .as(err.toString())
        .isEqualTo(ExitCode.OK);
    assertThat(Files.readAllLines(Path.of(run)))
        .hasSize(2)
        .allMatch(line -> line.matches("1 Q0 [ab] [12] [0-9.]+ indexer"));
    assertThat(run("search", index, "--topics", topics.toString(), "--run", run, "--show", "year"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--show needs a QUERY");
  }

  @Test
  void everyExportSaysWhatBecomesOfMetadata() throws IOException {
    build(index, "--store", "contents");
    assertThat(run("stats", index)).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .containsPattern("day +date +2  2021-03-05T00:00:00Z to 2021-12-31T23:59:59.999Z")
        .containsPattern("place +string +2\\R")
        .containsPattern("year +int +2  2019 to 2021");
    assertThat(run("stats", index, "--json")).isEqualTo(ExitCode.OK);
    JsonNode stats = new ObjectMapper().readTree(out.toString()).get("columns");
    assertThat(stats.toString())
        .isEqualTo(
            "[{\"name\":\"day\",\"type\":\"date\",\"documents\":2,\"least\":\"2021-03-05T00:00:00Z\","
                + "\"greatest\":\"2021-12-31T23:59:59.999Z\"},"
                + "{\"name\":\"place\",\"type\":\"string\",\"documents\":2},"
                + "{\"name\":\"year\",\"type\":\"int\",\"documents\":2,\"least\":2019,\"greatest\":2021}]");
    String lines = directory.resolve("bulk").toString();
    assertThat(run("export", "ndjson", index, lines)).isEqualTo(ExitCode.OK);
    assertThat(Files.readAllLines(Path.of(lines)))
        .contains(
            "{\"contents\":\"river bank\",\"title\":\"\",\"day\":\"2021-03-05T00:00:00Z\",\"place\":\"Aare\",\"year\":2019}",
            "{\"contents\":\"lake\",\"title\":\"\",\"place\":\"Bern; old\\u0007\"}");
    String ciff = directory.resolve("x.ciff").toString();
    assertThat(run("export", "ciff", index, ciff)).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains(", without metadata, which CIFF does not hold;");
    assertThat(run("verify", index, "--deep")).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("9 stored texts read, 2 strings of metadata compared");
  }

  @Test
  void aLuceneIndexIsBuiltDirectlyWithMetadata() throws IOException {
    Path target = directory.resolve("lucene");
    assertThat(
            run(
                "build",
                crawl,
                "--export",
                "lucene:" + target,
                "--json-metadata",
                "year=published:int,place=place"))
        .as(err.toString())
        .isEqualTo(ExitCode.OK);
    try (Directory files = FSDirectory.open(target);
        DirectoryReader reader = DirectoryReader.open(files)) {
      IndexSearcher searcher = new IndexSearcher(reader);
      assertThat(searcher.count(new TermQuery(new Term("place", "Aare")))).isEqualTo(1);
      assertThat(searcher.count(LongPoint.newRangeQuery("year", 2019, 2020))).isEqualTo(1);
    }
  }

  @Test
  void appendedDocumentsHaveTheSameColumns() throws IOException {
    build(index);
    Path more =
        Files.writeString(
            directory.resolve("more.jsonl"),
            "{\"id\":\"d\",\"contents\":\"river\",\"published\":1999}\n");
    assertThat(run("append", index, more.toString())).as(err.toString()).isEqualTo(ExitCode.OK);
    assertThat(run("search", index, "river", "--filter", "year:[* TO 2000]", "--show", "year"))
        .isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("1 document for 'river'", "year: 1999");
    String plain = directory.resolve("plain").toString();
    assertThat(run("build", crawl, "-o", plain)).isEqualTo(ExitCode.OK);
    assertThat(run("merge", index, plain, "-o", directory.resolve("merged").toString()))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains(
            "have different columns: only ",
            " has day (date), place (string), year (int); only ",
            " has none");
  }
}
