package io.kmodel.indexer.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.index.model.Schema;
import java.io.IOException;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.junit.jupiter.api.Test;

/** What is shown of a document that was found. */
class SnippetsTest {
  private static final Query NEEDLE = new TermQuery(new Term(Schema.CONTENTS, "needle"));

  private final Analyzer analyzer = new StandardAnalyzer();
  private final Snippets snippets = new Snippets('[', ']');

  @Test
  void sentencesThatMatchAreShownAndWhatMatchesInBrackets() throws IOException {
    assertThat(snippet("Hay. A needle in hay. Much hay.\nMore hay. Needle after needle."))
        .isEqualTo("A [needle] in hay. … [Needle] after [needle].");
    assertThat(snippet("A needle. Another needle.")).isEqualTo("A [needle]. Another [needle].");
  }

  @Test
  void ofASentenceWithoutEndTheWordsAroundTheMatchAreShown() throws IOException {
    String hay = "some hay ".repeat(20_000);
    String snippet = snippet(hay + "needle " + hay + "needle");
    assertThat(snippet).hasSizeBetween(300, 420);
    assertThat(snippet).startsWith("… some hay ").contains("hay [needle] some").endsWith(" …");
    assertThat(snippet.replaceAll("some|hay|\\[needle]|…| ", "")).as("whole words").isEmpty();
    assertThat(snippet("A needle " + hay + ". Much " + hay + "needle. More."))
        .startsWith("A [needle] some")
        .containsPattern(" … some hay .*hay \\[needle\\]\\.$")
        .doesNotContain("… …");
    assertThat(snippet("needle " + hay)).startsWith("[needle] some hay").endsWith(" …");
    assertThat(snippet(hay + "needle")).startsWith("… ").endsWith("hay [needle]");
  }

  @Test
  void aWordWithoutEndIsCutBetweenCharacters() throws IOException {
    String snippet = snippet("needle " + "\uD83D\uDE00".repeat(1000));
    assertThat(snippet).startsWith("[needle] \uD83D\uDE00").endsWith("\uD83D\uDE00 …");
    assertThat(snippet.chars().filter(c -> Character.isHighSurrogate((char) c)).count())
        .isEqualTo(snippet.chars().filter(c -> Character.isLowSurrogate((char) c)).count());
    assertThat(snippet("x".repeat(1000))).as("nothing matches").hasSizeLessThan(410);
  }

  @Test
  void aNulIsASpace() throws IOException {
    assertThat(snippets.of(MatchAllDocsQuery.INSTANCE, "before\0after. More.", analyzer))
        .startsWith("before after.");
    assertThat(snippet("a\0needle\0here")).isEqualTo("a [needle] here");
  }

  private String snippet(String contents) throws IOException {
    return snippets.of(NEEDLE, contents, analyzer);
  }
}
