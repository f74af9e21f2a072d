package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kmodel.indexer.parse.Nearest;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** What options are by the environment and the file of settings. */
class SettingsTest {
  @TempDir Path directory;
  private final Map<String, String> environment = new HashMap<>();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void theFileInTheRepositoryHasEveryOptionWithItsDefault() throws IOException {
    assertThat(Path.of("config/indexer.properties"))
        .as("made by: bin/indexer settings > config/indexer.properties")
        .content()
        .isEqualTo(SettingsText.of(Commands.all()));
  }

  @Test
  void everyLineOfItMayBeTakenInAsItIs() throws IOException {
    String all = SettingsText.of(Commands.all()).replaceAll("(?m)^#(?=[a-z])", "");
    assertThat(defaults(settings(all, List.of("build")))).isEqualTo(defaults(null));
  }

  @Test
  void theCommandLineGoesBeforeTheEnvironmentAndThatBeforeTheFile() throws IOException {
    String file = file("build.max-expansion = 7\nbuild.html = jsoup\nbuild.quiet = true\n");
    assertThat(valueOf("--max-expansion", "--config", file)).isEqualTo("7");
    environment.put("INDEXER_BUILD_MAX_EXPANSION", "8");
    assertThat(valueOf("--max-expansion", "--config", file)).isEqualTo("8");
    assertThat(valueOf("--max-expansion", "--config", file, "--max-expansion", "9")).isEqualTo("9");
    assertThat(valueOf("--html", "--config=" + file)).isEqualToIgnoringCase("jsoup");
    assertThat(valueOf("--html")).isEqualToIgnoringCase("fast");
  }

  @Test
  void aFlagThatIsSetInTheFileStaysSetAndCanBeTakenBack() throws IOException {
    String file = file("build.quiet = true\n");
    assertThat(valueOf("--quiet", "--config", file)).isEqualTo("true");
    assertThat(valueOf("--quiet", "--config", file, "--quiet")).isEqualTo("true");
    assertThat(valueOf("--quiet", "--config", file, "--quiet=false")).isEqualTo("false");
  }

  @Test
  void everyFlagIsSetByItsNameWhateverItsDefault() {
    for (Setting setting : Setting.allOf(Commands.all())) {
      OptionSpec option = setting.option();
      if (option.arity().max() == 0) {
        assertThat(option.fallbackValue()).as(setting.key()).isEqualTo("true");
      }
    }
  }

  @Test
  void theEnvironmentNamesTheFileWhereTheCommandLineDoesNot() throws IOException {
    environment.put("INDEXER_CONFIG", file("build.max-expansion = 7\n"));
    assertThat(valueOf("--max-expansion")).isEqualTo("7");
    Path other = Files.writeString(directory.resolve("other"), "build.max-expansion = 6\n");
    assertThat(valueOf("--max-expansion", "--config", other.toString())).isEqualTo("6");
  }

  @Test
  void whatFollowsTheEndOfOptionsNamesNoFile() throws IOException {
    String file = file("build.max-expansion = 7\n");
    List<String> call = List.of("build", "--", "--config=" + file, "--config", file);
    assertThat(defaults(Settings.of(Commands.all(), environment, call))).isEqualTo(defaults(null));
  }

  @Test
  void theShortNameOfTheBudgetCountsAfterTheLongOne() throws IOException {
    environment.put("INDEXER_MEMORY", "1g");
    assertThat(valueOf("--memory")).isEqualTo(String.valueOf(1L << 30));
    environment.put("INDEXER_BUILD_MEMORY", "2g");
    assertThat(valueOf("--memory")).isEqualTo(String.valueOf(2L << 30));
  }

