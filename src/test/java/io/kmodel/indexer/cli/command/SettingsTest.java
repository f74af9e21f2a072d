package io.kmodel.indexer.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.cli.option.Setting;
import io.kmodel.indexer.cli.option.SettingsText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** What options are by the environment and the file of settings. */
class SettingsTest extends SettingsCalls {
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
    assertThat(err.toString()).contains("the nearest is 'INDEXER_SEARCH_MODEL'");
  }

  @Test
  void anEmptyVariableNamesNoFile() {
    environment.put("INDEXER_CONFIG", "");
    assertThat(run("completion")).as("%s", err).isEqualTo(ExitCode.OK);
  }

  @Test
  void aWordThatBeginsWithAnAtIsNoFileOfArguments() throws IOException {
    Path more = Files.writeString(directory.resolve("more"), "--config " + file("log = json"));
    for (String word : List.of("@" + more, "@" + directory, "@nothing", "@@more")) {
      assertThat(run("verify", word)).isEqualTo(ExitCode.USAGE);
      assertThat(err.toString())
          .isEqualTo("indexer: no index at %s: no such directory%n".formatted(word));
    }
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
    assertThat(err.toString())
        .contains("--segments has no effect without --export, which is not given");
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
            "--json-members: JSON members must be given", "; it is INDEXER_BUILD_JSON_MEMBERS");
  }

  @Test
  void theFileIsAPropertiesFile() throws IOException {
    environment.put(
        "INDEXER_CONFIG",
        file(" build.max-expansion: 7 \r\n!build.html = jsoup\nbuild.language = d\\u0065\n"));
    assertThat(valueOf("--max-expansion")).isEqualTo("7");
    assertThat(valueOf("--html")).isEqualToIgnoringCase("fast");
    assertThat(valueOf("--language")).isEqualTo("de");
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

  private int runKnowingOne(String... arguments) {
    return run(Commands.of(arguments), arguments);
  }
}
