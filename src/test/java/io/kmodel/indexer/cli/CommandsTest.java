package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.store.FSDirectory;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Commands in this process: what they print and how they end. */
class CommandsTest {
  @TempDir Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void anIndexGoesToCiffAndBackAndIsSearched() throws IOException {
    String index = index();
    String file = directory.resolve("file.ciff.gz").toString();
    String back = directory.resolve("back").toString();
    assertThat(run("export", "ciff", index, file)).as(err.toString()).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("CIFF of 3 documents, ");
    assertThat(run("export", "ciff", index, file)).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("exists; --overwrite replaces it");
    assertThat(run("import", "ciff", file, "--output", back)).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .contains("an index of 3 documents, ", "description      indexer: field contents")
        .doesNotContain("of the file");
    assertThat(run("verify", back)).as(err.toString()).isEqualTo(ExitCode.OK);
    assertThat(run("search", back, "river")).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("1. first");
    assertThat(run("import")).isEqualTo(ExitCode.USAGE);
    assertThat(run("import", "ciff", file, "-o", back, "--analyzer", "nglish"))
        .isEqualTo(ExitCode.USAGE);
  }

  @Test
  void aFileThatIsNoCiffIsRefusedInOneLine() throws IOException {
    Path file = Files.writeString(directory.resolve("page.html"), "<html>not an index</html>");
    assertThat(run("import", "ciff", file.toString(), "-o", directory.resolve("i").toString()))
        .isEqualTo(ExitCode.FAILED);
    assertThat(err.toString().lines()).hasSize(1);
    assertThat(err.toString()).contains(file + ": before offset ");
  }

  @Test
  void whatACiffFileSaysOfItselfIsShownInOneLine() throws IOException {
    byte[] file = HexFormat.of().parseHex("0C0801" + "4208" + "611B5B33316D0A62");
    Path ciff = Files.write(directory.resolve("file.ciff"), file);
    assertThat(run("import", "ciff", ciff.toString(), "-o", directory.resolve("i").toString()))
        .isEqualTo(ExitCode.OK);
    assertThat(out.toString().lines()).hasSize(2);
    assertThat(out.toString()).contains("description      a\\x1b[31m\\x0ab");
  }

  @Test
  void topicsAreAnsweredByEveryModelAndEvaluated() throws IOException {
    String index = index();
    Path topics =
        Files.writeString(
            directory.resolve("topics.jsonl"), "{\"id\": 1, \"query\": \"river stone\"}\n");
    Path qrels = Files.writeString(directory.resolve("qrels"), "1 0 first 0\n1 0 second 1\n");
    for (String model : List.of("bm25", "ql", "dfr")) {
      String run = directory.resolve(model + ".run").toString();
      assertThat(
              run(
                  "search",
                  index,
                  "--topics",
                  topics.toString(),
                  "--run",
                  run,
                  "--model",
                  model,
                  "--fields",
                  "title^2,contents"))
          .as(err.toString())
          .isEqualTo(ExitCode.OK);
      assertThat(run("evaluate", run, qrels.toString(), "-q")).isEqualTo(ExitCode.OK);
      assertThat(out.toString()).contains("num_q                 \tall\t1\n");
      assertThat(out.toString()).containsPattern("recip_rank +\t1\t[01]\\.[0-9]{4}\n");
      assertThat(out.toString().lines()).allMatch(line -> line.split("\t", -1).length == 3);
      assertThat(run("evaluate", run, qrels.toString(), "--json")).isEqualTo(ExitCode.OK);
      JsonNode json = new ObjectMapper().readTree(out.toString());
      assertThat(json.at("/all/num_rel").asInt()).isEqualTo(1);
      assertThat(json.has("topics")).isFalse();
    }
  }

