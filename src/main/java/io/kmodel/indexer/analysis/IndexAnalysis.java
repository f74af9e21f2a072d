package io.kmodel.indexer.analysis;

import com.google.common.collect.ImmutableSortedMap;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.DelegatingAnalyzerWrapper;

/**
 * How the texts of an index become terms, by field. The index's options store it, so that queries
 * are analyzed in the same way: the definition of all fields as in {@link AnalysisDefinition}, and
 * that of one field under keys that begin with {@code field.NAME.}.
 *
 * @param general the definition of every field that byField does not contain
 * @param byField the definitions that differ from the general one, by field
 */
public record IndexAnalysis(
    AnalysisDefinition general, ImmutableSortedMap<String, AnalysisDefinition> byField) {
  private static final String FIELD = "field.";

  /** Field names have no dots. */
  private static final Pattern OF_FIELD = Pattern.compile("field\\.([^.]+)\\.analyzer");

  /** Returns an analysis with the same definition for every field. */
  public static IndexAnalysis of(AnalysisDefinition definition) {
    return new IndexAnalysis(definition, ImmutableSortedMap.of());
  }

  /** Returns an analysis that uses an analyzer with default parameters for every field. */
  public static IndexAnalysis of(String analyzer) {
    return of(AnalysisDefinition.of(analyzer));
  }

  /** Returns a copy with a definition for one field. */
  public IndexAnalysis with(String field, AnalysisDefinition definition) {
    TreeMap<String, AnalysisDefinition> all = new TreeMap<>(byField);
    if (definition.equals(general)) {
      all.remove(field);
    } else {
      all.put(field, definition);
    }
    return new IndexAnalysis(general, ImmutableSortedMap.copyOf(all));
  }

  /**
   * Reads the analysis from an index's options.
   *
   * @throws IllegalArgumentException if they name no analyzer or an unknown one
   */
  public static IndexAnalysis from(Map<String, String> options) {
    IndexAnalysis analysis = of(AnalysisDefinition.from(options, ""));
    for (String key : options.keySet()) {
      Matcher ofField = OF_FIELD.matcher(key);
      if (ofField.matches()) {
        String field = ofField.group(1);
        analysis = analysis.with(field, AnalysisDefinition.from(options, FIELD + field + '.'));
      }
    }
    return analysis;
  }

  /** Adds the analysis to an index's options. */
  public void addTo(Map<String, String> options) {
    general.addTo(options, "");
    byField.forEach((field, definition) -> definition.addTo(options, FIELD + field + '.'));
  }

  /** Whether an option of an index belongs to its analysis. */
  public static boolean isOption(String key) {
    return key.equals("analyzer")
        || key.startsWith("analyzer.")
        || OF_FIELD.matcher(key).lookingAt();
  }

  /** Returns the definition of a field. */
  public AnalysisDefinition definition(String field) {
    return byField.getOrDefault(field, general);
  }

  /** Whether a document's language decides how at least one of its fields is analyzed. */
  public boolean isByLanguage() {
    return general.isByLanguage()
        || byField.values().stream().anyMatch(AnalysisDefinition::isByLanguage);
  }

  /** Returns the analysis of documents in a language, see {@link AnalysisDefinition#in}. */
  IndexAnalysis in(String code) {
    IndexAnalysis result = of(general.in(code));
    for (Map.Entry<String, AnalysisDefinition> of : byField.entrySet()) {
      result = result.with(of.getKey(), of.getValue().in(code));
    }
    return result;
  }

  /**
   * Returns a new, thread-safe analyzer of all fields, which the caller closes; {@link
   * LanguageAnalyzers} if languages decide.
   */
  public Analyzer newAnalyzer() {
    if (isByLanguage()) {
      return LanguageAnalyzers.of(this);
    }
    return byField.isEmpty() ? general.newAnalyzer() : new ByField(this);
  }

  /** Delegates to the analyzer of the field. */
  private static final class ByField extends DelegatingAnalyzerWrapper {
    private final Analyzer general;
    private final Map<String, Analyzer> byField = new HashMap<>();

    ByField(IndexAnalysis analysis) {
      super(PER_FIELD_REUSE_STRATEGY);
      general = analysis.general.newAnalyzer();
      analysis.byField.forEach((field, definition) -> byField.put(field, definition.newAnalyzer()));
    }

    @Override
    protected Analyzer getWrappedAnalyzer(String field) {
      return byField.getOrDefault(field, general);
    }

    @Override
    public void close() {
      super.close();
      general.close();
      byField.values().forEach(Analyzer::close);
    }
  }
}