  /** A call knows its own command only, but settings of others are neither mistakes nor lost. */
  @Test
  void settingsOfOtherCommandsAreTakenInByACallThatKnowsOne() throws IOException {
    List<String> others =
        List.of("search.model", "experiment.build.rounds", "export.lucene.segments");
    for (String other : others) {
      String file = file("build.max-expansion = 7\n" + other + " = 9\n");
      List<String> call = List.of("build", "crawl", "--config", file);
      Settings settings = Settings.of(Commands.of("build"), environment, call);
      assertThat(defaults(settings)).containsEntry("--max-expansion", "7");
      runKnowingOne("stats", "nothing", "--config", file);
      assertThat(err.toString()).contains("no index at nothing");
      assertThat(err.toString()).doesNotContain(file);
    }
    environment.put("INDEXER_SEARCH_MODL", "bm25");
    runKnowingOne("stats", "nothing");
    assertThat(err.toString()).contains("the nearest is INDEXER_SEARCH_MODEL");
  }

  @ParameterizedTest
  @CsvSource({
    "'buidl.threads = 4\nnonsense', line 1: there is no setting 'buidl.threads'; the nearest is",
    "'log = json\nnonsense\nbuidl.threads = 4', line 2: expected key = value; got 'nonsense'",
    "'search.modl = bm25\nsearch.modl = bm25', line 1: there is no setting 'search.modl'; the nearest",
    "'search.model = bm25\nsearch.model = bm25', line 2: 'search.model' was set in line 1 already"
  })
  void theFirstMistakeIsToldWhateverTheCallKnows(String text, String message) throws IOException {
    String[] call = {"stats", "nothing", "--config", file(text)};
    for (CommandLine program : List.of(Commands.all(), Commands.of(call))) {
      assertThat(run(program, call)).isEqualTo(ExitCode.USAGE);
      assertThat(err.toString()).contains("settings, " + message);
    }
  }

  @Test
  void anUnknownVariableOfACommandIsWarnedOf() {
    environment.put("INDEXER_BUILD_THREDS", "4");
    environment.put("INDEXER_OTHER", "4");
    environment.put("INDEXER_JAVA_HOME", "/jdk");
    environment.put("INDEXER_LOG_FILE", "log");
    assertThat(run("completion")).isEqualTo(ExitCode.OK);
    assertThat(err.toString().strip())
        .isEqualTo(
            "indexer: warning: INDEXER_BUILD_THREDS in the environment is no setting; the nearest"
                + " is INDEXER_BUILD_THREADS");
  }

  @Test
  void unknownVariablesAreWarnedOfInOrderAndAsTheLogIsWanted() throws IOException {
    for (String name : List.of("B", "A", "D", "C")) {
      environment.put("INDEXER_BUILD_" + name, "4");
    }
    environment.put("INDEXER_LOG", "json");
    assertThat(run("completion")).isEqualTo(ExitCode.OK);
    assertThat(err.toString().lines())
        .allMatch(line -> line.contains("\"event\":\"warning\""))
        .extracting(line -> line.replaceFirst(".*?INDEXER_BUILD_(.).*", "$1"))
        .containsExactly("A", "B", "C", "D");
  }

  @Test
  void anEmptyVariableNamesNoFile() {
    environment.put("INDEXER_CONFIG", "");
    assertThat(run("completion")).as("%s", err).isEqualTo(ExitCode.OK);
  }

