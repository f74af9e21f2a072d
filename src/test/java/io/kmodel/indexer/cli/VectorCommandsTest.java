package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.cli.base.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sparse vectors from the command line: build, postings, search and topics. */
class VectorCommandsTest extends CommandCalls {
  private String index = "";

  @BeforeEach
  void build() throws IOException {
    Path vectors = directory.resolve("vectors.jsonl");
    Files.write(
        vectors,
        List.of(
            "{\"id\":\"d1\",\"contents\":\"kept to be shown\",\"vector\":{\"a\":3,\"##ing\":20}}",
            "{\"id\":\"d2\",\"vector\":{\"a\":5,\"two words\":4}}"));
    index = directory.resolve("index").toString();
    assertThat(run("build", vectors.toString(), "--format", "vectors", "-o", index))
        .as("%s", err)
        .isZero();
  }

  @Test
  void postingsShowWeightsAndSearchAddsThemUp() {
    assertThat(run("postings", index, "a")).isZero();
    assertThat(out.toString())
        .startsWith("'a' in contents: 2 documents, weights of 8 together")
        .contains("0  weight         3  d1");
    assertThat(run("search", index, "a^2 ##ing")).isZero();
    assertThat(out.toString()).contains("1. d1  (26.000)").contains("2. d2  (10.000)");
    assertThat(run("search", index, "a", "--model", "bm25")).isZero();
    assertThat(out.toString()).doesNotContain("(5.000)");
    assertThat(run("verify", index, "--deep")).isZero();
  }

  @Test
  void topicsAreTokensOrVectors() throws IOException {
    Path run = directory.resolve("run");
    Path tokens = Files.writeString(directory.resolve("topics.tsv"), "7\ta a ##ing\n");
    assertThat(run("search", index, "--topics", tokens.toString(), "--run", run.toString()))
        .isZero();
    assertThat(Files.readAllLines(run))
        .containsExactly("7 Q0 d1 1 26.0 indexer", "7 Q0 d2 2 10.0 indexer");
    Path vectors =
        Files.writeString(
            directory.resolve("topics.jsonl"),
            "{\"id\":\"8\",\"vector\":{\"two words\":0.5,\"##ing\":0.25}}\n");
    assertThat(run("search", index, "--topics", vectors.toString(), "--run", run.toString()))
        .isZero();
    assertThat(Files.readAllLines(run))
        .containsExactly("8 Q0 d1 1 5.0 indexer", "8 Q0 d2 2 2.0 indexer");
  }

  @Test
  void optionsOfTextsAreRefused() {
    for (String option : List.of("--analyzer=english", "--fields=title", "--positions=false")) {
      assertThat(run("build", "x", "--format", "vectors", "-o", index + "2", option))
          .isEqualTo(ExitCode.USAGE);
      assertThat(err.toString())
          .contains(
              option.split("=", 2)[0] + " is for texts; --format vectors takes terms as they are");
    }
    assertThat(run("build", "x", "-o", index + "2", "--quantize", "7")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--quantize needs --format vectors");
    assertThat(run("build", "x", "--format", "vectors", "-o", index + "2", "--quantize", "17"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--quantize must be 0 to 16; got 17");
  }

  @Test
  void madeUpVectorsAreTheSameAgain() throws IOException {
    for (String output : List.of("one", "two")) {
      Path made = directory.resolve(output);
      assertThat(
              run(
                  "experiment",
                  "vectors",
                  "--output",
                  made.toString(),
                  "--documents",
                  "30",
                  "--terms",
                  "20",
                  "--vocabulary",
                  "500"))
          .isZero();
    }
    Path vectors = directory.resolve("one/vectors.jsonl");
    assertThat(vectors).hasSameBinaryContentAs(directory.resolve("two/vectors.jsonl"));
    assertThat(directory.resolve("one/queries.tsv"))
        .hasSameBinaryContentAs(directory.resolve("two/queries.tsv"));
    assertThat(run("build", vectors.toString(), "--format", "vectors", "-o", index + "3")).isZero();
    assertThat(out.toString()).contains("630 postings");
  }
}
