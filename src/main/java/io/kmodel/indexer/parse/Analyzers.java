package io.kmodel.indexer.parse;

import static io.kmodel.indexer.parse.AnalysisDefinition.MAX_TOKEN_LENGTH;
import static io.kmodel.indexer.parse.AnalysisDefinition.STEMMER;
import static io.kmodel.indexer.parse.AnalysisDefinition.STOP_WORDS;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
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
 * The analyzers that an index can be built with, by the names users give. An analyzer is safe for
 * many threads and belongs to the caller, who closes it.
 */
public final class Analyzers {
  /** Words by Unicode's rules, in lower case; no stop words. */
  public static final String STANDARD = "standard";

  /** The same without possessives and Lucene's English stop words, stemmed by Porter. */
  public static final String ENGLISH = "english";

  /** What stands between white space, as it stands. */
  public static final String WHITESPACE = "whitespace";

  private static final ImmutableSet<String> NAMES =
      ImmutableSet.<String>builder()
          .add(STANDARD, ENGLISH, WHITESPACE)
          .addAll(Languages.names())
          .build();

  /** Those that have a way from bytes to tokens without Lucene's. */
  private static final ImmutableMap<String, Supplier<FieldTokens>> FROM_BYTES =
      ImmutableMap.of(STANDARD, StandardTokens::new, ENGLISH, EnglishTokens::new);

  private Analyzers() {}

  /** The names, in the order they are documented in; those of languages last. */
  public static ImmutableSet<String> names() {
    return NAMES;
  }

  /** The codes of languages that there is an analyzer for, in order. */
  public static ImmutableSet<String> languages() {
    return Languages.knownCodes();
  }

  /**
   * A new analyzer as it comes.
   *
   * @throws IllegalArgumentException if there is none of this name; says which there are
   */
  public static Analyzer named(String name) {
    return AnalysisDefinition.of(name).newAnalyzer();
  }

  /** The name of an analyzer, which may be given by its language's code. */
  static String canonical(String name) {
    if (NAMES.contains(name)) {
      return name;
    }
    if (Languages.knownCodes().contains(name.toLowerCase(Locale.ROOT).replace('_', '-'))) {
      return Languages.ofCode(name);
    }
    throw new IllegalArgumentException(
        "no analyzer '%s'%s".formatted(name, Nearest.among(name, NAMES)));
  }

  /** A new analyzer. */
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
      default ->
          stopWords == null
              ? Languages.plain(definition.analyzer())
              : Languages.withStopWords(definition.analyzer(), stopWords);
    };
  }

  /** An index of a later version may have others; what they mean is not known here. */
  static void requireParameter(String analyzer, String parameter) {
    Set<String> known =
        switch (analyzer) {
          case STANDARD -> Set.of(STOP_WORDS, MAX_TOKEN_LENGTH);
          case ENGLISH -> Set.of(STOP_WORDS, MAX_TOKEN_LENGTH, STEMMER);
          case WHITESPACE -> Set.of(MAX_TOKEN_LENGTH);
          case AnalysisDefinition.CHAIN -> Set.of();
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

  /** Whether {@link #fieldTokens} has something for an analyzer as it comes. */
  public static boolean hasFieldTokens(String name) {
    return FROM_BYTES.containsKey(name);
  }

  /**
   * What turns UTF-8 bytes into an analyzer's tokens several times faster than the analyzer: a new
   * one, as each thread needs its own. Empty for an analyzer that has none.
   */
  public static Optional<FieldTokens> fieldTokens(String name) {
    return fieldTokens(AnalysisDefinition.of(name));
  }

  /** The same for an analyzer that need not be as it comes. */
  static Optional<FieldTokens> fieldTokens(AnalysisDefinition definition) {
    return definition.isPlain()
        ? Optional.ofNullable(FROM_BYTES.get(definition.analyzer())).map(Supplier::get)
        : Optional.empty();
  }
}