  @Test
  void theOptionForTheFileWithoutAnyIsAMistake() {
    assertThat(run("stats", "nothing", "--config")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--config");
  }

  @Test
  void aWordThatBeginsWithAnAtIsNoFileOfArguments() throws IOException {
    Path more = Files.writeString(directory.resolve("more"), "--config " + file("log = json"));
    for (String word : List.of("@" + more, "@" + directory, "@nothing", "@@more")) {
      assertThat(run("verify", word)).isEqualTo(ExitCode.USAGE);
      assertThat(err.toString())
          .isEqualTo("indexer: no index at %s: nothing is there%n".formatted(word));
    }
  }

  @Test
  void anUnknownKeyIsAnErrorWithFileLineAndTheNearestKey() throws IOException {
    String file = file("# all is well\n\nbuild.thread = 4\n");
    assertThat(run("stats", "nothing", "--config", file)).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .isEqualTo(
            "indexer: %s, line 3: there is no setting 'build.thread'; the nearest is 'build.threads'%n",
            file);
  }

  @Test
  void whatIsNoSettingIsAnErrorWithFileAndLine() throws IOException {
    assertThat(run("stats", "nothing", "--config", file("build.threads 4\n"))).isEqualTo(2);
    assertThat(err.toString()).contains(", line 1: expected key = value; got 'build.threads 4'");
    assertThat(run("stats", "nothing", "--config", file("\n= 4\n"))).isEqualTo(2);
    assertThat(err.toString()).contains(", line 2: expected key = value; got '= 4'");
    assertThat(run("stats", "x", "--config", file("build.html=fast\n\nbuild.html=jsoup")))
        .isEqualTo(2);
    assertThat(err.toString()).contains(", line 3: 'build.html' was set in line 1 already");
    Path binary = Files.write(directory.resolve("binary"), new byte[] {(byte) 0xff, (byte) 0xfe});
    assertThat(run("stats", "x", "--config", binary.toString())).isEqualTo(2);
    assertThat(err.toString()).contains(binary + ": is not text in UTF-8");
    assertThat(run("stats", "x", "--config", directory + "/none")).isEqualTo(2);
    assertThat(err.toString()).contains("no such file or directory: " + directory + "/none");
    assertThat(run("stats", "x", "--config", directory.toString())).isEqualTo(2);
  }

  /** As when as many files are open as may be, of which a call knows nothing. */
  @Test
  void aFileThatIsThereAndCannotBeReadIsAFailureAndNoMistake() {
    Path failing = Path.of("/proc/self/mem");
    assumeTrue(Files.isReadable(failing), "no file whose reading fails");
    assertThat(run("stats", "x", "--config", failing.toString())).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).startsWith("indexer: ");
    environment.put("INDEXER_CONFIG", failing.toString());
    assertThat(run("stats", "x")).isEqualTo(ExitCode.FAILED);
  }

  @Test
  void aBadValueIsAnErrorThatSaysWhereItIs() throws IOException {
    String[] build = {"build", "corpus-samples/site", "-o", directory + "/index", "--config", ""};
    build[5] = file("\nbuild.threads = many\n");
    assertThat(run(build)).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains("'--threads'", "'many'", "; it is build.threads in " + build[5] + ", line 2");
    build[5] = file("build.max-document = 0");
    assertThat(run(build)).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("got 0; it is build.max-document in ", ", line 1");
    environment.put("INDEXER_BUILD_MEMORY", "1m");
    build[5] = file("");
    assertThat(run(build)).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("; it is INDEXER_BUILD_MEMORY in the environment");
    assertThat(directory.resolve("index")).doesNotExist();
  }

