package io.kmodel.indexer.search.expand;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.kmodel.indexer.analysis.LanguageAnalyzers;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.columns.ColumnReader;
import io.kmodel.indexer.index.model.Schema;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.MultiTerms;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;

/**
 * The analyzers of an index's documents: one for all, or that of each document's language, see
 * {@link LanguageAnalyzers}. Thread-safe.
 */
public final class TextAnalyzers {
  /** Gives the code of a document's language; empty if it is not known. */
  public interface Languages {
    String of(int docId) throws IOException;
  }

  private final Analyzer analyzer;
  private final Languages languages;
  private final ImmutableList<Analyzer> all;

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
    this.languages = languages;
    this.all =
        analyzer instanceof LanguageAnalyzers byLanguage
            ? all(byLanguage, reader)
            : ImmutableList.of(analyzer);
  }

  /** Those of an index, which must stay open. */
  public static TextAnalyzers of(InvertedIndex index, Analyzer analyzer, IndexReader reader)
      throws IOException {
    return new TextAnalyzers(analyzer, reader, docId -> language(index, docId));
  }

  private static String language(InvertedIndex index, int docId) throws IOException {
    ColumnReader languages =
        index.columns().reader(index.schema().findColumn(Schema.DETECTED_LANGUAGE));
    return languages.has(docId) ? new String(languages.string(docId), StandardCharsets.UTF_8) : "";
  }

  /** The column of languages has a term for each that occurs. */
  private static ImmutableList<Analyzer> all(LanguageAnalyzers analyzers, IndexReader reader)
      throws IOException {
    ImmutableSet.Builder<Analyzer> all = ImmutableSet.builder();
    all.add(analyzers.of(""));
    Terms present = MultiTerms.getTerms(reader, Schema.DETECTED_LANGUAGE);
    if (present != null) {
      TermsEnum codes = present.iterator();
      while (codes.next() != null) {
        all.add(analyzers.of(codes.term().utf8ToString()));
      }
    }
    return all.build().asList();
  }

  /** The analyzer of a document. */
  public Analyzer of(int docId) throws IOException {
    return analyzer instanceof LanguageAnalyzers byLanguage
        ? byLanguage.of(languages.of(docId))
        : analyzer;
  }

  /** The analyzers of all documents, each once. */
  public ImmutableList<Analyzer> all() {
    return all;
  }

  /** Whether there may be more than one. */
  public boolean areByLanguage() {
    return analyzer instanceof LanguageAnalyzers;
  }
}
