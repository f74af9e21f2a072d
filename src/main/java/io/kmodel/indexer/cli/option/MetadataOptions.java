package io.kmodel.indexer.cli.option;

import io.kmodel.indexer.parse.field.MetadataPlan;
import java.util.List;
import picocli.CommandLine.Option;

/** The options that select the metadata of documents. */
public final class MetadataOptions {
  @Option(
      names = "--metadata",
      paramLabel = "NAMES",
      split = ",",
      description =
          "Keep these values of each document, to show them and to filter by them: date (captured or"
              + " published), host, language, content-type, length (in bytes). The guide to formats"
              + " says where each value comes from.")
  private List<String> known = List.of();

  @Option(
      names = {"--metadata-from", "--json-metadata"},
      paramLabel = "NAME=SOURCE",
      split = ",",
      description =
          "Keep the value of a member of JSON, a column of TSV, a tag of TREC or a meta element of"
              + " HTML: year=published:int. The types are string (the default), int, double and date;"
              + " a dot enters objects. Repeat the option, or separate with commas.")
  private List<String> named = List.of();

  @Option(
      names = "--detect-language",
      paramLabel = "BOOL",
      arity = "0..1",
      fallbackValue = "true",
      defaultValue = "false",
      description =
          "Keep the language that the contents are in, of 103, as metadata detected-language, a code"
              + " of ISO 639; none if it is not certain. Needs --memory of 512m or more (default:"
              + " ${DEFAULT-VALUE}).")
  private boolean detectLanguage;

  @SuppressWarnings("NullAway.Init") // picocli fills the options
  MetadataOptions() {}

  /**
   * Returns the metadata.
   *
   * @throws IllegalArgumentException if it is invalid
   */
  public MetadataPlan toPlan() {
    MetadataPlan plan = MetadataPlan.parse(known, named);
    return detectLanguage ? plan.withLanguages() : plan;
  }
}