  @Test
  void aMistakeOnTheCommandLineIsNotBlamedOnTheFile() throws IOException {
    String file = file("build.max-document = 1m");
    assertThat(run("build", "crawl", "-o", "index", "--config", file, "--max-document", "0"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("got 0").doesNotContain(file);
    assertThat(run("build", "crawl", "-o", "index", "--config", file, "--max-document=0"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("got 0").doesNotContain(file);
  }

  @Test
  void aValueThatHangsOnAShortNameIsGiven() throws IOException {
    String file = file("evaluate.level = 1");
    for (String level : List.of("-l0", "-l=0", "--level=0")) {
      assertThat(run("evaluate", "run", "qrels", level, "--config", file))
          .isEqualTo(ExitCode.USAGE);
      assertThat(err.toString())
          .as(level)
          .startsWith("indexer: --level must be at least 1; got 0\n");
    }
    String wrong = file("evaluate.level = 0");
    assertThat(run("evaluate", "--config", wrong, "--", "-l1", "qrels")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("got 0; it is evaluate.level in ");
  }

  @Test
  void aMistakeInAnOptionIsNotBlamedOnOneWhoseNameBeginsItsOwn() throws IOException {
    String file = file("build.analyzer = german");
    String chain = directory.toString();
    assertThat(run("build", "crawl", "--config", file, "--analyzer-chain", chain))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--analyzer-chain").doesNotContain("; it is ");
  }

  /** It is for many calls; on the command line it would be a mistake. */
  @Test
  void anOptionThatAnotherHasNoUseForIsOneOfTheSettingsAllTheSame() throws IOException {
    environment.put(
        "INDEXER_CONFIG", file("build.segments = 1\nsearch.k1 = 0.9\nsearch.model = ql\n"));
    String index = directory + "/index";
    assertThat(run("build", "corpus-samples/trec/docs", "--output", index)).as("%s", err).isZero();
    assertThat(run("search", index, "river")).as("%s", err).isZero();
    assertThat(run("search", index, "river", "--model", "bm25")).as("%s", err).isZero();
    assertThat(run("search", index, "river", "--k1=0.9")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains("--k1 is a parameter of --model=bm25, not of ql; it is search.model in ");
    String[] build = {
      "build", "corpus-samples/trec/docs", "--output", index + 2, "--segments", "1"
    };
    assertThat(run(build)).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--segments is about --export, which is not given");
    build[4] = "--export";
    build[5] = "ciff:" + index + ".ciff";
    assertThat(run(build)).as("%s", err).isZero();
  }

  /** A key stands once in a file, and a variable has one value. */
  @Test
  void whatMayBeGivenMoreThanOnceIsOneSettingAllTheSame() throws IOException {
    environment.put(
        "INDEXER_CONFIG",
        file(
            """
            build.json-members = id=doi;contents=abstract,body
            build.combine = both=title,contents; other=title
            build.field-analyzer = both=whitespace;other=whitespace
            """));
    Path papers = directory.resolve("papers");
    Files.writeString(papers, "{\"doi\":\"d1\",\"abstract\":\"heron\",\"body\":\"river\"}\n");
    String index = directory + "/index";
    assertThat(run("build", papers.toString(), "-o", index, "--format", "jsonl"))
        .as("%s", err)
        .isZero();
    assertThat(run("search", index, "river", "--fields", "both")).as("%s", err).isZero();
    assertThat(out.toString()).contains("d1", "river");
    assertThat(run("build", "corpus-samples/trec/docs", "-o", index + 2)).as("%s", err).isZero();
    environment.put("INDEXER_BUILD_JSON_MEMBERS", "doi");
    assertThat(run("build", papers.toString(), "-o", index + 3, "--format", "jsonl"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains(
            "--json-members: members of JSON are named", "; it is INDEXER_BUILD_JSON_MEMBERS");
  }

  /** The message was that there is no such setting, and that it is the nearest. */
  @Test
  void aByteOrderMarkCountsForNothing() throws IOException {
    environment.put("INDEXER_CONFIG", file("\uFEFFbuild.max-expansion = 7\n"));
    assertThat(valueOf("--max-expansion")).isEqualTo("7");
    environment.put("INDEXER_CONFIG", file("\uFEFF"));
    assertThat(valueOf("--max-expansion")).isEqualTo("1000");
    environment.put("INDEXER_CONFIG", file("log = text\n\uFEFFbuild.max-expansion = 7\n"));
    assertThatThrownBy(() -> valueOf("--max-expansion"))
        .hasMessageContaining(", line 2: there is no setting ");
  }

  /** maxExpansion is what it is called inside. */
  @Test
  void aValueThatCannotBeIsSaidOfTheOption() throws IOException {
    String output = directory + "/index";
    assertThat(run("build", "corpus-samples/site", "-o", output, "--max-expansion", "0"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).startsWith("indexer: --max-expansion must be at least 1; got 0\n");
    assertThat(run("build", "corpus-samples/site", "-o", output, "--threads=0"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).startsWith("indexer: --threads must be at least 1; got 0\n");
    environment.put("INDEXER_SEARCH_B", "2");
    assertThat(run("build", "corpus-samples/trec/docs", "-o", output)).isZero();
    assertThat(run("search", output, "river")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).startsWith("indexer: --b must be 0 to 1; got 2.0; it is INDEXER_");
  }

  @ParameterizedTest
  @CsvSource({
    "STEMMER, krovetz, --analyzer=standard",
    "STOP_WORDS, '', --analyzer=whitespace",
    "MAX_TOKEN_LENGTH, 9, --language=de",
    "FIELD_ANALYZER, title=german, --fields=contents"
  })
  void whatGoesWithNoAnalyzerOrFieldSaysWhereItIs(String variable, String value, String option)
      throws IOException {
    environment.put("INDEXER_BUILD_" + variable, value.isEmpty() ? file("heron\n") : value);
    assertThat(run("build", "corpus-samples/site", "-o", directory + "/index", option))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains("; it is INDEXER_BUILD_%s in the environment".formatted(variable));
  }

  @Test
  void theNearestKeyTakesTheFewestEdits() {
    assertThat(Nearest.distance("", "abc")).isEqualTo(3);
    assertThat(Nearest.distance("kitten", "sitting")).isEqualTo(3);
    assertThat(Nearest.distance("abc", "abc")).isZero();
    List<String> known = List.of("build.html", "log", "lag");
    assertThat(Nearest.of("log.", known)).hasValue("log");
    assertThat(Nearest.of("build", known)).as("begins so").hasValue("build.html");
    for (String other : List.of("", "foo", "x", "html")) {
      assertThat(Nearest.of(other, known)).as(other).isEmpty();
    }
  }

  @Test
  void errorsAreEventsWhereTheLogIsJson() throws IOException {
    assertThat(run("build", "crawl", "--log", "json")).isEqualTo(ExitCode.USAGE);
    JsonNode event = new ObjectMapper().readTree(err.toString());
    assertThat(err.toString().lines()).hasSize(1);
    assertThat(event.get("event").asText()).isEqualTo("error");
    assertThat(event.get("message").asText()).contains("name --output, --export or both");
    assertThat(event.get("exitCode").asInt()).isEqualTo(ExitCode.USAGE);
    assertThat(run("verify", "nothing", "--config", file("log = json\n"))).isNotZero();
    assertThat(err.toString()).startsWith("{\"time\":\"").contains("\"event\":\"error\"");
    assertThat(run("verify", "nothing", "--config", file("log = json\n"), "--log", "text"))
        .isNotZero();
    assertThat(err.toString()).startsWith("indexer: no index at nothing");
  }

  /** Values that the options of build have without any on the command line, by name. */
  private static Map<String, String> defaults(@Nullable Settings settings) {
    CommandLine program = Commands.all();
    if (settings != null) {
      program.setDefaultValueProvider(settings);
    }
    CommandLine build = buildOf(program);
    program.parseArgs("build", "crawl");
    Map<String, String> values = new HashMap<>();
    build.getCommandSpec().options().stream()
        .filter(option -> !option.usageHelp() && !option.versionHelp())
        .forEach(o -> values.put(o.longestName(), Objects.toString(o.getValue())));
    return values;
  }

  private Settings settings(String text, List<String> arguments) throws IOException {
    environment.put("INDEXER_CONFIG", file(text));
    return Settings.of(Commands.all(), environment, arguments);
  }

  /** The value that an option of build comes to. */
  private String valueOf(String option, String... arguments) throws IOException {
    CommandLine program = Commands.all();
    String[] all = new String[arguments.length + 2];
    all[0] = "build";
    all[1] = "crawl";
    System.arraycopy(arguments, 0, all, 2, arguments.length);
    program.setDefaultValueProvider(Settings.of(program, environment, List.of(all)));
    program.parseArgs(all);
    OptionSpec spec = buildOf(program).getCommandSpec().findOption(option);
    return Objects.toString(spec.getValue());
  }

  private static CommandLine buildOf(CommandLine program) {
    return Objects.requireNonNull(program.getSubcommands().get("build"));
  }

  private String file(String text) throws IOException {
    return Files.writeString(directory.resolve("settings"), text).toString();
  }

  private int run(String... arguments) {
    return run(Commands.all(), arguments);
  }

  private int runKnowingOne(String... arguments) {
    return run(Commands.of(arguments), arguments);
  }

  private int run(CommandLine program, String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    program.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    return Main.execute(program, environment, arguments);
  }
}
