package io.kmodel.indexer.evaluate;

import static io.kmodel.indexer.source.warc.Warcs.gzip;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.primitives.Bytes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What runs and judgements may look like, and what they may not. */
class TrecFilesTest extends TrecFiles {
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
        .hasMessageEndingWith("line 1: expected a score, got '%s'".formatted(score));
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
        .hasMessageEndingWith("topic 1 lists document caf\u00E9 twice");
    assertThat(Evaluation.shown(utf8)).isEqualTo("caf\u00E9");
    assertThat(Evaluation.shown("caf\u00E9")).isEqualTo("caf\u00E9");
  }

  @Test
  void filesThatCannotBeUsedAreRefusedWithTheirLine() throws IOException {
    Path twice = write("1 Q0 a 1 1 t", "1 Q0 a 2 1 t");
    assertThatThrownBy(() -> RankedRun.read(twice))
        .hasMessageEndingWith("topic 1 lists document a twice");
    Path score = write("1 Q0 a 1 high t");
    assertThatThrownBy(() -> RankedRun.read(score))
        .hasMessageEndingWith("line 1: expected a score, got 'high'");
    Path notANumber = write("1 Q0 a 1 NaN t");
    assertThatThrownBy(() -> RankedRun.read(notANumber))
        .hasMessageContaining("expected a score, got 'NaN'");
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
    assertThatThrownBy(() -> RankedRun.read(empty)).hasMessageEndingWith("the run is empty");
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

  @Test
  void filesMayBeGzippedAlsoInSeveralMembers() throws IOException {
    Path run = run("7 a 5", "7 b 4");
    Path qrels = qrels("7 a 0", "7 b 1");
    Map<String, Double> expected = evaluate(run, qrels).summary();
    byte[] lines = Files.readAllBytes(run);
    byte[] packed =
        Bytes.concat(
            gzip(Arrays.copyOf(lines, 9)), gzip(Arrays.copyOfRange(lines, 9, lines.length)));
    Files.write(run, packed);
    Files.write(qrels, gzip(Files.readAllBytes(qrels)));
    assertThat(evaluate(run, qrels).summary()).isEqualTo(expected).containsEntry("num_ret", 2.0);
    for (int cut : new int[] {2, 12, packed.length - 9}) {
      Files.write(run, Arrays.copyOf(packed, cut));
      assertThatThrownBy(() -> evaluate(run, qrels)).hasMessageStartingWith(run + ": damaged gzip");
    }
    Files.write(run, Bytes.concat(packed, new byte[] {0x1F, (byte) 0x8B, 9}));
    assertThatThrownBy(() -> evaluate(run, qrels))
        .hasMessage(run + ": damaged gzip: data after the last gzip member");
  }

  private Path latin(String... lines) throws IOException {
    Path file = Files.createTempFile(directory, "lines", ".txt");
    return Files.writeString(file, String.join("\n", lines), StandardCharsets.ISO_8859_1);
  }
}
