package io.kmodel.indexer.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kmodel.indexer.evaluate.Evaluation.Rules;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Examples worked by hand from the measures' definitions. */
class EvaluationTest {
  private static final Offset<Double> CLOSE = within(1e-12);
  private static final Rules COMPLETE = new Rules(1, Integer.MAX_VALUE, true);

  @TempDir Path directory;

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
    for (String name :
        new String[] {"MAP", "P_0", "P_", "P_1000000000", "map_5", "ndcg_cut.10", ""}) {
      assertThatThrownBy(() -> Measures.named(name))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("there is no measure '%s'; there are num_q, num_ret, ", name)
          .hasMessageEndingWith("ndcg, and for any number K P_K, recall_K, ndcg_cut_K");
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

  /** As C and Python print them. */
  @Test
  void infiniteScoresAreScores() throws IOException {
    Path run =
        run("1 a -inf", "1 b -1e9", "1 c 5.", "1 d .6e+1", "1 e +Inf", "1 f INFINITY", "1 g inf");
    assertThat(RankedRun.read(run).topics().get("1"))
        .containsExactly("g", "f", "e", "d", "c", "b", "a");
  }

  /** Java reads them as numbers. */
  @ParameterizedTest
  @ValueSource(strings = {"1f", "5d", "2.5D", "0x1p3", "1e", ".", "+", "in", "-nan", "\u00011"})
  void whatNoRunHasIsNoScore(String score) throws IOException {
    Path run = write("1 Q0 a 1 " + score + " t");
    assertThatThrownBy(() -> RankedRun.read(run))
        .hasMessageEndingWith("line 1: '%s' is no score".formatted(score));
  }

  @ParameterizedTest
  @ValueSource(strings = {"2147483648", "-2147483649", "99999999999999999999.0"})
  void aRelevanceOutOfRangeIsRefusedWithTheRange(String relevance) throws IOException {
    Path qrels = qrels("1 a " + relevance);
    assertThatThrownBy(() -> Judgements.read(qrels))
        .hasMessageEndingWith(
            "line 1: expected a whole number from -2^31 to 2^31 - 1, got '%s'"
                .formatted(relevance));
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

  @Test
  void whatTrecEvalPassesOverIsPassedOver() throws IOException {
    Path run = write("# a comment", "1 Q0 a 1 2 my run of today", " # another", "1 Q0 b 2 1 tag");
    Path qrels = write("# judged by hand", "1 0 a 0.0", "1 0 b 1.0", "1 0 c +2.", "1 0 d -1.00");
    assertThat(RankedRun.read(run).topics().get("1")).containsExactly("a", "b");
    assertThat(Judgements.read(qrels).topics().get("1"))
        .isEqualTo(Map.of("a", 0, "b", 1, "c", 2, "d", -1));
  }

  /** As C's isspace, without the end of a line. */
  @Test
  void columnsAreSeparatedByAnyWhiteSpace() throws IOException {
    Path run = write("1\tQ0\fa \u000B1 2 t");
    assertThat(RankedRun.read(run).topics().get("1")).containsExactly("a");
    Path qrels = write("\f\u000B", "\f1 0\u000Ba\f1");
    assertThat(Judgements.read(qrels).topics()).isEqualTo(Map.of("1", Map.of("a", 1)));
  }

  @Test
  void judgementsOfBeirAreReadByTheirHeader() throws IOException {
    Path beir = write("query-id\tcorpus-id\tscore\r", "1\ta b\t2\r", "", "1\tc\t0", "2\td\t1");
    assertThat(Judgements.read(beir).topics())
        .as("names as runs have them, which are words")
        .isEqualTo(Map.of("1", Map.of("a%20b", 2, "c", 0), "2", Map.of("d", 1)));
    Path four = write("query-id\tcorpus-id\tscore", "1\t0\ta\t2");
    assertThatThrownBy(() -> Judgements.read(four))
        .hasMessageEndingWith("line 2: expected 3 columns, got 4: '1\t0\ta\t2'");
    Path again = write("query-id\tcorpus-id\tscore", "1\ta\t2", "query-id\tcorpus-id\tscore");
    assertThatThrownBy(() -> Judgements.read(again))
        .hasMessageEndingWith(
            "line 3: expected a whole number from -2^31 to 2^31 - 1, got 'score'");
    Path withoutHeader = write("1\ta\t2");
    assertThatThrownBy(() -> Judgements.read(withoutHeader))
        .hasMessageEndingWith("line 1: expected 4 columns, got 3: '1\ta\t2'");
  }

  @Test
  void aByteOrderMarkIsNoPartOfAName() throws IOException {
    Path run = write("\uFEFF1 Q0 a 1 2 t", "2 Q0 \uFEFFb 1 2 t");
    assertThat(RankedRun.read(run).topics()).containsOnlyKeys("1", "2");
    assertThat(Judgements.read(write("\uFEFF1 0 a 1", "2 0 b 1")).topics())
        .containsOnlyKeys("1", "2");
    assertThat(Judgements.read(write("\uFEFFquery-id\tcorpus-id\tscore", "1\ta\t2")).topics())
        .isEqualTo(Map.of("1", Map.of("a", 2)));
    Path twice = write("\uFEFF\uFEFF1 Q0 a 1 2 t");
    assertThat(RankedRun.read(twice).topics()).doesNotContainKey("1");
  }

  /** U+FFFD stood for their bytes: two such names were one. */
  @Test
  void namesThatAreNotUtf8AreTold() throws IOException {
    Path run = latin("1 Q0 a\u00E4 1 2 t", "1 Q0 a\u00F6 2 1 t");
    assertThat(RankedRun.read(run).topics().get("1")).containsExactly("a\u00E4", "a\u00F6");
    assertThat(evaluate(run, latin("1 0 a\u00FC 1", "1 0 a\u00F6 1")).summary())
        .containsEntry("num_rel_ret", 1.0)
        .containsEntry("recip_rank", 0.5);
    assertThat(evaluate(run, qrels("1 a\u00E4 1")).summary()).containsEntry("recip_rank", 0.0);
  }

  /** Whatever else is in their lines, and however they look. */
  @Test
  void namesAreTheSameIfTheirBytesAre() throws IOException {
    String utf8 = "caf\u00C3\u00A9";
    Path run = latin("1 Q0 " + utf8 + " 1 2 Z\u00FCrich", "1 Q0 caf\u00E9 2 2 t");
    assertThat(RankedRun.read(run).topics().get("1")).containsExactly("caf\u00E9", utf8);
    assertThat(evaluate(run, latin("1 0 " + utf8 + " 1")).summary())
        .containsEntry("recip_rank", 0.5);
    Path twice = latin("1 Q0 " + utf8 + " 1 2 t", "1 Q0 " + utf8 + " 2 1 t");
    assertThatThrownBy(() -> RankedRun.read(twice))
        .hasMessageEndingWith("topic 1 has document caf\u00E9 twice");
    assertThat(Evaluation.shown(utf8)).isEqualTo("caf\u00E9");
    assertThat(Evaluation.shown("caf\u00E9")).isEqualTo("caf\u00E9");
  }

  @Test
  void filesThatCannotBeUsedAreRefusedWithTheirLine() throws IOException {
    Path twice = write("1 Q0 a 1 1 t", "1 Q0 a 2 1 t");
    assertThatThrownBy(() -> RankedRun.read(twice))
        .hasMessageEndingWith("topic 1 has document a twice");
    Path score = write("1 Q0 a 1 high t");
    assertThatThrownBy(() -> RankedRun.read(score))
        .hasMessageEndingWith("line 1: 'high' is no score");
    Path notANumber = write("1 Q0 a 1 NaN t");
    assertThatThrownBy(() -> RankedRun.read(notANumber)).hasMessageContaining("'NaN' is no score");
    Path columns = write("1 Q0 a 1 1 t", "", "1 0 a 1");
    assertThatThrownBy(() -> RankedRun.read(columns))
        .hasMessageEndingWith("line 3: expected 6 columns or more, got 4: '1 0 a 1'");
    Path more = write("1 0 a 1 1");
    assertThatThrownBy(() -> Judgements.read(more))
        .hasMessageEndingWith("line 1: expected 4 columns, got 5: '1 0 a 1 1'");
    Path half = qrels("1 a 0.5");
    assertThatThrownBy(() -> Judgements.read(half))
        .hasMessageEndingWith("line 1: expected a whole number from -2^31 to 2^31 - 1, got '0.5'");
    Path empty = write("");
    assertThatThrownBy(() -> RankedRun.read(empty)).hasMessageEndingWith("an empty run");
    assertThatThrownBy(() -> Judgements.read(empty)).hasMessageEndingWith("no judgements");
    Path judgedTwice = qrels("1 a 1", "1 a 0");
    assertThatThrownBy(() -> Judgements.read(judgedTwice))
        .hasMessageEndingWith("line 2: document a is judged twice for topic 1");
    Path words = qrels("1 a yes");
    assertThatThrownBy(() -> Judgements.read(words))
        .hasMessageEndingWith("line 1: expected a whole number from -2^31 to 2^31 - 1, got 'yes'");
    Path other = qrels("2 a 1");
    assertThatThrownBy(() -> evaluate(run("1 a 1"), other))
        .hasMessageEndingWith("no topic in common; the run has 1, the judgements 2");
    Path three = run("1 a 1", "2 a 1", "3 a 1");
    assertThatThrownBy(() -> evaluate(three, qrels("4 a 1", "5 a 1", "6 a 1", "7 a 1")))
        .hasMessageEndingWith("the run has 1, 2, 3, the judgements 4, 5, 6, ...");
  }

  private static double log2(double x) {
    return Math.log(x) / Math.log(2);
  }

  private static Evaluation evaluate(Path run, Path qrels) throws IOException {
    return evaluate(run, qrels, Rules.USUAL);
  }

  private static Evaluation evaluate(Path run, Path qrels, Rules rules) throws IOException {
    return Evaluation.of(RankedRun.read(run), Judgements.read(qrels), rules, Measures.usual());
  }

  /** Lines of topic, document and score. */
  private Path run(String... lines) throws IOException {
    for (int i = 0; i < lines.length; i++) {
      String[] columns = lines[i].split(" ", -1);
      lines[i] = "%s Q0 %s 0\t%s  tag".formatted(columns[0], columns[1], columns[2]);
    }
    return write(lines);
  }

  /** Lines of topic, document and relevance. */
  private Path qrels(String... lines) throws IOException {
    for (int i = 0; i < lines.length; i++) {
      lines[i] = lines[i].replaceFirst(" ", " 0 ");
    }
    return write(lines);
  }

  private Path latin(String... lines) throws IOException {
    Path file = Files.createTempFile(directory, "lines", ".txt");
    return Files.writeString(file, String.join("\n", lines), StandardCharsets.ISO_8859_1);
  }

  private Path write(String... lines) throws IOException {
    Path file = Files.createTempFile(directory, "lines", ".txt");
    return Files.writeString(file, String.join("\n", lines));
  }
}
