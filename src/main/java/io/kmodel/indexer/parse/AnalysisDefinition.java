package io.kmodel.indexer.parse;

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
 * How text becomes terms: the name of an analyzer, and what of it is other than usual. It is all
 * that it takes to make the same analyzer again, on any machine: words and files that it was given
 * are in it. Two that are equal give the same terms. It is written into an index's options as
 * {@code analyzer} with the name, and {@code analyzer.PARAMETER} for each parameter.
 *
 * @param analyzer one of {@link Analyzers#names}, or {@link #CHAIN}
 * @param parameters without those that have their usual value
 */
public record AnalysisDefinition(String analyzer, ImmutableSortedMap<String, String> parameters) {
  /** The name of an analyzer that is put together of Lucene's parts, see {@link AnalyzerChain}. */
  public static final String CHAIN = "chain";

  /** Of English: porter, krovetz or none. */
  static final String STEMMER = "stemmer";

  /** In order, with a space between two. */
  static final String STOP_WORDS = "stop-words";

  /** In UTF-16 units; a longer word is cut into pieces of this length. */
  static final String MAX_TOKEN_LENGTH = "max-token-length";

  /** What Lucene's tokenizers do if they are not told otherwise. */
  static final int USUAL_MAX_TOKEN_LENGTH = 255;

  /** A longer token might have more bytes than a term of Lucene's. */
  static final int LARGEST_MAX_TOKEN_LENGTH = DocumentAnalysis.MAX_TERM_BYTES / 3;

  public static final AnalysisDefinition STANDARD = of(Analyzers.STANDARD);

  private static final String OPTION = "analyzer";

  public AnalysisDefinition {
    analyzer = analyzer.equals(CHAIN) ? analyzer : Analyzers.canonical(analyzer);
  }

  /**
   * An analyzer as it comes.
   *
   * @param name one of {@link Analyzers#names}, or the code of a language
   * @throws IllegalArgumentException if there is none of this name; says which there are
   */
  public static AnalysisDefinition of(String name) {
    return new AnalysisDefinition(name, ImmutableSortedMap.of());
  }

  /**
   * The analyzer for a language.
   *
   * @param code as ISO 639 has it; or {@code pt-BR}
   * @throws IllegalArgumentException if there is none; says which there are
   */
  public static AnalysisDefinition ofLanguage(String code) {
    return of(Languages.ofCode(code));
  }

  /** The same with another stemmer: porter, krovetz or none. */
  public AnalysisDefinition withStemmer(String stemmer) {
    return with(STEMMER, stemmer(stemmer) == EnglishChain.Stemmer.PORTER ? null : stemmer);
  }

  /**
   * The same with these stop words in place of its own.
   *
   * @param words in any case, without white space; may be empty
   */
  public AnalysisDefinition withStopWords(ImmutableSet<String> words) {
    return with(STOP_WORDS, String.join(" ", ImmutableSortedSet.copyOf(words)));
  }

  /** The same with words cut at another length, in UTF-16 units. */
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
          "the longest token must be 1 to %d characters; got %d"
              .formatted(LARGEST_MAX_TOKEN_LENGTH, length));
    }
  }

  /** A new analyzer; safe for many threads, and the caller's to close. */
  public Analyzer newAnalyzer() {
    return Analyzers.of(this);
  }

  /** Whether it is an analyzer as it comes. */
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
        "no stemmer '%s'; there are porter, krovetz and none".formatted(name));
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

  /** Puts it among an index's options, under names that begin with the prefix. */
  void addTo(Map<String, String> options, String prefix) {
    options.put(prefix + OPTION, analyzer);
    parameters.forEach((name, value) -> options.put(prefix + OPTION + '.' + name, value));
  }

  /**
   * Reads it from an index's options.
   *
   * @throws IllegalArgumentException if they say no analyzer, or one that there is not
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

  /** For people: {@code english, krovetz stemmer, 2 stop words of its own}. */
  @Override
  public String toString() {
    List<String> parts = new ArrayList<>(List.of(analyzer));
    parameters.forEach(
        (name, value) -> {
          switch (name) {
            case STEMMER -> parts.add(value.equals("none") ? "no stemmer" : value + " stemmer");
            case STOP_WORDS -> parts.add(words(value) + " stop words of its own");
            case MAX_TOKEN_LENGTH -> parts.add("tokens cut at " + value + " characters");
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