  @Test
  void valuesAreRoundedAsTrecEvalRoundsThem() throws IOException {
    StringBuilder judged = new StringBuilder();
    for (int i = 0; i < 32; i++) {
      judged.append("tie 0 d%d 1%n".formatted(i));
    }
    for (int i = 0; i < 40; i++) {
      judged.append("below 0 d%d 1%n".formatted(i));
    }
    Path qrels = Files.writeString(directory.resolve("qrels"), judged);
    StringBuilder ranked = new StringBuilder("tie Q0 d0 1 9 t\n");
    for (String id : List.of("a", "d0", "b", "c", "d", "e", "f", "d1")) {
      ranked.append("below Q0 %s 1 %d t%n".formatted(id, -ranked.length()));
    }
    Path run = Files.writeString(directory.resolve("run"), ranked);
    assertThat(run("evaluate", run.toString(), qrels.toString(), "-q")).isEqualTo(ExitCode.OK);
    // 1/32 is as near to 0.0312 as to 0.0313; (1/2 + 2/8) / 40 is a little less than 0.01875.
    assertThat(out.toString())
        .contains("map                   \ttie\t0.0312\n")
        .contains("map                   \tbelow\t0.0187\n");
  }

  @Test
  void verifyLooksAtAllFilesButThoseThatItsHelpNames() throws IOException {
    Path index = Path.of(index());
    assertThat(run("verify", "--help")).isZero();
    String help = out.toString();
    List<Path> files;
    try (Stream<Path> listed = Files.list(index)) {
      files = listed.toList();
    }
    assertThat(files).hasSizeGreaterThan(10);
    for (Path file : files) {
      byte[] bytes = Files.readAllBytes(file);
      byte[] altered = bytes.length == 0 ? new byte[1] : bytes.clone();
      altered[altered.length / 2] ^= 1;
      Files.write(file, altered);
      boolean isNamed = help.contains(file.getFileName().toString());
      assertThat(run("verify", index.toString()))
          .as(file.toString())
          .isEqualTo(isNamed ? ExitCode.OK : ExitCode.FAILED);
      Files.write(file, bytes);
    }
  }

  /** It named the field id, which is refused. */
  @Test
  void theFieldsThatTheHelpOfExportCiffNamesAreExported() throws IOException {
    assertThat(run("export", "ciff", "--help")).isZero();
    Matcher named = Pattern.compile("The field: (.*?), say").matcher(out.toString());
    assertThat(named.find()).isTrue();
    for (String field : named.group(1).split(", | or ", -1)) {
      String file = directory.resolve(field + ".ciff").toString();
      assertThat(run("export", "ciff", index(), file, "--field", field))
          .as(err.toString())
          .isZero();
    }
  }

  @Test
  void aLimitBelowOneIsAMistake() throws IOException {
    for (String limit : List.of("0", "-1")) {
      for (String command : List.of("terms", "postings")) {
        assertThat(run(command, index(), "river", "--limit", limit)).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("--limit must be at least 1; got " + limit);
      }
    }
  }

  @Test
  void topicsInLucenesSyntaxAreParsed() throws IOException {
    String index = index();
    Path topics = Files.writeString(directory.resolve("topics.tsv"), "1\t+river -stone\n");
    Path run = directory.resolve("syntax.run");
    assertThat(
            run(
                "search",
                index,
                "--topics",
                topics.toString(),
                "--run",
                run.toString(),
                "--syntax",
                "lucene"))
        .as(err.toString())
        .isEqualTo(ExitCode.OK);
    assertThat(Files.readString(run)).startsWith("1 Q0 third 1 ").hasLineCount(1);
  }

