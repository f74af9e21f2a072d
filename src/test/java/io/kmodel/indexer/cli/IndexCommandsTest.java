package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kmodel.indexer.cli.base.ByteSize;
import io.kmodel.indexer.cli.base.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Commands that look at an index, and how they end. */
class IndexCommandsTest extends CommandCalls {
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
  void whatALimitLeavesOutIsSaidAndNothingElse() throws IOException {
    assertThat(run("terms", index(), "b", "--limit", "1")).isZero();
    assertThat(out.toString()).contains("bridge").doesNotContain("more");
    assertThat(run("terms", index(), "--limit", "4")).isZero();
    assertThat(out.toString())
        .contains("river")
        .endsWith("… and more; raise --limit to show them\n");
    assertThat(run("terms", index(), "--limit", "5")).isZero();
    assertThat(out.toString()).contains("stone").doesNotContain("more");
    assertThat(run("postings", index(), "river", "--limit", "2")).isZero();
    assertThat(out.toString()).contains("2× of", "at 0 1\n", "1 more document");
    assertThat(run("postings", index(), "river")).isZero();
    assertThat(out.toString()).contains("at 0 1\n").doesNotContain("more", "…");
  }

  @Test
  void aFieldThatTheIndexDoesNotHaveIsAMistakeThatNamesThoseThatItHas() throws IOException {
    for (String command : List.of("terms", "postings")) {
      assertThat(run(command, index(), "river", "--field", "foo")).isEqualTo(ExitCode.USAGE);
      assertThat(err.toString())
          .startsWith("indexer: the index has no field 'foo'; it has contents, id, title\n");
    }
  }

  /** Analyzers that split at spaces leave them in terms, and ids are terms as they are. */
  @Test
  void termsDoNothingToATerminal() throws IOException {
    Path crawl = Files.createDirectory(directory.resolve("odd"));
    Files.writeString(crawl.resolve("a.tsv"), "an\033[31mid\tred\u202Edoor red\u202Edoor\n");
    String index = directory.resolve("odd-index").toString();
    String[] build = {
      "build", crawl.toString(), "-o", index, "--format", "tsv", "--analyzer", "whitespace"
    };
    assertThat(run(build)).as("%s", err).isZero();
    assertThat(run("stats", index)).as("%s", err).isZero();
    assertThat(out.toString()).contains("  red\\u202edoor\n").doesNotContain("\u202E");
    assertThat(run("postings", index, "red\u202Edoor")).isZero();
    assertThat(out.toString()).startsWith("'red\\u202edoor' in contents: 1 document, ");
    assertThat(run("postings", index, "an\033[31mid", "--field", "id")).isZero();
    assertThat(out.toString()).startsWith("'an\\x1b[31mid' in id: ").doesNotContain("\033");
  }

  @Test
  void statisticsAreShownAsTextAndAsJson() throws IOException {
    String index = index();
    assertThat(run("stats", index)).as(err.toString()).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .contains("bits per posting", "(Heaps)", "(Zipf)", "longest lists", "The text of title");
    String text = out.toString();
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
    assertThat(text).containsPattern("\nall files +" + ByteSize.format(bytes) + "\n");
  }
}
