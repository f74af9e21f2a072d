package io.kmodel.indexer.cli.command;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kmodel.indexer.cli.CommandCalls;
import io.kmodel.indexer.cli.base.ExitCode;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.store.FSDirectory;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

/** What a build says to people and machines, and what its options make. */
class BuildCommandTest extends CommandCalls {
  @Test
  void aBuildsLogForMachinesIsAnEventALine() throws IOException {
    String index = directory.resolve("index").toString();
    assertThat(run("build", "corpus-samples/site", "-o", index, "--threads", "1", "--log", "json"))
        .isEqualTo(ExitCode.INCOMPLETE);
    List<JsonNode> events = events();
    assertThat(stages(events, "begin"))
        .containsExactly("scanning", "parsing", "merging", "finishing");
    assertThat(stages(events, "end")).isEqualTo(stages(events, "begin"));
    assertThat(listed(events, "skipped"))
        .containsExactly(tuple("binary content", "odd/picture.png"));
    assertThat(listed(events, "noted"))
        .containsExactlyInAnyOrder(
            tuple("nesting limit reached", "odd/nested.html"),
            tuple("bytes invalid in their charset", "odd/invalid.txt"));
    JsonNode report = only(events, "report").get("result");
    assertThat(report.get("documents").asInt()).isEqualTo(124);
    assertThat(report.get("skipped").get("binary content").asInt()).isEqualTo(1);

    assertThat(run("verify", index, "--log=json")).isEqualTo(ExitCode.OK);
    assertThat(stages(events(), "begin")).containsExactly("verifying");
    assertThat(only(events(), "report").get("result").get("documents").asInt()).isEqualTo(124);
    assertThat(run("verify", index, "--log=json", "--quiet")).isEqualTo(ExitCode.OK);
    assertThat(out.toString() + err).isEmpty();
    assertThat(run("postings", index, "absent-term", "--log=json")).isEqualTo(ExitCode.INCOMPLETE);
    assertThat(only(events(), "note").get("message").asText()).contains("absent-term");
  }

