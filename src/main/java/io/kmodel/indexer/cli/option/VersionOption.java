package io.kmodel.indexer.cli.option;

import io.kmodel.indexer.export.lucene.version.LuceneVersion;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The option that names a version of Lucene. */
public final class VersionOption {
  @Option(
      names = "--lucene-version",
      paramLabel = "VERSION",
      converter = Converter.class,
      defaultValue = "10.6",
      description =
          "Write the index for this Lucene: 10.6, 10.5 (OpenSearch 3.9), 10.4 (Anserini and Pyserini"
              + " 2), 9.12 (late Solr 9 and Elasticsearch 8) or 9.9 (Anserini 1, late Pyserini before 2)"
              + " (default: ${DEFAULT-VALUE}). An engine refuses indexes of a later Lucene. Older"
              + " ones are written from our index by one thread, in more time.")
  private LuceneVersion version;

  @SuppressWarnings("NullAway.Init") // picocli fills the option
  VersionOption() {}

  public LuceneVersion version() {
    return version;
  }

  static final class Converter implements ITypeConverter<LuceneVersion> {
    Converter() {}

    @Override
    public LuceneVersion convert(String name) {
      try {
        return LuceneVersion.of(name);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(String.valueOf(e.getMessage()));
      }
    }
  }
}
