package io.kmodel.indexer.index.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kmodel.indexer.equality.NaiveIndex;
import io.kmodel.indexer.equality.Schemas;
import io.kmodel.indexer.equality.Schemas.Stored;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.verify.CorpusStatistics.LongList;
import io.kmodel.indexer.index.verify.CorpusStatistics.PowerLaw;
import io.kmodel.indexer.index.verify.CorpusStatistics.Rank;
import io.kmodel.indexer.index.verify.CorpusStatistics.Vocabulary;
import io.kmodel.indexer.parse.ParsedDocument;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CorpusAnalysisTest {
  @TempDir Path directory;

  @Test
  void curvesAndListsAreThoseCountedByHand() throws IOException {
    CorpusStatistics contents = analyze("a a b", "a c", "", "d d d d e", "a", "f a").getFirst();
    assertThat(contents.field()).isEqualTo("contents");
    assertThat(contents.postings()).isEqualTo(9);
    assertThat(contents.tokens()).isEqualTo(13);
    assertThat(contents.vocabulary())
        .containsExactly(
            new Vocabulary(1, 3, 2),
            new Vocabulary(2, 5, 3),
            new Vocabulary(5, 11, 5),
            new Vocabulary(6, 13, 6));
    assertThat(contents.ranks())
        .as("a 5, d 4, and once each b, c, e and f")
        .containsExactly(new Rank(1, 5), new Rank(2, 4), new Rank(5, 1), new Rank(6, 1));
    assertThat(contents.longest())
        .startsWith(new LongList("a", 4, 5), new LongList("b", 1, 1), new LongList("c", 1, 1))
        .hasSize(6);
  }

  @Test
  void ofListsOfTheSameLengthThoseOfTheSmallestTermsAreShown() throws IOException {
    StringBuilder text = new StringBuilder();
    for (char c = 'z'; c >= 'a'; c--) {
      text.append(c).append(' ');
    }
    List<LongList> longest = analyze(text.toString(), "y x").getFirst().longest();
    assertThat(longest.stream().map(LongList::term))
        .containsExactly("x", "y", "a", "b", "c", "d", "e", "f", "g", "h");
  }

  @Test
  void textThatFollowsALawGivesItsNumbers() {
    double[] x = {1, 10, 100, 1000};
    double[] y = {3, 3 * Math.sqrt(10), 30, 30 * Math.sqrt(10)};
    PowerLaw law = PowerLaw.fit(x, y);
    assertThat(law.factor()).isCloseTo(3, within(1e-9));
    assertThat(law.exponent()).isCloseTo(0.5, within(1e-9));
  }

  @Test
  void anEmptyIndexHasEmptyCurvesAndNoLaw() throws IOException {
    CorpusStatistics nothing = analyze().getFirst();
    assertThat(nothing.vocabulary()).isEmpty();
    assertThat(nothing.ranks()).isEmpty();
    assertThat(nothing.longest()).isEmpty();
    assertThat(nothing.heaps().exponent()).isNaN();
    assertThat(analyze("").getFirst().vocabulary()).containsExactly(new Vocabulary(1, 0, 0));
  }

  private List<CorpusStatistics> analyze(String... contents) throws IOException {
    List<ParsedDocument> documents = new ArrayList<>();
    for (String text : contents) {
      documents.add(new ParsedDocument("id" + documents.size(), "", text));
    }
    Path ours = directory.resolve("index" + contents.length);
    NaiveIndex.write(
        ours, Schemas.of(Detail.POSITIONS, Stored.IDS), new WhitespaceAnalyzer(), documents);
    try (InvertedIndex index = InvertedIndex.open(ours)) {
      return CorpusAnalysis.of(index);
    }
  }
}
