package io.kmodel.indexer.analysis;

import com.google.common.base.Ascii;
import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.ImmutableSortedSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.analysis.Analyzer;
import org.jspecify.annotations.Nullable;

/**
 * Defines how text becomes terms: an analyzer's name and the parameters that differ from the
 * defaults. A definition contains the words and files it was given, so it recreates the same
 * analyzer on any machine. Equal definitions produce equal terms. An index's options hold it as
 * {@code analyzer} with the name and {@code analyzer.PARAMETER} for each parameter.
 *
 * @param analyzer one of {@link Analyzers#names}, or {@link #CHAIN}
 * @param parameters without those that have their default value
 */
public record AnalysisDefinition(String analyzer, ImmutableSortedMap<String, String> parameters) {
  /** The name of an analyzer built from Lucene's parts, see {@link AnalyzerChain}. */
  public static final String CHAIN = "chain";

  /** The English stemmer: porter, krovetz or none. */
  static final String STEMMER = "stemmer";

  /** The stop words in order, separated by spaces. */
  static final String STOP_WORDS = "stop-words";

  /** The maximum in UTF-16 units; longer words are split into pieces of this length. */
  static final String MAX_TOKEN_LENGTH = "max-token-length";

  /** The default of Lucene's tokenizers. */
  static final int USUAL_MAX_TOKEN_LENGTH = 255;

  /** A longer token could exceed Lucene's limit on a term's bytes. */
  static final int LARGEST_MAX_TOKEN_LENGTH = DocumentAnalysis.MAX_TERM_BYTES / 3;

  /**
   * The name of an analyzer that is chosen for each document by the language that its contents are
   * in: that of {@link #ofLanguage}, or {@link Analyzers#STANDARD} for other languages.
   */
  public static final String BY_LANGUAGE = "auto";

  public static final AnalysisDefinition STANDARD = of(Analyzers.STANDARD);

  public static final AnalysisDefinition ENGLISH = of(Analyzers.ENGLISH);

  private static final String OPTION = "analyzer";

  public AnalysisDefinition {
    analyzer = analyzer.equals(CHAIN) ? analyzer : Analyzers.canonical(analyzer);
  }

  /**
   * Returns an analyzer with default parameters.
   *
   * @param name one of {@link Analyzers#names}, or the code of a language
   * @throws IllegalArgumentException if the name is unknown; the message lists the known ones
   */
  public static AnalysisDefinition of(String name) {
    return new AnalysisDefinition(name, ImmutableSortedMap.of());
  }

  /**
   * Returns the analyzer of a language.
   *
   * @param code an ISO 639 code, or {@code pt-BR}; {@value #BY_LANGUAGE} for that of each document
   * @throws IllegalArgumentException if the code is unknown; the message lists the known ones
   */
  public static AnalysisDefinition ofLanguage(String code) {
    return of(Ascii.equalsIgnoreCase(code, BY_LANGUAGE) ? BY_LANGUAGE : Languages.ofCode(code));
  }

  /** Whether each document has its own analyzer. */
  public boolean isByLanguage() {
    return analyzer.equals(BY_LANGUAGE);
  }

  /**
   * Returns the definition for a document in a language.
   *
   * @param code of ISO 639; empty if it is not known
   */
  AnalysisDefinition in(String code) {
    if (!isByLanguage()) {
      return this;
    }
    return Languages.knownCodes().contains(code) ? ofLanguage(code) : STANDARD;
  }

  /** Returns a copy with another stemmer: porter, krovetz or none. */
  public AnalysisDefinition withStemmer(String stemmer) {
    return with(STEMMER, stemmer(stemmer) == EnglishChain.Stemmer.PORTER ? null : stemmer);
  }

  /**
   * Returns a copy with these stop words instead of the analyzer's.
   *
   * @param words in any case, without white space; may be empty
   */
  public AnalysisDefinition withStopWords(ImmutableSet<String> words) {
    return with(STOP_WORDS, String.join(" ", ImmutableSortedSet.copyOf(words)));
  }

