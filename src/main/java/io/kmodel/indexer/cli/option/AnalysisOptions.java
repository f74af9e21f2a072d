package io.kmodel.indexer.cli.option;

import com.google.common.collect.ImmutableSet;
import io.kmodel.indexer.analysis.AnalysisDefinition;
import io.kmodel.indexer.analysis.AnalyzerChain;
import io.kmodel.indexer.analysis.Analyzers;
import io.kmodel.indexer.analysis.StopWords;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that select how text is analyzed into terms. */
public final class AnalysisOptions {
  @Option(
      names = "--analyzer",
      paramLabel = "NAME",
      description = {
        "Analyze text with one of these (default: standard):",
        "standard: words by Unicode's rules, lowercased;",
        "english: standard without stop words and possessives, Porter-stemmed;",
        "whitespace: split at white space only;",
        "or a Lucene language analyzer: german, french, ...;",
        "auto: that of each document's language, see --language"
      })
  private @Nullable String analyzer;

  @Option(
      names = "--language",
      paramLabel = "CODE",
      description =
          "Use Lucene's analyzer for a language code: de, fr, pt-BR, ... (zh, ja and ko: cjk, which"
              + " indexes pairs of adjacent characters). A build with auto detects the language of each"
              + " document, see --detect-language.")
  private @Nullable String language;

  @Option(
      names = "--pretokenized",
      fallbackValue = "true",
      description =
          "Split terms at white space and keep them unchanged, like Anserini's option; same as"
              + " --analyzer=whitespace.")
  private boolean pretokenized;

  @Option(
      names = "--analyzer-chain",
      paramLabel = "FILE",
      converter = PathArgument.Input.class,
      description =
          "Build an analyzer from Lucene factories named in a properties file:"
              + " analyzer.charFilter.N, analyzer.tokenizer, analyzer.filter.N. The index stores a"
              + " copy.")
  private @Nullable Path chain;

  @Option(
      names = "--stemmer",
      paramLabel = "NAME",
      description = "Stem english with porter, krovetz or none (default: porter).")
  private @Nullable String stemmer;

  @Option(
      names = "--stop-words",
      paramLabel = "FILE",
      converter = PathArgument.Input.class,
      description =
          "Use these stop words instead of the analyzer's: one per line, # starts a comment; an"
              + " empty file means none. The index stores a copy.")
  private @Nullable Path stopWords;

  @Option(
      names = "--max-token-length",
      paramLabel = "N",
      description =
          "Split longer words of standard, english and whitespace after N UTF-16 units (default:"
              + " 255, as in Lucene).")
  private @Nullable Integer maxTokenLength;

  /**
   * Builds the definition that the options describe.
   *
   * @throws IllegalArgumentException if the options are invalid or conflict
   */
  public AnalysisDefinition toDefinition() throws IOException {
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

  /** Prefixes an error with the option's name, so that the origin of the setting can be found. */
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
          "--analyzer, --language, --pretokenized and --analyzer-chain cannot be combined");
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
