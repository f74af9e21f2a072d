package io.kmodel.indexer.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.cli.CommandCalls;
import io.kmodel.indexer.cli.base.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an evaluation prints, by its options. */
class EvaluateCommandTest extends CommandCalls {
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
  void standardInputIsOneOfBoth() {
    assertThat(run("evaluate", "-", "-")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains("standard input can be the run or the judgements, not both");
  }

  @Test
  void measuresAreShownAsTheyAreAskedForAndNoOthers() throws IOException {
    assertThat(evaluate("--measures", "recip_rank,P_2,map,recip_rank", "-q")).isZero();
    assertThat(out.toString())
        .isEqualTo(
            """
            recip_rank            \t1\t1.0000
            P_2                   \t1\t0.5000
            map                   \t1\t0.8333
            recip_rank            \tall\t1.0000
            P_2                   \tall\t0.5000
            map                   \tall\t0.8333
            """);
    assertThat(evaluate("-m", "map,MRR")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("'--measures'", "unknown measure 'MRR'; available: num_q");
  }

  /** Relevant are a and c, at ranks 1 and 3. */
  @Test
  void measuresAreNamedAsTrecEvalTakesThem() throws IOException {
    assertThat(evaluate("-m", "ndcg_cut.1", "-m", "P.1,2", "-m", "success_5,map_cut_2,map_cut.3"))
        .as("%s", err)
        .isZero();
    assertThat(out.toString().lines().map(line -> line.replaceFirst(" *\t.*\t", " ")))
        .containsExactly(
            "ndcg_cut_1 0.5000",
            "P_1 1.0000",
            "P_2 0.5000",
            "success_5 1.0000",
            "map_cut_2 0.5000",
            "map_cut_3 0.8333");
    assertThat(evaluate("-m", "success.1,2", "-l", "2")).isZero();
    assertThat(out.toString()).contains("success_1             \tall\t0.0000\n");
    assertThat(evaluate("-m", "success", "-m", "P,iprec_at_recall")).isZero();
    assertThat(out.toString().lines().map(line -> line.replaceFirst(" *\t.*", "")))
        .startsWith("success_1", "success_5", "success_10", "P_5", "P_10", "P_15")
        .hasSize(3 + 9 + 11)
        .endsWith("iprec_at_recall_1.00");
    for (String wrong : List.of("10", "map,10", "P_5,10", "map.5", "P.0")) {
      assertThat(evaluate("-m", wrong)).as(wrong).isEqualTo(ExitCode.USAGE);
      assertThat(err.toString()).contains("'--measures'", "unknown measure '");
    }
  }

  @Test
  void levelAndDepthAreThoseOfTrecEval() throws IOException {
    assertThat(evaluate("--measures=map,num_ret", "--level=2", "--depth=3")).isZero();
    assertThat(out.toString().lines().map(line -> line.replaceFirst(" *\t.*\t", " ")))
        .containsExactly("map 0.3333", "num_ret 3");
    assertThat(evaluate("-m", "map", "-l", "2", "-M", "2")).isZero();
    assertThat(out.toString()).contains("\t0.0000");
    for (String option : List.of("--level", "--depth")) {
      assertThat(evaluate(option, "0")).isEqualTo(ExitCode.USAGE);
      assertThat(err.toString()).contains(option + " must be at least 1; got 0");
    }
  }

  @Test
  void withoutADepthAllThatWasFoundCounts() throws IOException {
    StringBuilder ranked = new StringBuilder();
    for (int i = 0; i <= 1000; i++) {
      ranked.append("1 Q0 d%d 1 %d t%n".formatted(i, -i));
    }
    Files.writeString(directory.resolve("run"), ranked);
    Files.writeString(directory.resolve("qrels"), "1 0 d1000 1\n");
    assertThat(evaluateFiles("-m", "num_ret,num_rel_ret")).isZero();
    assertThat(out.toString().lines().map(line -> line.replaceFirst(" *\t.*\t", " ")))
        .containsExactly("num_ret 1001", "num_rel_ret 1");
  }

  /** Their mean is 0.01125; added up by trec_eval it is a little more, and without errors less. */
  @Test
  void topicsAreAddedUpAsTrecEvalAddsThemUp() throws IOException {
    int[] relevant = {16, 1, 4, 3, 16, 2, 1, 2};
    StringBuilder ranked = new StringBuilder();
    StringBuilder judged = new StringBuilder();
    for (int topic = 0; topic < relevant.length; topic++) {
      for (int i = 0; i < relevant[topic]; i++) {
        ranked.append("%d Q0 d%d 1 1 t%n".formatted(topic, i));
        judged.append("%d 0 d%d 1%n".formatted(topic, i));
      }
    }
    Files.writeString(directory.resolve("run"), ranked);
    Files.writeString(directory.resolve("qrels"), judged);
    assertThat(evaluateFiles("-m", "P_500")).isZero();
    assertThat(out.toString()).isEqualTo("P_500                 \tall\t0.0113\n");
  }

  /** Of a topic that has a (1), b (0) and c (2) for these judgements. */
  private int evaluate(String... options) throws IOException {
    Files.writeString(
        directory.resolve("run"), "1 Q0 a 1 3 t\n1 Q0 b 2 2 t\n1 Q0 c 3 1 t\n1 Q0 d 4 0 t\n");
    Files.writeString(directory.resolve("qrels"), "1 0 a 1\n1 0 b 0\n1 0 c 2\n");
    return evaluateFiles(options);
  }

  private int evaluateFiles(String... options) {
    List<String> arguments =
        new ArrayList<>(List.of("evaluate", directory + "/run", directory + "/qrels"));
    arguments.addAll(List.of(options));
    return run(arguments.toArray(String[]::new));
  }
}