  /** Options are looked at before: a limit of Lucene's is none, nor is a fault of the program's. */
  @Test
  void whatABuildFindsIllegalIsAFailureAndNoWrongUsage() {
    BuildCommand.Build refused =
        () -> {
          throw new IllegalArgumentException("too many documents");
        };
    assertThatThrownBy(() -> BuildCommand.run(refused))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("too many documents")
        .hasCauseInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void metadataThatCannotBeReadIsCountedByColumn() throws IOException {
    Path crawl = Files.createDirectory(directory.resolve("crawl"));
    Path file =
        Files.writeString(
            crawl.resolve("docs.jsonl"),
            """
            {"id":"1","text":"a","year":"unknown","date":"2012"}
            {"id":"2","text":"b","year":2001,"date":"soon"}
            {"id":"3","text":"c","year":"?"}
            """);
    String index = directory.resolve("index").toString();
    String[] build = {
      "build",
      crawl.toString(),
      "-o",
      index,
      "--metadata",
      "date",
      "--json-metadata",
      "year=year:int"
    };
    assertThat(run(build)).as("%s", err).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .contains(
            "noted          metadata date: not a date: 1 document",
            "noted          metadata year: not a whole number of 64 bits: 2 documents",
            "docs.jsonl at byte 101: year: not a whole number of 64 bits: '?'");
    assertThat(Files.readString(Path.of(index, "skipped.jsonl")).lines()).hasSize(3);
    assertThat(run("append", index, file.toString(), "--duplicates=keep")).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("year: not a whole number of 64 bits: 2 documents");
    for (String wrong :
        List.of("--metadata=dates", "--metadata-from=title=x", "--metadata=date,date")) {
      assertThat(run("build", crawl.toString(), "-o", index + "2", wrong))
          .as(wrong)
          .isEqualTo(ExitCode.USAGE);
    }
  }

  @Test
  void nearDuplicatesAreNamedAndLeftOutOnRequest() throws IOException {
    String words = "the heron waits by the river until the rain has gone again";
    Path file =
        Files.writeString(
            directory.resolve("docs.jsonl"),
            """
            {"id":"1","text":"%1$s"}
            {"id":"2","text":"%1$s!"}
            {"id":"3","text":"another text, which has other words than those"}
            """
                .formatted(words));
    String index = directory.resolve("index").toString();
    assertThat(run("build", file.toString(), "-o", index, "--near-duplicates=report"))
        .as("%s", err)
        .isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .contains("noted          near duplicate: 1 document", "similarity 1.00 to 1");
    String[] skip = {
      "build",
      file.toString(),
      "-o",
      index,
      "--overwrite",
      "--near-duplicates=skip",
      "--near-duplicate-similarity=0.9"
    };
    assertThat(run(skip)).isEqualTo(ExitCode.INCOMPLETE);
    assertThat(out.toString())
        .contains("index of 2 documents", "    1 near duplicate")
        .doesNotContain("noted");
    String lucene = "--export=lucene:" + directory.resolve("lucene");
    for (String output : List.of("--output=" + index + "3", lucene)) {
      assertThat(run("build", "corpus-samples/formats/birds.tsv", output, "--near-duplicates=skip"))
          .as("%s", err)
          .isEqualTo(ExitCode.OK);
      assertThat(out.toString()).contains("  noted          near duplicate: 0 documents");
    }
    assertThat(
            run(
                "build",
                "corpus-samples/formats",
                "--format=vectors",
                "-o",
                index + "2",
                "--near-duplicates=skip"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("which vectors do not have");
  }

  @Test
  void rowsOfParquetAreNamedByRowGroupAndRow() throws IOException {
    Path birds = Path.of("corpus-samples/formats/birds.parquet").toAbsolutePath();
    Path copy = Files.copy(birds, directory.resolve("copy.parquet"));
    String index = directory.resolve("index").toString();
    String[] build = {
      "build",
      birds.toString(),
      copy.toString(),
      "-o",
      index,
      "--near-duplicates=report",
      "--metadata-from=y=title:int"
    };
    assertThat(run(build)).as("%s", err).isEqualTo(ExitCode.OK);
    String second = "similarity 1.00 to parquet-tern in %s, row group 0, row 1".formatted(birds);
    assertThat(out.toString())
        .contains(
            copy + ", row group 0, row 1: " + second,
            copy + ", row group 0, row 1: y: not a whole number of 64 bits: 'Tern'");
    assertThat(Files.readString(Path.of(index, "skipped.jsonl")))
        .contains(
            "\"offset\":4,\"reason\":\"near duplicate\",\"detail\":\"row group 0, row 1: " + second,
            "\"detail\":\"row group 0, row 1: y: not a whole number of 64 bits: 'Tern'\"");
  }

  /** It is there, but no query finds it. */
  @Test
  void aDocumentInAWrongCharsetIsKeptInPartWithAdvice() throws IOException {
    Path crawl = Files.createDirectory(directory.resolve("crawl"));
    byte[] heron = "<p>Серая цапля ждёт в камышах</p>".getBytes(Charset.forName("KOI8-R"));
    Files.write(crawl.resolve("a.html"), heron);
    Files.write(crawl.resolve("b.txt"), "Серая цапля".getBytes(Charset.forName("KOI8-R")));
    Files.write(crawl.resolve("c.txt"), "A caf\u00e9 in Pisa".getBytes(ISO_8859_1));
    String index = directory.resolve("index").toString();
    assertThat(run("build", crawl.toString(), "-o", index)).isEqualTo(ExitCode.INCOMPLETE);
    assertThat(out.toString())
        .contains(
            "3 documents",
            "noted          bytes invalid in their charset: 1 document",
            "kept in part   2 documents",
            "or <meta charset>, would name it",
            "convert the file to UTF-8");
    assertThat(Files.readString(Path.of(index, "skipped.jsonl")))
        .contains("\"reason\":\"damaged charset\"");
  }

  private static List<Tuple> listed(List<JsonNode> events, String event) {
    return events.stream()
        .filter(e -> e.get("event").asText().equals(event))
        .map(e -> tuple(e.get("reason").asText(), e.get("document").asText()))
        .toList();
  }

  @Test
  void offsetsAreKeptShownAndExported() throws IOException {
    Path crawl = Files.createDirectory(directory.resolve("pages"));
    Files.writeString(crawl.resolve("a.txt"), "a \uD83D\uDE00 heron, and a heron");
    String index = directory.resolve("offsets").toString();
    assertThat(run("build", crawl.toString(), "-o", index, "--offsets")).as("%s", err).isZero();
    assertThat(run("postings", index, "heron", "--offsets")).isZero();
    assertThat(out.toString()).contains("2× of       6  a.txt  at 2[5-10] 5[18-23]");
    assertThat(run("postings", index, "heron")).isZero();
    assertThat(out.toString()).contains("2× of       6  a.txt  at 2 5\n");
    for (String level : List.of("--deep", "--deep=false")) {
      assertThat(run("verify", index, level)).as(err.toString()).isZero();
    }
    String lucene = directory.resolve("lucene").toString();
    String built = directory.resolve("built").toString();
    assertThat(run("export", "lucene", index, lucene, "--check", "slow")).isZero();
    assertThat(run("build", crawl.toString(), "--export", "lucene:" + built, "--offsets=true"))
        .isZero();
    for (String made : List.of(lucene, built)) {
      try (FSDirectory files = FSDirectory.open(Path.of(made));
          DirectoryReader reader = DirectoryReader.open(files)) {
        assertThat(FieldInfos.getMergedFieldInfos(reader).fieldInfo("contents").getIndexOptions())
            .isEqualTo(IndexOptions.DOCS_AND_FREQS_AND_POSITIONS_AND_OFFSETS);
      }
    }
    assertThat(run("search", index, "heron")).isZero();
    assertThat(out.toString()).contains("[heron], and a [heron]");
    String ciff = directory.resolve("offsets.ciff").toString();
    assertThat(run("export", "ciff", index, ciff)).as(err.toString()).isZero();
    assertThat(run("postings", index(), "river", "--offsets")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("the index has no offsets of contents");
    for (String target : List.of("--output=" + lucene, "--dry-run")) {
      assertThat(run("build", crawl.toString(), target, "--offsets", "--positions=false"))
          .isEqualTo(ExitCode.USAGE);
      assertThat(err.toString()).contains("--offsets needs positions");
    }
  }

  @Test
  void aReportSaysWhatTheDocumentsWereReadFrom() {
    String index = directory.resolve("index").toString();
    assertThat(run("build", "corpus-samples/formats", "-o", index)).isEqualTo(ExitCode.OK);
    assertThat(out.toString().lines().dropWhile(line -> !line.equals("  read from")).limit(6))
        .containsExactly(
            "  read from",
            "    jsonl        2 documents, 98 B",
            "    parquet      2 documents, 98 B",
            "    trec         2 documents, 187 B",
            "    tsv          2 documents, 98 B",
            "    warc         2 documents, 144 B");
  }

  @Test
  void aDryRunSaysWhatABuildWouldReadAndWritesNothing() throws IOException {
    Path index = directory.resolve("index");
    String[] build = {"build", "corpus-samples/site", "-o", index.toString(), "--dry-run"};
    assertThat(run(build)).as(err.toString()).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .contains("nothing was written", "html gzip", "skipped", "about ", " free", "factor of 3");
    assertThat(directory).isEmptyDirectory();
    assertThat(run("build", "corpus-samples/site", "--dry-run", "--log=json")).isEqualTo(0);
    JsonNode estimate = only(events(), "report").get("result");
    assertThat(estimate.get("diskBytes").asLong()).isPositive();
    assertThat(estimate.get("files").size()).isEqualTo(5);
    assertThat(run("build", "no-such-crawl", "--dry-run")).isEqualTo(ExitCode.FAILED);
    assertThat(run("build", "corpus-samples/site", "--dry-run", "--memory=256m", "--threads=90"))
        .isEqualTo(ExitCode.USAGE);
  }

  private List<JsonNode> events() throws IOException {
    List<JsonNode> events = new ArrayList<>();
    for (String line : err.toString().lines().toList()) {
      JsonNode event = new ObjectMapper().readTree(line);
      assertThat(Instant.parse(event.get("time").asText())).isBefore(Instant.now());
      events.add(event);
    }
    return events;
  }

  private static List<String> stages(List<JsonNode> events, String state) {
    return events.stream()
        .filter(e -> e.path("state").asText().equals(state))
        .map(e -> e.get("stage").asText())
        .toList();
  }

  private static JsonNode only(List<JsonNode> events, String name) {
    List<JsonNode> found =
        events.stream().filter(e -> e.get("event").asText().equals(name)).toList();
    assertThat(found).as(name).hasSize(1);
    return found.getFirst();
  }
}
