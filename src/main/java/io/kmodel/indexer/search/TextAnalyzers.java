package io.kmodel.indexer.search;

import com.google.common.collect.ImmutableMap;
import io.kmodel.indexer.analysis.LanguageAnalyzers;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.Schema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.MultiTerms;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.util.BytesRef;

/**
 * The analyzers of an index's documents: one for all, or that of each document's language, see
 * {@link LanguageAnalyzers}. A query is then read by each of them, for the documents that it
 * analyzed. Thread-safe.
 */
public final class TextAnalyzers {
  /** Gives the code of a document's language; empty if it is not known. */
  public interface Languages {
    String of(int docId) throws IOException;
  }

  /** Reads a query by an analyzer. */
  interface QueryForm<E extends Exception> {
    Query by(Analyzer analyzer) throws E;
  }

  private final Analyzer analyzer;
  private final IndexReader reader;
  private final Languages languages;

  /** The codes of the documents' languages by analyzer, in order; empty if one serves all. */
  private final ImmutableMap<Analyzer, List<BytesRef>> codes;

  /**
   * Creates an instance.
   *
   * @param analyzer of the index
   * @param reader of the index
   * @param languages only asked if they decide
   */
  public TextAnalyzers(Analyzer analyzer, IndexReader reader, Languages languages)
      throws IOException {
    this.analyzer = analyzer;
    this.reader = reader;
    this.languages = languages;
    this.codes =
        analyzer instanceof LanguageAnalyzers byLanguage
            ? codes(byLanguage, reader)
            : ImmutableMap.of();
  }

  /** Those of an index, which must stay open. */
  static TextAnalyzers of(InvertedIndex index, Analyzer analyzer, IndexReader reader)
      throws IOException {
    int column = index.schema().findColumn(Schema.DETECTED_LANGUAGE);
    return new TextAnalyzers(analyzer, reader, docId -> index.columns().reader(column).text(docId));
  }

  /** The column of languages has a term for each that occurs. */
  private static ImmutableMap<Analyzer, List<BytesRef>> codes(
      LanguageAnalyzers analyzers, IndexReader reader) throws IOException {
    Map<Analyzer, List<BytesRef>> codes = new LinkedHashMap<>();
    codes.put(analyzers.of(""), new ArrayList<>());
    Terms present = MultiTerms.getTerms(reader, Schema.DETECTED_LANGUAGE);
    if (present != null) {
      TermsEnum terms = present.iterator();
      for (BytesRef code = terms.next(); code != null; code = terms.next()) {
        codes
            .computeIfAbsent(analyzers.of(code.utf8ToString()), of -> new ArrayList<>())
            .add(BytesRef.deepCopyOf(code));
      }
    }
    return ImmutableMap.copyOf(codes);
  }

  /** Whether languages decide. */
  boolean areByLanguage() {
    return !codes.isEmpty();
  }

  /** The analyzer of a document. */
  public Analyzer of(int docId) throws IOException {
    return analyzer instanceof LanguageAnalyzers byLanguage
        ? byLanguage.of(languages.of(docId))
        : analyzer;
  }

  /**
   * Reads a query by all analyzers, each for its own documents. Equal readings are one, so a query
   * whose words have the same form in all languages stays as it is.
   */
  <E extends Exception> Query read(QueryForm<E> form) throws E, IOException {
    if (!areByLanguage()) {
      return form.by(analyzer);
    }
    PresentTerms present = new PresentTerms(reader);
    Map<Query, List<Analyzer>> readings = new LinkedHashMap<>();
    for (Analyzer of : codes.keySet()) {
      Query reading = present.in(form.by(of));
      if (reading != null) {
        readings.computeIfAbsent(reading, equal -> new ArrayList<>()).add(of);
      }
    }
    if (readings.isEmpty()) {
      return new MatchNoDocsQuery("no words");
    }
    BooleanQuery.Builder all = new BooleanQuery.Builder();
    for (Map.Entry<Query, List<Analyzer>> reading : readings.entrySet()) {
      if (reading.getValue().size() == codes.size()) {
        return reading.getKey();
      }
      all.add(limited(reading.getKey(), reading.getValue()), Occur.SHOULD);
    }
    return all.build();
  }

  /** A reading for the documents of some analyzers; the first analyzer has those without a code. */
  private Query limited(Query reading, List<Analyzer> by) {
    boolean hasUnknown = by.contains(codes.keySet().iterator().next());
    List<BytesRef> listed = new ArrayList<>();
    codes.forEach(
        (of, itsCodes) -> {
          if (by.contains(of) != hasUnknown) {
            listed.addAll(itsCodes);
          }
        });
    return new BooleanQuery.Builder()
        .add(reading, Occur.MUST)
        .add(
            new TermInSetQuery(Schema.DETECTED_LANGUAGE, listed),
            hasUnknown ? Occur.MUST_NOT : Occur.FILTER)
        .build();
  }
}
