package io.kmodel.indexer.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kmodel.indexer.evaluate.Evaluation.Rules;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Examples worked by hand from the measures' definitions. */
class EvaluationTest extends TrecFiles {
  private static final Offset<Double> CLOSE = within(1e-12);
  private static final Rules COMPLETE = new Rules(1, Integer.MAX_VALUE, true);

  /** Relevant are a (1), c (2), e (1) and x (3); found at ranks 1, 3 and 5; x is not found. */
  @Test
  void oneTopicIsAsWorkedByHand() throws IOException {
    Map<String, Double> values =
        evaluate(
                run("7 a 5", "7 b 4", "7 c 3", "7 d 2", "7 e 1"),
                qrels("7 a 1", "7 b 0", "7 c 2", "7 e 1", "7 x 3"))
            .summary();
    assertThat(values).containsEntry("num_q", 1.0);
    assertThat(values).containsEntry("num_ret", 5.0);
    assertThat(values).containsEntry("num_rel", 4.0);
    assertThat(values).containsEntry("num_rel_ret", 3.0);
    assertThat(values.get("map")).isCloseTo((1.0 + 2.0 / 3 + 3.0 / 5) / 4, CLOSE);
    assertThat(values).containsEntry("recip_rank", 1.0);
    assertThat(values).containsEntry("P_5", 3.0 / 5);
    assertThat(values).as("ten, though five were found").containsEntry("P_10", 3.0 / 10);
    assertThat(values).containsEntry("recall_5", 3.0 / 4);
    assertThat(values).as("two of the first four").containsEntry("Rprec", 2.0 / 4);
    assertThat(values).as("b is above c and e").containsEntry("bpref", 1.0 / 4);
    assertThat(values.get("gm_map")).isCloseTo(values.get("map"), CLOSE);
    double gain = 1 / log2(2) + 2 / log2(4) + 1 / log2(6);
    double ideal = 3 / log2(2) + 2 / log2(3) + 1 / log2(4) + 1 / log2(5);
    assertThat(values.get("ndcg")).isCloseTo(gain / ideal, CLOSE);
    assertThat(values.get("ndcg_cut_5")).isCloseTo(gain / ideal, CLOSE);
  }

  /** Of a (1), b (0), c (2), e (1) and x (3), those are relevant at 2 that are c and x. */
  @Test
  void aLevelSaysWhatIsRelevantAndLeavesGainsAlone() throws IOException {
    Path run = run("7 a 5", "7 b 4", "7 c 3", "7 d 2", "7 e 1");
    Path qrels = qrels("7 a 1", "7 b 0", "7 c 2", "7 e 1", "7 x 3", "7 w -1");
    Map<String, Double> values =
        evaluate(run, qrels, new Rules(2, Integer.MAX_VALUE, false)).summary();
    assertThat(values).containsEntry("num_rel", 2.0).containsEntry("num_rel_ret", 1.0);
    assertThat(values.get("map")).isCloseTo(1.0 / 3 / 2, CLOSE);
    assertThat(values.get("gm_map")).isCloseTo(1.0 / 3 / 2, CLOSE);
    assertThat(values).containsEntry("recip_rank", 1.0 / 3).containsEntry("Rprec", 0.0);
    assertThat(values).containsEntry("P_5", 1.0 / 5).containsEntry("recall_5", 1.0 / 2);
    assertThat(values).containsEntry("iprec_at_recall_0.50", 1.0 / 3);
    assertThat(values).as("a and b are above c").containsEntry("bpref", 0.0);
    Map<String, Double> usual = evaluate(run, qrels).summary();
    for (String name : new String[] {"num_ret", "ndcg", "ndcg_cut_5"}) {
      assertThat(values).containsEntry(name, usual.get(name));
    }
  }

  @Test
  void aDepthLeavesOutWhatIsRankedBelowIt() throws IOException {
    Path run = run("7 n 1", "7 a 2", "7 b 2", "7 c 3", "8 a 1");
    Path qrels = qrels("7 a 1", "7 n 2", "8 a 1");
    Evaluation evaluation = evaluate(run, qrels, new Rules(1, 2, false));
    Map<String, Double> seventh = evaluation.topics().get("7");
    assertThat(seventh).containsEntry("num_ret", 2.0).containsEntry("num_rel", 2.0);
    assertThat(seventh).as("b goes before a").containsEntry("recip_rank", 0.0);
    assertThat(seventh).containsEntry("ndcg", 0.0);
    assertThat(evaluation.topics().get("8")).containsEntry("map", 1.0);
    assertThat(evaluate(run, qrels, new Rules(1, 3, false)).topics().get("7"))
        .containsEntry("recip_rank", 1.0 / 3);
  }

