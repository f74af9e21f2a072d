package io.kmodel.indexer.cli;

import java.nio.file.Path;
import picocli.CommandLine;

/** Where to make a Lucene index: {@code lucene:DIR}. */
record LuceneTarget(Path directory) {
  private static final String PREFIX = "lucene:";

  /** Reads it from the command line. */
  static final class Converter implements CommandLine.ITypeConverter<LuceneTarget> {
    @Override
    public LuceneTarget convert(String value) {
      if (!value.startsWith(PREFIX) || value.length() == PREFIX.length()) {
        throw new CommandLine.TypeConversionException(
            "'%s' is no target; write it like lucene:DIR".formatted(value));
      }
      return new LuceneTarget(Path.of(value.substring(PREFIX.length())));
    }
  }
}
