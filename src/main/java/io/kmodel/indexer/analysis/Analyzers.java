package io.kmodel.indexer.analysis;

import static io.kmodel.indexer.analysis.AnalysisDefinition.MAX_TOKEN_LENGTH;
import static io.kmodel.indexer.analysis.AnalysisDefinition.STEMMER;
import static io.kmodel.indexer.analysis.AnalysisDefinition.STOP_WORDS;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.kmodel.indexer.parse.text.Suggestions;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.jspecify.annotations.Nullable;

/**
 * The analyzers that an index can be built with, by the names users give. Analyzers are
 * thread-safe, and the caller closes them.
 */
public final class Analyzers {
  /** Words by Unicode's rules, lowercased, with no stop words removed. */
  public static final String STANDARD = "standard";

  /** Standard without possessives and Lucene's English stop words, with Porter's stemmer. */
  public static final String ENGLISH = "english";

  /** Splits at white space and keeps terms unchanged. */
  public static final String WHITESPACE = "whitespace";

  private static final ImmutableSet<String> NAMES =
      ImmutableSet.<String>builder()
          .add(STANDARD, ENGLISH, WHITESPACE, AnalysisDefinition.BY_LANGUAGE)
          .addAll(Languages.names())
          .build();

  /** The analyzers with a faster implementation that turns bytes into tokens without Lucene. */
  private static final ImmutableMap<String, Supplier<FieldTokens>> FROM_BYTES =
      ImmutableMap.of(STANDARD, StandardTokens::new, ENGLISH, EnglishTokens::new);

  private Analyzers() {}

  /** Returns the names in the order of the documentation, languages last. */
  public static ImmutableSet<String> names() {
    return NAMES;
  }

  /** Returns the codes of languages with an analyzer, in order. */
  public static ImmutableSet<String> languages() {
    return Languages.knownCodes();
  }

  /**
   * Creates an analyzer with default parameters.
   *
   * @throws IllegalArgumentException if the name is unknown; the message lists the known ones
   */
  public static Analyzer named(String name) {
    return AnalysisDefinition.of(name).newAnalyzer();
  }

  /** Returns an analyzer's name for a name or a language code. */
  static String canonical(String name) {
    if (NAMES.contains(name)) {
      return name;
    }
    if (Languages.knownCodes().contains(name.toLowerCase(Locale.ROOT).replace('_', '-'))) {
      return Languages.ofCode(name);
    }
    throw new IllegalArgumentException(
        "unknown analyzer '%s'%s".formatted(name, Suggestions.among(name, NAMES)));
  }

  /** Creates an analyzer. */
  static Analyzer of(AnalysisDefinition definition) {
    if (definition.analyzer().equals(AnalysisDefinition.CHAIN)) {
      return AnalyzerChain.create(definition.parameters());
    }
    definition.parameters().keySet().forEach(name -> requireParameter(definition.analyzer(), name));
    CharArraySet stopWords = stopWords(definition);
    int longest = definition.maxTokenLength();
    return switch (definition.analyzer()) {
      case STANDARD -> {
        StandardAnalyzer standard =
            stopWords == null ? new StandardAnalyzer() : new StandardAnalyzer(stopWords);
        standard.setMaxTokenLength(longest);
        yield standard;
      }
      case ENGLISH ->
          definition.isPlain()
              ? new EnglishAnalyzer()
              : new EnglishChain(
                  definition.stemmer(),
                  stopWords == null ? EnglishAnalyzer.getDefaultStopSet() : stopWords,
                  longest);
      case WHITESPACE -> new WhitespaceAnalyzer(longest);
      case AnalysisDefinition.BY_LANGUAGE -> LanguageAnalyzers.of(IndexAnalysis.of(definition));
      default ->
          stopWords == null
              ? Languages.plain(definition.analyzer())
              : Languages.withStopWords(definition.analyzer(), stopWords);
    };
  }

  /** Refuses unknown parameters; an index of a later version may have more of them. */
  static void requireParameter(String analyzer, String parameter) {
    Set<String> known =
        switch (analyzer) {
          case STANDARD -> Set.of(STOP_WORDS, MAX_TOKEN_LENGTH);
          case ENGLISH -> Set.of(STOP_WORDS, MAX_TOKEN_LENGTH, STEMMER);
          case WHITESPACE -> Set.of(MAX_TOKEN_LENGTH);
          case AnalysisDefinition.CHAIN, AnalysisDefinition.BY_LANGUAGE -> Set.of();
          default -> Set.of(STOP_WORDS);
        };
    if (!known.contains(parameter)) {
      throw new IllegalArgumentException(
          "the analyzer '%s' has no parameter '%s'; it has %s"
              .formatted(
                  analyzer,
                  parameter,
                  known.isEmpty() ? "none" : String.join(", ", new TreeSet<>(known))));
    }
  }

  private static @Nullable CharArraySet stopWords(AnalysisDefinition definition) {
    String words = definition.parameters().get(STOP_WORDS);
    return words == null
        ? null
        : new CharArraySet(Splitter.on(' ').omitEmptyStrings().splitToList(words), true);
  }

  /**
   * Creates an object that turns UTF-8 bytes into the analyzer's tokens several times faster than
   * the analyzer. Each thread needs its own. Empty if the analyzer has no such implementation.
   */
  public static Optional<FieldTokens> fieldTokens(String name) {
    return fieldTokens(AnalysisDefinition.of(name));
  }

  /** Does the same for a definition, which may have parameters. */
  public static Optional<FieldTokens> fieldTokens(AnalysisDefinition definition) {
    return definition.isPlain()
        ? Optional.ofNullable(FROM_BYTES.get(definition.analyzer())).map(Supplier::get)
        : Optional.empty();
  }
}