  @Test
  void measuresAreCalledAsTrecEvalCallsThemWithAnyCutOff() throws IOException {
    for (Measure measure : Measures.usual()) {
      assertThat(Measures.named(measure.name()).name()).isEqualTo(measure.name());
    }
    List<Measure> measures =
        Stream.of("recip_rank", "P_3", "num_q", "recall_3", "ndcg_cut_3")
            .map(Measures::named)
            .toList();
    Evaluation evaluation =
        Evaluation.of(
            RankedRun.read(run("1 a 1")), Judgements.read(qrels("1 a 1")), Rules.USUAL, measures);
    assertThat(evaluation.summary().keySet())
        .containsExactly("recip_rank", "P_3", "num_q", "recall_3", "ndcg_cut_3");
    assertThat(evaluation.summary())
        .containsEntry("P_3", 1.0 / 3)
        .containsEntry("recall_3", 1.0)
        .containsEntry("ndcg_cut_3", 1.0);
    assertThat(evaluation.topics().get("1")).doesNotContainKey("num_q").hasSize(4);
    for (String name : new String[] {"MAP", "P_0", "P_", "P_1000000000", "map_5", "P-10", ""}) {
      assertThatThrownBy(() -> Measures.named(name))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("unknown measure '%s'; available: num_q, num_ret, ", name)
          .hasMessageEndingWith(
              "ndcg, and with any number K P_K, recall_K, ndcg_cut_K, map_cut_K, success_K");
    }
  }

  /** Levels of four relevant documents are 0 to 4 of them, the nearest number. */
  @Test
  void precisionAtALevelOfRecallIsTheBestFromThereOn() throws IOException {
    Map<String, Double> values =
        evaluate(
                run("7 a 5", "7 b 4", "7 c 3", "7 d 2", "7 e 1"),
                qrels("7 a 1", "7 b 0", "7 c 2", "7 e 1", "7 x 3"))
            .summary();
    double[] expected = {1, 1, 1, 1, 2.0 / 3, 2.0 / 3, 2.0 / 3, 3.0 / 5, 3.0 / 5, 0, 0};
    for (int level = 0; level <= 10; level++) {
      String name = "iprec_at_recall_%d.%d0".formatted(level / 10, level % 10);
      assertThat(values).as(name).containsEntry(name, expected[level]);
    }
    Map<String, Double> late =
        evaluate(run("1 n 4", "1 a 3", "1 b 2", "1 c 1"), qrels("1 a 1", "1 b 1", "1 c 1"))
            .summary();
    assertThat(late).containsEntry("iprec_at_recall_0.00", 3.0 / 4);
    assertThat(late).containsEntry("iprec_at_recall_1.00", 3.0 / 4);
  }

  /** Of two relevant documents each is compared with two that are not, of three. */
  @Test
  void binaryPreferenceLooksAtWhatWasJudgedAlone() throws IOException {
    Path run = run("1 n 9", "1 u 8", "1 a 7", "1 w 6", "1 m 5", "1 o 4", "1 b 3");
    Path qrels = qrels("1 a 1", "1 b 2", "1 n 0", "1 m 0", "1 o 0", "1 w -1");
    assertThat(evaluate(run, qrels).summary()).containsEntry("bpref", (1 - 1.0 / 2 + 0) / 2);
    Path missing = qrels("1 a 1", "1 x 1", "1 y 1", "1 n 0", "1 p 0", "1 q 0");
    assertThat(evaluate(run, missing).summary()).containsEntry("bpref", (1 - 1.0 / 3) / 3);
    Path allRelevant = qrels("1 a 1", "1 x 1");
    assertThat(evaluate(run, allRelevant).summary()).containsEntry("bpref", 1.0 / 2);
  }

  @Test
  void precisionAtTheNumberOfRelevantDocumentsCountsThoseThatAreNotThere() throws IOException {
    Path run = run("1 a 9", "1 n 8", "1 b 7");
    assertThat(evaluate(run, qrels("1 a 1", "1 b 1")).summary()).containsEntry("Rprec", 1.0 / 2);
    Path many = qrels("1 a 1", "1 b 1", "1 x 1", "1 y 1", "1 z 1");
    assertThat(evaluate(run, many).summary()).containsEntry("Rprec", 2.0 / 5);
  }

  @Test
  void theGeometricMeanIsOfAllTopicsAndTakesNoneFor0() throws IOException {
    Path run = run("1 a 1", "2 n 2", "2 a 1", "3 n 1");
    Path qrels = qrels("1 a 1", "2 a 1", "3 a 1", "4 a 1");
    Evaluation both = evaluate(run, qrels);
    assertThat(both.summary().get("gm_map")).isCloseTo(Math.cbrt(1 * 0.5 * 0.00001), CLOSE);
    assertThat(both.topics().get("2")).containsEntry("map", 0.5).doesNotContainKey("gm_map");
    Evaluation complete = evaluate(run, qrels, COMPLETE);
    assertThat(complete.summary().get("gm_map"))
        .isCloseTo(Math.sqrt(Math.sqrt(1 * 0.5 * 0.00001 * 0.00001)), CLOSE);
  }

