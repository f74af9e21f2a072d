package io.kmodel.indexer.search.expand;

import com.google.common.collect.ImmutableMap;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.documents.StoredTexts;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.task.Interruption;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.util.BytesRef;

/**
 * Expands queries by {@link Rm3}. The index has no term vectors, so the stored texts of the best
 * documents are analyzed again.
 *
 * <p>As in Anserini, a word is taken only if it has 2 to 20 characters, all of them a to z or 0 to
 * 9, and if at most a tenth of all documents have it. A document contributes its most frequent such
 * words with their share of these words' occurrences, times the document's score.
 *
 * <p>Memory: one document's text and its distinct words at a time. Thread-safe.
 */
public final class RelevanceFeedback {
  private static final int MIN_LENGTH = 2;
  private static final int MAX_LENGTH = 20;

  /** Words in a larger share of the documents are left out, instead of a list of stop words. */
  private static final float MOST_DOCUMENTS = 0.1f;

  private final Rm3 rm3;
  private final InvertedIndex index;
  private final String field;
  private final Analyzer analyzer;
  private final IndexReader reader;

  /**
   * Creates an instance.
   *
   * @param field the one field that is searched
   * @param analyzer the one that the index was built with
   * @param reader of the index
   * @throws IllegalArgumentException if the field's text is not stored, or was not analyzed
   */
  public RelevanceFeedback(
      Rm3 rm3, InvertedIndex index, String field, Analyzer analyzer, IndexReader reader) {
    Field expanded = index.schema().field(index.schema().ordinal(field));
    if (!expanded.tokenized() || expanded.detail().hasImpacts()) {
      throw new IllegalArgumentException(
          "queries of %s cannot be expanded: it is not analyzed text".formatted(field));
    }
    if (!expanded.stored()) {
      throw new IllegalArgumentException(
          "%s does not store %s, whose words expand queries; build it with --store=contents"
              .formatted(index.directory(), field));
    }
    this.rm3 = rm3;
    this.index = index;
    this.field = field;
    this.analyzer = analyzer;
    this.reader = reader;
  }

  /** How many of the best documents {@link #expand} needs. */
  public int documents() {
    return rm3.expandDocuments();
  }

  /**
   * Returns the weights of the expanded query's words, the heaviest first.
   *
   * @param query a bag of words
   * @param best the documents that it ranks best, with their scores
   * @throws IllegalArgumentException if the query has more than words
   */
  public ImmutableMap<String, Float> expand(Query query, ScoreDoc[] best) throws IOException {
    TermWeights words = QueryWords.of(query, field);
    TermWeights model = new TermWeights();
    try (StoredTexts texts = index.documents()) {
      for (ScoreDoc document : Arrays.copyOf(best, Math.min(best.length, documents()))) {
        Interruption.requireNone();
        TermWeights counts = frequentWords(texts.text(document.doc, index.schema().ordinal(field)));
        float occurrences = (float) counts.sum();
        counts
            .heaviest(counts.size())
            .forEach((term, count) -> model.add(term, count / occurrences * document.score));
      }
    }
    TermWeights expanded =
        words
            .normalized(words.size())
            .mixedWith(model.normalized(rm3.expandTerms()), rm3.originalWeight());
    return expanded.heaviest(expanded.size());
  }

  /** A text's most frequent words that may be taken, with their counts. */
  private TermWeights frequentWords(String text) throws IOException {
    TermWeights counts = new TermWeights();
    TermCounts.of(analyzer, field, text)
        .forEach(
            (term, count) -> {
              if (isPlain(term)) {
                counts.add(term.utf8ToString(), count);
              }
            });
    TermWeights result = new TermWeights();
    for (Map.Entry<String, Float> word : counts.heaviest(counts.size()).entrySet()) {
      if (result.size() == rm3.expandTerms()) {
        break;
      }
      if (isRare(word.getKey())) {
        result.add(word.getKey(), word.getValue());
      }
    }
    return result;
  }

  private static boolean isPlain(BytesRef term) {
    boolean plain = term.length >= MIN_LENGTH && term.length <= MAX_LENGTH;
    for (int i = term.offset; plain && i < term.offset + term.length; i++) {
      byte b = term.bytes[i];
      plain = (b >= 'a' && b <= 'z') || (b >= '0' && b <= '9');
    }
    return plain;
  }

  private boolean isRare(String word) throws IOException {
    return (float) reader.docFreq(new Term(field, word)) / reader.numDocs() <= MOST_DOCUMENTS;
  }
}
