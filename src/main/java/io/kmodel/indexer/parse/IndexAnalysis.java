package io.kmodel.indexer.parse;

import com.google.common.collect.ImmutableSortedMap;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.DelegatingAnalyzerWrapper;

/**
 * How the texts of an index become terms, field by field. It is kept in the index's options, from
 * which queries are analyzed: the definition of all fields as {@link AnalysisDefinition} says, that
 * of one field under names that begin with {@code field.NAME.}.
 *
 * @param general of every field without one of its own
 * @param byField definitions other than the general one, by field
 */
public record IndexAnalysis(
    AnalysisDefinition general, ImmutableSortedMap<String, AnalysisDefinition> byField) {
  private static final String FIELD = "field.";

  /** Names of fields have no dots. */
  private static final Pattern OF_FIELD = Pattern.compile("field\\.([^.]+)\\.analyzer");

  /** The same definition for every field. */
  public static IndexAnalysis of(AnalysisDefinition definition) {
    return new IndexAnalysis(definition, ImmutableSortedMap.of());
  }

  /** An analyzer as it comes for every field. */
  public static IndexAnalysis of(String analyzer) {
    return of(AnalysisDefinition.of(analyzer));
  }

  /** The same with a definition for one field. */
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
   * What an index's options say.
   *
   * @throws IllegalArgumentException if they say nothing, or what is not known here
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

  /** Puts it among an index's options. */
  public void addTo(Map<String, String> options) {
    general.addTo(options, "");
    byField.forEach((field, definition) -> definition.addTo(options, FIELD + field + '.'));
  }

  /** Whether an option of an index is one of those that this is kept in. */
  public static boolean isOption(String key) {
    return key.equals("analyzer")
        || key.startsWith("analyzer.")
        || OF_FIELD.matcher(key).lookingAt();
  }

  /** The definition of a field. */
  public AnalysisDefinition definition(String field) {
    return byField.getOrDefault(field, general);
  }

  /** A new analyzer of all fields; safe for many threads, and the caller's to close. */
  public Analyzer newAnalyzer() {
    return byField.isEmpty() ? general.newAnalyzer() : new ByField(this);
  }

  /** Asks a field's own analyzer. */
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
