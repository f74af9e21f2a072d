package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ObjectArrays;
import io.kmodel.indexer.cli.base.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Topics answered by the models of ranking, from the command line. */
class SearchModelsTest extends CommandCalls {
  @Test
  void topicsAreAnsweredByEveryModelAndEvaluated() throws IOException {
    Path topics =
        Files.writeString(
            directory.resolve("topics.jsonl"), "{\"id\": 1, \"query\": \"river stone\"}\n");
    Path qrels = Files.writeString(directory.resolve("qrels"), "1 0 first 0\n1 0 second 1\n");
    for (String model : List.of("bm25", "ql", "dfr")) {
      String run = directory.resolve(model + ".run").toString();
      assertThat(answer(topics, run, "--model", model, "--fields", "title^2,contents"))
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
  void topicsInLucenesSyntaxAreParsed() throws IOException {
    Path topics = Files.writeString(directory.resolve("topics.tsv"), "1\t+river -stone\n");
    Path run = directory.resolve("syntax.run");
    assertThat(answer(topics, run.toString(), "--syntax", "lucene"))
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

  private int answer(Path topics, String run, String... options) throws IOException {
    String[] call = {"search", index(), "--topics", topics.toString(), "--run", run};
    return run(ObjectArrays.concat(call, options, String.class));
  }
}
