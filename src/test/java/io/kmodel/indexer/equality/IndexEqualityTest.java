package io.kmodel.indexer.equality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.equality.Schemas.Stored;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.parse.ParsedDocument;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.MultiReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A comparison that finds no difference where there is one would prove nothing. */
class IndexEqualityTest {
  private static final Analyzer ANALYZER = new StandardAnalyzer();
  private static final Schema FULL = Schemas.of(Detail.POSITIONS, Stored.CONTENTS);

  @Test
  void segmentsMakeNoDifference() throws IOException {
    List<ParsedDocument> documents = SampleDocuments.random(1, 300, 60);
    try (DirectoryReader whole = ReferenceIndex.inMemory(FULL, ANALYZER, documents);
        DirectoryReader head = ReferenceIndex.inMemory(FULL, ANALYZER, documents.subList(0, 17));
        DirectoryReader tail = ReferenceIndex.inMemory(FULL, ANALYZER, documents.subList(17, 300));
        MultiReader parts = new MultiReader(head, tail)) {
      IndexEquality.assertSame(whole, parts);
      assertThat(SearchEquality.assertSame(whole, parts, 42, 300)).isGreaterThan(150);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "a b c d, a b c e, contents: largest term",
    "a b d e, a c d e, 'field ''contents'', term b: docFreq'",
    "a c d e, a d e e, contents: sumDocFreq",
    "a b c d, a b d c, 'field ''contents'', term c: position 0 in document 1'",
    "a b c d, a b c d d, contents: sumTotalTermFreq",
    "a a c d, a c c d, 'field ''contents'', term a: totalTermFreq'"
  })
  void aDifferenceInTheTextIsFoundWhereItIs(String left, String right, String place)
      throws IOException {
    Schema schema = Schemas.of(Detail.POSITIONS, Stored.NOTHING);
    try (DirectoryReader expected = index(schema, left);
        DirectoryReader actual = index(schema, right)) {
      assertThatThrownBy(() -> IndexEquality.assertSame(expected, actual))
          .isInstanceOf(AssertionError.class)
          .hasMessageStartingWith(place + ": expected");
    }
  }

  @Test
  void aDifferenceInWhatIsStoredIsFound() throws IOException {
    try (DirectoryReader expected = index(FULL, "a b");
        DirectoryReader actual = index(FULL, "A b")) {
      assertThatThrownBy(() -> IndexEquality.assertSame(expected, actual))
          .hasMessage(
              "stored fields of document 1: expected [id: string 'id', title: string 'title',"
                  + " raw: string 'a b'] but was [id: string 'id', title: string 'title', raw:"
                  + " string 'A b']");
    }
  }

  @Test
  void aDifferenceInTheFieldsIsFound() throws IOException {
    try (DirectoryReader expected = index(FULL, "a b");
        DirectoryReader actual = index(Schemas.of(Detail.FREQUENCIES, Stored.CONTENTS), "a b")) {
      assertThatThrownBy(() -> IndexEquality.assertSame(expected, actual))
          .hasMessageStartingWith("fields: expected");
    }
  }

  @Test
  void aDifferenceInScoresIsFound() throws IOException {
    List<ParsedDocument> documents = new ArrayList<>(SampleDocuments.random(2, 50, 30));
    try (DirectoryReader expected = ReferenceIndex.inMemory(FULL, ANALYZER, documents)) {
      documents.set(10, new ParsedDocument("x", "", "w1 w2 w3 w4 w5 w6 w7 w8 w9"));
      try (DirectoryReader actual = ReferenceIndex.inMemory(FULL, ANALYZER, documents)) {
        assertThatThrownBy(() -> SearchEquality.assertSame(expected, actual, 1, 300))
            .isInstanceOf(AssertionError.class)
            .hasMessageStartingWith("seed 1, query ");
      }
    }
  }

  private static DirectoryReader index(Schema schema, String contents) throws IOException {
    return ReferenceIndex.inMemory(
        schema,
        ANALYZER,
        List.of(new ParsedDocument("other", "", "b"), new ParsedDocument("id", "title", contents)));
  }
}
