package io.kmodel.indexer.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kmodel.indexer.cli.CommandCalls;
import io.kmodel.indexer.cli.base.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a search says beside its answer, and how a file of topics is answered. */
class SearchCommandTest extends CommandCalls {
  private static final String NO_FOO =
      "the index has no field 'foo' to search in; it has contents, id, title";
  private static final String LONG =
      IntStream.range(0, 1025).mapToObj(i -> "w" + i).collect(Collectors.joining(" "));

  private String index = "";

  @BeforeEach
  void build() throws IOException {
    Path crawl = Files.createDirectory(directory.resolve("crawl"));
    Files.writeString(crawl.resolve("a.txt"), "a heron");
    Files.writeString(crawl.resolve("b.txt"), "a bittern");
    index = directory.resolve("index").toString();
    assertThat(run("build", crawl.toString(), "--output", index, "--threads", "1"))
        .as("%s", err)
        .isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "foo:heron",
        "foo:\"a heron\"",
        "foo:her*",
        "foo:h?ron",
        "foo:heron~",
        "foo:/her.n/",
        "foo:[a TO z]",
        "(+foo:heron +contents:heron)^2",
        "(bittern -foo:heron) heron"
      })
  void aFieldThatTheIndexDoesNotHaveIsSaidOnStandardError(String query) {
    run("search", index, query);
    assertThat(err.toString()).isEqualTo("indexer: warning: " + NO_FOO + "\n");
    assertThat(out.toString()).contains(" for '" + query + "' (").doesNotContain("no field");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"heron", "*:*", "title:foo contents:foo id:foo", "foo\\:heron", "foo nothing"})
  void ofFieldsThatThereAreNothingIsSaid(String query) {
    run("search", index, query);
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void inAFileOfTopicsAFieldThatThereIsNotIsSaidOnce() throws IOException {
    String lines = "1\theron\n2\tfoo:heron bar:heron\n3\tfoo:heron bittern\n";
    assertThat(answer(lines, "--syntax", "lucene")).isEqualTo(ExitCode.OK);
    assertThat(err.toString().lines())
        .containsExactlyInAnyOrder(
            "indexer: warning: topic 2: " + NO_FOO,
            "indexer: warning: topic 2: " + NO_FOO.replace("foo", "bar"));
    assertThat(topicsOfRun()).containsExactly("1", "3");
    assertThat(answer(lines)).as("words are no syntax").isEqualTo(ExitCode.OK);
    assertThat(err.toString()).isEmpty();
  }

  /** One topic too long for Lucene ended the run of all. */
  @Test
  void aTopicThatCannotBeAnsweredIsReportedAndTheOthersAreAnswered() throws IOException {
    assertThat(answer("7\theron\n8\t" + LONG + "\n9\tbittern\n")).isEqualTo(ExitCode.INCOMPLETE);
    assertThat(err.toString())
        .isEqualTo(
            "indexer: warning: topic 8 was not answered: a query can have at most 1024 distinct"
                + " words; got 1025\n");
    assertThat(out.toString()).endsWith("run: 2 topics, 2 documents\n");
    assertThat(topicsOfRun()).containsExactly("7", "9");
    assertThat(answer("7\theron (\n8\t" + LONG + "\n9\tbittern\n", "--syntax", "lucene"))
        .isEqualTo(ExitCode.INCOMPLETE);
    assertThat(err.toString())
        .contains("topic 7 was not answered: cannot parse query 'heron ('")
        .contains("topic 8 was not answered: a query can have at most 1024 clauses\n");
    assertThat(topicsOfRun()).containsExactly("9");
  }

  /** It ended the run of all, as a failure. */
  @Test
  void aTopicWithoutTheWantedPartsIsReportedAndTheOthersAreAnswered() throws IOException {
    String topics = "<top><num>7<desc>bittern</top>\n<top><num>8<title>heron<desc>bittern</top>\n";
    assertThat(answer(topics)).isEqualTo(ExitCode.INCOMPLETE);
    assertThat(err.toString())
        .isEqualTo("indexer: warning: topic 7 was not answered: it has no title\n");
    assertThat(topicsOfRun()).containsExactly("8");
    assertThat(answer(topics, "--topic-parts", "desc")).isZero();
    assertThat(topicsOfRun()).containsExactly("7", "8");
    assertThat(answer(topics, "--topic-parts", "title,desc")).isZero();
    assertThat(topicsOfRun()).containsExactly("7", "8", "8");
    assertThat(answer(topics, "--topic-parts", "body")).isEqualTo(ExitCode.USAGE);
  }

  /** No run was written, and nothing said so. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "--run=x",
        "--tag=x",
        "--syntax=lucene",
        "--topic-parts=desc",
        "--topics-encoding=windows-1252"
      })
  void whatIsAboutTopicsIsRefusedWithAQuery(String option) {
    assertThat(run("search", index, "heron", option)).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains(
            option.replaceFirst("=.*", "") + " has no effect without --topics, which is not given");
  }

  @Test
  void aQueryThatBeginsWithAHyphenIsNoOptionBehindTwo() {
    assertThat(run("search", index, "-bittern")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("Unknown option", "Arguments after -- are never options.");
    assertThat(run("search", index, "--bittern")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).doesNotContain("Arguments after --");
    run("search", index, "--", "-bittern");
    assertThat(out.toString()).contains(" for '-bittern' (");
  }

  @Test
  void noTopicsAndNoDocumentsHaveOneExitCode() throws IOException {
    assertThat(answer("7\theron\n")).isEqualTo(ExitCode.OK);
    assertThat(answer("8\tnowhere\n")).isEqualTo(ExitCode.INCOMPLETE);
    assertThat(err.toString()).contains("no documents were found for any topic", "not written");
    assertThat(answer("\n")).isEqualTo(ExitCode.INCOMPLETE);
    assertThat(err.toString()).contains("topics has no topics: ", "not written");
    assertThat(topicsOfRun()).containsExactly("7");
  }

  @Test
  void aRunWithoutAnyAnswerReplacesNothing() throws IOException {
    assertThat(answer("7\theron\n")).isEqualTo(ExitCode.OK);
    assertThat(answer("8\t" + LONG + "\n")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains("topic 8 was not answered: ", "topics: none of the topics could be answered");
    assertThat(topicsOfRun()).containsExactly("7");
  }

  /** It is for many calls, and would leave no call for a query. */
  @Test
  void aQueryGoesBeforeASettingOfTopics() throws IOException {
    Path topics = Files.writeString(directory.resolve("topics"), "7\theron\n");
    Map<String, String> set = Map.of("INDEXER_SEARCH_TOPICS", topics.toString());
    assertThat(runWith(set, "search", index, "bittern")).as("%s", err).isZero();
    assertThat(out.toString()).startsWith("1 document for 'bittern' (");
    assertThat(runWith(set, "search", index, "bittern", "--tag=x")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--tag has no effect without --topics, which is not given");
    assertThat(runWith(set, "search", index, "--run", "-")).as("%s", err).isZero();
    assertThat(out.toString()).startsWith("7 Q0 a.txt 1 ");
    assertThat(run("search", index, "bittern", "--topics", topics.toString()))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("give either a QUERY or --topics FILE");
    assertThat(run("search", index)).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("give either a QUERY or --topics FILE");
  }

  @Test
  void aRunWithoutAnyLineReplacesNothing() throws IOException {
    assertThat(answer("7\theron\n")).isEqualTo(ExitCode.OK);
    assertThat(answer("8\tnothing\n9\tnone\n")).isEqualTo(ExitCode.INCOMPLETE);
    assertThat(err.toString())
        .isEqualTo(
            "indexer: warning: no documents were found for any topic: "
                + directory.resolve("run")
                + " is not written\n");
    assertThat(out.toString()).isEmpty();
    assertThat(topicsOfRun()).containsExactly("7");
  }

  @Test
  void aRunGoesToStandardOutputWhereItIsAskedFor() throws IOException {
    Path topics = Files.writeString(directory.resolve("topics"), "7\theron\n");
    for (String name : List.of("-", "/dev/stdout")) {
      assertThat(run("search", index, "--topics", topics.toString(), "--run", name)).isZero();
      assertThat(out.toString()).startsWith("7 Q0 a.txt 1 ").hasLineCount(1);
      assertThat(err.toString()).isEqualTo("standard output: 1 topic, 1 document\n");
    }
    assertThat(Path.of("-")).doesNotExist();
  }

  /** They are not in the run, and trec_eval takes its means over the others. */
  @Test
  void topicsForWhichNothingIsFoundAreCounted() throws IOException {
    assertThat(answer("7\theron\n8\tnothing\n9\tnone\n")).isZero();
    assertThat(out.toString())
        .contains("run: 3 topics, 1 document\nno documents were found for 2 of the topics, ");
    assertThat(answer("7\theron\n")).isZero();
    assertThat(out.toString()).doesNotContain("no documents were found");
  }

  /** The name of a temporary file stood there, or none. */
  @Test
  void aRunThatCannotBeWrittenIsNamedAsItWasGiven() throws IOException {
    Path topics = Files.writeString(directory.resolve("topics"), "7\theron\n");
    Path missing = directory.resolve("missing/run");
    assertThat(run("search", index, "--topics", topics.toString(), "--run", missing.toString()))
        .isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).isEqualTo("indexer: %s: no such directory%n".formatted(missing));
    assumeTrue(Files.exists(Path.of("/dev/full")), "there is no /dev/full");
    assertThat(run("search", index, "--topics", topics.toString(), "--run", "/dev/full"))
        .isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).startsWith("indexer: /dev/full: ").hasLineCount(1);
  }

  private List<String> topicsOfRun() throws IOException {
    return Files.readAllLines(directory.resolve("run")).stream()
        .map(line -> line.split(" ", 2)[0])
        .toList();
  }

  private int answer(String topics, String... options) throws IOException {
    Path file = Files.writeString(directory.resolve("topics"), topics);
    String to = directory.resolve("run").toString();
    List<String> call =
        new ArrayList<>(List.of("search", index, "--topics", file.toString(), "--run", to));
    call.addAll(List.of(options));
    return run(call.toArray(String[]::new));
  }
}
