package io.kmodel.indexer.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kmodel.indexer.cli.base.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** What is said of settings that cannot be. */
class SettingsMistakesTest extends SettingsCalls {
  @ParameterizedTest
  @CsvSource({
    "'log = json\nbuidl.threads = 4', there is no setting 'buidl.threads'; the nearest is",
    "'nonsense', there is no setting 'nonsense'",
    "'search.modl = bm25\n"
        + "zoo = 1', there is no setting 'search.modl'; the nearest is 'search.model'",
    "'build.html = \\u00zz', Malformed",
  })
  void aMistakeIsReportedWhicheverCommandsTheCallKnows(String text, String message)
      throws IOException {
    String[] call = {"stats", "nothing", "--config", file(text)};
    for (CommandLine program : List.of(Commands.all(), Commands.of(call))) {
      assertThat(run(program, call)).isEqualTo(ExitCode.USAGE);
      assertThat(err.toString()).contains("settings: " + message);
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
            "indexer: warning: INDEXER_BUILD_THREDS in the environment is not a setting; the"
                + " nearest is 'INDEXER_BUILD_THREADS'");
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
  void theOptionForTheFileWithoutAnyIsAMistake() {
    assertThat(run("stats", "nothing", "--config")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--config");
  }

  @Test
  void anUnknownKeyIsAnErrorWithFileAndTheNearestKey() throws IOException {
    String file = file("# all is well\n\nbuild.thread = 4\n");
    assertThat(run("stats", "nothing", "--config", file)).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .isEqualTo(
            "indexer: %s: there is no setting 'build.thread'; the nearest is 'build.threads'%n",
            file);
  }

  @Test
  void aFileThatIsNotOneOfSettingsIsAnError() throws IOException {
    assertThat(run("stats", "nothing", "--config", file("\n= 4\n"))).isEqualTo(2);
    assertThat(err.toString()).contains("settings: there is no setting ''");
    assertThat(run("stats", "x", "--config", file("\uFEFFbuild.html=fast"))).isEqualTo(2);
    assertThat(err.toString()).contains("settings: starts with a byte order mark; remove it");
    Path binary = Files.write(directory.resolve("binary"), new byte[] {(byte) 0xff, (byte) 0xfe});
    assertThat(run("stats", "x", "--config", binary.toString())).isEqualTo(2);
    assertThat(err.toString()).contains(binary + ": is not text in UTF-8");
    assertThat(run("stats", "x", "--config", directory + "/none")).isEqualTo(2);
    assertThat(err.toString()).contains("no such file or directory: " + directory + "/none");
    assertThat(run("stats", "x", "--config", directory.toString())).isEqualTo(2);
    assertThat(err.toString()).contains(directory + ": is a directory, not a file");
    assertThat(run("stats", "x", "--config", "-")).isEqualTo(2);
    assertThat(err.toString()).contains("no such file or directory: -");
  }

  @Test
  void aPipeIsNoFileOfSettings() throws Exception {
    Path pipe = directory.resolve("pipe");
    assumeTrue(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0, "no mkfifo");
    assertThat(run("stats", "x", "--config", pipe.toString())).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains(pipe + ": settings must be in a regular file");
    assertThat(run("stats", "nothing", "--config", "/dev/null")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("no index at nothing");
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
        .contains("'--threads'", "'many'", "; it is build.threads in " + build[5]);
    build[5] = file("build.max-document = 0");
    assertThat(run(build)).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("got 0; it is build.max-document in " + build[5]);
    environment.put("INDEXER_MEMORY", "4 gigs");
    assertThat(run(build)).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains("'4 gigs' is not a size", "; it is INDEXER_MEMORY in the environment");
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
  void aMistakeInAnOptionIsNotBlamedOnOneWhoseNameBeginsItsOwn() throws IOException {
    String file = file("build.analyzer = german");
    String chain = directory.toString();
    assertThat(run("build", "crawl", "--config", file, "--analyzer-chain", chain))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--analyzer-chain").doesNotContain("; it is ");
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
}
