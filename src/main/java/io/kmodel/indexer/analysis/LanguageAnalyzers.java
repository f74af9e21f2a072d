package io.kmodel.indexer.analysis;

import com.google.common.collect.ImmutableMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.DelegatingAnalyzerWrapper;
import org.apache.lucene.analysis.miscellaneous.PerFieldAnalyzerWrapper;

/**
 * The analyzers of an index whose documents are analyzed by their languages, see {@link
 * AnalysisDefinition#BY_LANGUAGE}. As an analyzer it is that of texts without a known language.
 * Those of languages are made when they are first asked for. Thread-safe.
 */
public final class LanguageAnalyzers extends DelegatingAnalyzerWrapper {
  private final IndexAnalysis analysis;
  private final ImmutableMap<String, Analyzer> others;
  private final Map<IndexAnalysis, Analyzer> made = new ConcurrentHashMap<>();

  LanguageAnalyzers(IndexAnalysis analysis) {
    this(analysis, ImmutableMap.of());
  }

  private LanguageAnalyzers(IndexAnalysis analysis, ImmutableMap<String, Analyzer> others) {
    super(PER_FIELD_REUSE_STRATEGY);
    this.analysis = analysis;
    this.others = others;
  }

  /**
   * Returns the analyzer of all fields for a language.
   *
   * @param code of ISO 639; empty if it is not known
   */
  public Analyzer of(String code) {
    return made.computeIfAbsent(
        analysis.in(code),
        concrete ->
            others.isEmpty()
                ? concrete.newAnalyzer()
                : new PerFieldAnalyzerWrapper(concrete.newAnalyzer(), others));
  }

  /**
   * Returns an analyzer of all fields for a language: the analyzer itself, unless it has one for
   * each.
   */
  public static Analyzer of(Analyzer analyzer, String code) {
    return analyzer instanceof LanguageAnalyzers languages ? languages.of(code) : analyzer;
  }

  /** Returns an analyzer that has others for some fields; the caller closes both. */
  public static Analyzer withFields(Analyzer analyzer, Map<String, Analyzer> byField) {
    return analyzer instanceof LanguageAnalyzers languages
        ? new LanguageAnalyzers(languages.analysis, ImmutableMap.copyOf(byField))
        : new PerFieldAnalyzerWrapper(analyzer, byField);
  }

  @Override
  protected Analyzer getWrappedAnalyzer(String field) {
    return of("");
  }

  @Override
  public void close() {
    super.close();
    made.values().forEach(Analyzer::close);
  }
}