  @Test
  void measuresComeInTheOrderOfTrecEval() throws IOException {
    assertThat(evaluate(run("1 a 1"), qrels("1 a 1")).summary().keySet())
        .startsWith(
            "num_q,num_ret,num_rel,num_rel_ret,map,gm_map,Rprec,bpref,recip_rank".split(",", -1))
        .containsSubsequence("recip_rank", "iprec_at_recall_0.00", "iprec_at_recall_0.10")
        .containsSequence("iprec_at_recall_0.90", "iprec_at_recall_1.00", "P_5", "P_10", "P_15")
        .containsSequence("P_20", "P_30", "P_100", "P_200", "P_500", "P_1000", "recall_5")
        .containsSequence("recall_5", "recall_10", "recall_20", "recall_100", "recall_1000")
        .endsWith(
            "recall_1000,ndcg,ndcg_cut_5,ndcg_cut_10,ndcg_cut_20,ndcg_cut_100,ndcg_cut_1000"
                .split(",", -1));
  }

  /** Of six relevant documents the best five make the ideal at 5. */
  @Test
  void theIdealOfACutOffIsCutOffToo() throws IOException {
    Map<String, Double> values =
        evaluate(
                run("1 n 9", "1 a 8", "1 b 7", "1 c 6", "1 d 5", "1 e 4", "1 f 3"),
                qrels("1 a 1", "1 b 1", "1 c 1", "1 d 1", "1 e 1", "1 f 1"))
            .summary();
    double missed = log2(2);
    double rest = 1 / log2(3) + 1 / log2(4) + 1 / log2(5) + 1 / log2(6);
    assertThat(values.get("ndcg_cut_5")).isCloseTo(rest / (1 / missed + rest), CLOSE);
    assertThat(values).containsEntry("recip_rank", 0.5);
    assertThat(values).containsEntry("recall_5", 4.0 / 6);
    assertThat(values.get("map"))
        .isCloseTo((1 / 2.0 + 2 / 3.0 + 3 / 4.0 + 4 / 5.0 + 5 / 6.0 + 6 / 7.0) / 6, CLOSE);
  }

  @Test
  void equalScoresAreRankedByIdTheLargestFirstAndRanksInTheFileCountForNothing()
      throws IOException {
    Path run = write("1 Q0 a 1 2.5 t", "1 Q0 c 2 2.5 t", "1 Q0 b 3 2.5 t", "1 Q0 z 4 25e-1 t", "");
    assertThat(RankedRun.read(run).topics().get("1")).containsExactly("z", "c", "b", "a");
    Path odd = write("1 Q0 \uFF21 1 1 t", "1 Q0 \uD835\uDD38 2 1 t", "1 Q0 y 3 1.5 t");
    assertThat(RankedRun.read(odd).topics().get("1"))
        .extracting(Evaluation::shown)
        .containsExactly("y", "\uD835\uDD38", "\uFF21");
  }

  @Test
  void zeroIsTheSameWithEitherSign() throws IOException {
    Path run = run("1 a 0.0", "1 c -0.0", "1 b -1e-999", "1 d 0");
    assertThat(RankedRun.read(run).topics().get("1")).containsExactly("d", "c", "b", "a");
  }

  @Test
  void meansAreOverTheTopicsThatBothHave() throws IOException {
    Path run = run("1 a 1", "2 x 1", "9 a 1");
    Path qrels = qrels("1 a 1", "2 a 1", "3 a 1", "4 a 1");
    Evaluation both = evaluate(run, qrels);
    assertThat(both.topics().keySet()).containsExactly("1", "2");
    assertThat(both.summary()).containsEntry("map", 0.5).containsEntry("num_q", 2.0);
    assertThat(both.summary()).containsEntry("num_rel", 2.0);
    assertThat(both.unanswered()).isEqualTo(2);
    assertThat(both.unjudged()).isEqualTo(1);
    Evaluation complete = evaluate(run, qrels, COMPLETE);
    assertThat(complete.summary()).containsEntry("map", 0.25).containsEntry("num_q", 4.0);
    assertThat(complete.summary()).containsEntry("num_ret", 2.0);
  }

  @Test
  void aTopicWithoutRelevantDocumentsCountsNothing() throws IOException {
    Map<String, Double> values =
        evaluate(run("1 a 1", "1 b 0"), qrels("1 a 0", "1 b -1")).summary();
    assertThat(values.get("num_rel")).isZero();
    assertThat(values.get("map")).isZero();
    assertThat(values.get("recall_5")).isZero();
    assertThat(values.get("ndcg")).isZero();
    for (String name : new String[] {"Rprec", "bpref", "iprec_at_recall_0.00"}) {
      assertThat(values.get(name)).as(name).isZero();
    }
    assertThat(values.get("gm_map")).isCloseTo(0.00001, CLOSE);
  }

  @Test
  void whatIsJudgedBelowZeroIsNotRelevantAndTakesNoGain() throws IOException {
    Map<String, Double> values =
        evaluate(run("1 a 2", "1 b 1"), qrels("1 a -2", "1 b 1")).summary();
    assertThat(values).containsEntry("recip_rank", 0.5);
    assertThat(values.get("ndcg")).isCloseTo(1 / log2(3), CLOSE);
  }

  private static double log2(double x) {
    return Math.log(x) / Math.log(2);
  }
}
