package io.kmodel.indexer.analysis;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.DelegatingAnalyzerWrapper;
import org.apache.lucene.analysis.miscellaneous.PerFieldAnalyzerWrapper;

/**
 * The analyzers of an index whose documents are analyzed by their languages, see {@link
 * AnalysisDefinition#BY_LANGUAGE}. As an analyzer it is that of texts without a known language.
 * Those of languages are made when they are first asked for. Thread-safe.
 */
public final class LanguageAnalyzers extends DelegatingAnalyzerWrapper {
  private final Function<String, Analyzer> factory;
  private final Map<String, Analyzer> byCode = new ConcurrentHashMap<>();

  private LanguageAnalyzers(Function<String, Analyzer> factory) {
    super(PER_FIELD_REUSE_STRATEGY);
    this.factory = factory;
  }

  /** Those of an index; languages with equal analyzers share one. */
  static LanguageAnalyzers of(IndexAnalysis analysis) {
    Map<IndexAnalysis, Analyzer> made = new ConcurrentHashMap<>();
    return new LanguageAnalyzers(
        code -> made.computeIfAbsent(analysis.in(code), IndexAnalysis::newAnalyzer));
  }

  /**
   * Returns the analyzer of all fields for a language.
   *
   * @param code of ISO 639; empty if it is not known
   */
  public Analyzer of(String code) {
    return byCode.computeIfAbsent(code, factory);
  }

  /**
   * Returns an analyzer of all fields for a language: the analyzer itself, unless it has one for
   * each.
   */
  public static Analyzer of(Analyzer analyzer, String code) {
    return analyzer instanceof LanguageAnalyzers languages ? languages.of(code) : analyzer;
  }

  /** Returns an analyzer that has others for some fields; the caller closes the given ones. */
  public static Analyzer withFields(Analyzer analyzer, Map<String, Analyzer> byField) {
    if (analyzer instanceof LanguageAnalyzers languages) {
      Map<Analyzer, Analyzer> made = new ConcurrentHashMap<>();
      return new LanguageAnalyzers(
          code ->
              made.computeIfAbsent(
                  languages.of(code), each -> new PerFieldAnalyzerWrapper(each, byField)));
    }
    return new PerFieldAnalyzerWrapper(analyzer, byField);
  }

  @Override
  protected Analyzer getWrappedAnalyzer(String field) {
    return of("");
  }

  @Override
  public void close() {
    super.close();
    byCode.values().forEach(Analyzer::close);
  }
}