  /** Returns a copy that splits words at another length, in UTF-16 units. */
  public AnalysisDefinition withMaxTokenLength(int length) {
    requireLength(length);
    return with(
        MAX_TOKEN_LENGTH, length == USUAL_MAX_TOKEN_LENGTH ? null : Integer.toString(length));
  }

  private AnalysisDefinition with(String parameter, @Nullable String value) {
    Analyzers.requireParameter(analyzer, parameter);
    TreeMap<String, String> all = new TreeMap<>(parameters);
    all.remove(parameter);
    if (value != null) {
      all.put(parameter, value);
    }
    return new AnalysisDefinition(analyzer, ImmutableSortedMap.copyOf(all));
  }

  private static void requireLength(int length) {
    if (length < 1 || length > LARGEST_MAX_TOKEN_LENGTH) {
      throw new IllegalArgumentException(
          "the maximum token length must be 1 to %d characters; got %d"
              .formatted(LARGEST_MAX_TOKEN_LENGTH, length));
    }
  }

  /** Returns a new, thread-safe analyzer, which the caller closes. */
  public Analyzer newAnalyzer() {
    return Analyzers.of(this);
  }

  /** Whether all parameters have their defaults. */
  boolean isPlain() {
    return parameters.isEmpty();
  }

  EnglishChain.Stemmer stemmer() {
    return stemmer(parameters.getOrDefault(STEMMER, "porter"));
  }

  private static EnglishChain.Stemmer stemmer(String name) {
    for (EnglishChain.Stemmer stemmer : EnglishChain.Stemmer.values()) {
      if (stemmer.name().toLowerCase(Locale.ROOT).equals(name)) {
        return stemmer;
      }
    }
    throw new IllegalArgumentException(
        "unknown stemmer '%s'; known: porter, krovetz and none".formatted(name));
  }

  int maxTokenLength() {
    String given = parameters.get(MAX_TOKEN_LENGTH);
    if (given == null) {
      return USUAL_MAX_TOKEN_LENGTH;
    }
    int length = Integer.parseInt(given);
    requireLength(length);
    return length;
  }

  /** Adds the definition to an index's options, under keys that begin with the prefix. */
  void addTo(Map<String, String> options, String prefix) {
    options.put(prefix + OPTION, analyzer);
    parameters.forEach((name, value) -> options.put(prefix + OPTION + '.' + name, value));
  }

  /**
   * Reads the definition from an index's options.
   *
   * @throws IllegalArgumentException if they name no analyzer or an unknown one
   */
  static AnalysisDefinition from(Map<String, String> options, String prefix) {
    String name = options.get(prefix + OPTION);
    if (name == null) {
      throw new IllegalArgumentException("the index does not say which analyzer it was built with");
    }
    String start = prefix + OPTION + '.';
    ImmutableSortedMap.Builder<String, String> parameters = ImmutableSortedMap.naturalOrder();
    options.forEach(
        (key, value) -> {
          if (key.startsWith(start)) {
            parameters.put(key.substring(start.length()), value);
          }
        });
    return new AnalysisDefinition(name, parameters.buildOrThrow());
  }

  /** Describes the definition to people: {@code english, krovetz stemmer, 2 custom stop words}. */
  @Override
  public String toString() {
    List<String> parts = new ArrayList<>(List.of(analyzer));
    parameters.forEach(
        (name, value) -> {
          switch (name) {
            case STEMMER -> parts.add(value.equals("none") ? "no stemmer" : value + " stemmer");
            case STOP_WORDS -> parts.add(words(value) + " custom stop words");
            case MAX_TOKEN_LENGTH -> parts.add("tokens split after " + value + " characters");
            default ->
                parts.add(
                    name.startsWith(AnalyzerChain.FILE)
                        ? "%s (%d characters)".formatted(name, value.length())
                        : name + "=" + value);
          }
        });
    return String.join(", ", parts);
  }

  private static int words(String joined) {
    return joined.isEmpty() ? 0 : Splitter.on(' ').splitToList(joined).size();
  }
}
