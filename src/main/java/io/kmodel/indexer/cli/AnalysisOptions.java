package io.kmodel.indexer.cli;

import com.google.common.collect.ImmutableSet;
import io.kmodel.indexer.parse.AnalysisDefinition;
import io.kmodel.indexer.parse.AnalyzerChain;
import io.kmodel.indexer.parse.Analyzers;
import io.kmodel.indexer.parse.StopWords;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say how text becomes terms. */
final class AnalysisOptions {
  @Option(
      names = "--analyzer",
      paramLabel = "NAME",
      description = {
        "How text becomes terms (default: standard):",
        "standard: words after Unicode's rules, in lower case;",
        "english: the same, without stop words and possessives, Porter-stemmed;",
        "whitespace: split at white space and nothing else;",
        "or Lucene's analyzer for a language: german, french, ..."
      })
  private @Nullable String analyzer;

  @Option(
      names = "--language",
      paramLabel = "CODE",
      description =
          "Lucene's analyzer for the language of this code: de, fr, pt-BR, ... For zh, ja and ko that is cjk:"
              + " pairs of neighbouring characters, not words.")
  private @Nullable String language;

  @Option(
      names = "--pretokenized",
      fallbackValue = "true",
      description =
          "Terms stand between white space and are taken as they stand, as by Anserini's option of this"
              + " name; the same as --analyzer=whitespace.")
  private boolean pretokenized;

  @Option(
      names = "--analyzer-chain",
      paramLabel = "FILE",
      converter = PathArgument.Input.class,
      description =
          "Put an analyzer together of Lucene's parts, by the names of their factories: a file of properties"
              + " analyzer.charFilter.N, analyzer.tokenizer and analyzer.filter.N. The index keeps a copy.")
  private @Nullable Path chain;

  @Option(
      names = "--stemmer",
      paramLabel = "NAME",
      description = "Of english: porter, krovetz or none (default: porter).")
  private @Nullable String stemmer;

  @Option(
      names = "--stop-words",
      paramLabel = "FILE",
      converter = PathArgument.Input.class,
      description =
          "Leave out these words in place of the analyzer's: a word a line, comments from # on; an empty file"
              + " for none. The index keeps a copy.")
  private @Nullable Path stopWords;

  @Option(
      names = "--max-token-length",
      paramLabel = "N",
      description =
          "Of standard, english and whitespace: where longer words are cut in pieces, in UTF-16 units"
              + " (default: 255, Lucene's).")
  private @Nullable Integer maxTokenLength;

  /**
   * The definition that the options make.
   *
   * @throws IllegalArgumentException if they make none
   */
  AnalysisDefinition toDefinition() throws IOException {
    AnalysisDefinition definition = chosen();
    if (stemmer != null) {
      definition = with("--stemmer", stemmer, definition::withStemmer);
    }
    if (stopWords != null) {
      ImmutableSet<String> words = StopWords.read(stopWords);
      definition = with("--stop-words", words, definition::withStopWords);
    }
    return maxTokenLength == null
        ? definition
        : with("--max-token-length", maxTokenLength, definition::withMaxTokenLength);
  }

  /** What is wrong with a parameter names its option, by which it is found among the settings. */
  private static <T> AnalysisDefinition with(
      String option, T value, Function<T, AnalysisDefinition> parameter) {
    try {
      return parameter.apply(value);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(option + ": " + e.getMessage(), e);
    }
  }

  private AnalysisDefinition chosen() throws IOException {
    Object[] choices = {analyzer, language, chain, pretokenized ? Analyzers.WHITESPACE : null};
    if (Arrays.stream(choices).filter(Objects::nonNull).count() > 1) {
      throw new IllegalArgumentException(
          "--analyzer, --language, --pretokenized and --analyzer-chain exclude each other");
    }
    if (chain != null) {
      return AnalyzerChain.read(chain);
    }
    if (language != null) {
      return AnalysisDefinition.ofLanguage(language);
    }
    return pretokenized
        ? AnalysisDefinition.of(Analyzers.WHITESPACE)
        : AnalysisDefinition.of(analyzer == null ? Analyzers.STANDARD : analyzer);
  }
}