  @Test
  void aParameterOfAnotherModelIsAMistake() throws IOException {
    assertThat(run("search", index(), "river", "--model", "ql", "--k1", "2"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--k1 is a parameter of --model=bm25, not of ql");
  }

  @Test
  void statisticsAreShownAsTextAndAsJson() throws IOException {
    String index = index();
    assertThat(run("stats", index)).as(err.toString()).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .contains("bits per posting", "(Heaps)", "(Zipf)", "longest lists", "The text of title");
    assertThat(run("stats", index, "--json")).isEqualTo(ExitCode.OK);
    JsonNode json = new ObjectMapper().readTree(out.toString());
    assertThat(json.at("/documentCount").asInt()).isEqualTo(3);
    assertThat(json.at("/corpus/0/longest/0/term").asText()).isEqualTo("river");
    assertThat(json.at("/bitsPerPosting").asDouble()).isPositive();
    long bytes = 0;
    for (JsonNode file : json.get("files")) {
      bytes += file.get("bytes").asLong();
    }
    assertThat(json.at("/bytes").asLong()).isEqualTo(bytes).isPositive();
  }

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
            tuple("nested to the limit", "odd/nested.html"),
            tuple("with bytes outside their charset", "odd/invalid.txt"));
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
      assertThat(err.toString()).contains("--offsets are those of positions");
    }
  }

  @Test
  void aDryRunSaysWhatABuildWouldReadAndWritesNothing() throws IOException {
    Path index = directory.resolve("index");
    String[] build = {"build", "corpus-samples/site", "-o", index.toString(), "--dry-run"};
    assertThat(run(build)).as(err.toString()).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .contains("nothing was written", "html gzip", "left out", "about ", " free", "factor of 3");
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

  @Test
  void theManualPageHasEveryCommandAndOptionAndManReadsIt() throws Exception {
    assertThat(run("manual")).isEqualTo(ExitCode.OK);
    String page = out.toString();
    assertThat(page).startsWith(".TH \"INDEXER\" \"1\"");
    for (CommandLine command : Commands.all().getSubcommands().values()) {
      assertThat(page).contains("\"indexer " + command.getCommandName());
    }
    assertThat(page)
        .containsOnlyOnce("\\fB\\-\\-config\\fR")
        .contains("indexer export ciff INDEX FILE", "\\fB\\-\\-lengths\\fR \\fIWHICH\\fR")
        .doesNotContain("${", "%n");
    Path file = Files.writeString(directory.resolve("indexer.1"), page);
    Path groff = Path.of("/usr/bin/groff");
    if (Files.isExecutable(groff)) {
      Process check =
          new ProcessBuilder(groff.toString(), "-man", "-ww", "-Tutf8", "-z", file.toString())
              .redirectErrorStream(true)
              .start();
      String warnings = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(check.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(warnings).isEmpty();
    }
  }

  @Test
  void bashReadsTheCompletionAndCompletesACommand() throws Exception {
    assertThat(run("completion")).isEqualTo(ExitCode.OK);
    Path script = Files.writeString(directory.resolve("completion"), out.toString());
    ProcessBuilder ask =
        new ProcessBuilder(
            "bash",
            "-c",
            "source \"$1\"; compopt() { :; }; COMP_WORDS=(indexer eval); COMP_CWORD=1; COMP_LINE='indexer eval';"
                + " _complete_indexer; echo \"${COMPREPLY[@]}\"",
            "bash",
            script.toString());
    Process bash = ask.redirectErrorStream(true).start();
    String reply = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(reply.strip()).isEqualTo("evaluate");
  }

  private String index() throws IOException {
    Path index = directory.resolve("index");
    if (!Files.exists(index)) {
      Path crawl = Files.createDirectory(directory.resolve("crawl"));
      page(crawl.resolve("first"), "A river", "river river stone");
      page(crawl.resolve("second"), "", "stone bridge over river");
      page(crawl.resolve("third"), "Nothing", "river nothing");
      assertThat(run("build", crawl.toString(), "-o", index.toString(), "--threads", "1"))
          .as(err.toString())
          .isEqualTo(ExitCode.OK);
    }
    return index.toString();
  }

  private static void page(Path file, String title, String contents) throws IOException {
    Files.writeString(
        file,
        "<!DOCTYPE html><html><head><title>%s</title></head><body><p>%s</p></body></html>"
            .formatted(title, contents));
  }

  /** Runs a command line; what it prints is in {@link #out} and {@link #err} afterwards. */
  private int run(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return Main.execute(
        Commands.all().setOut(new PrintWriter(out)).setErr(new PrintWriter(err)),
        Map.of(),
        arguments);
  }
}
