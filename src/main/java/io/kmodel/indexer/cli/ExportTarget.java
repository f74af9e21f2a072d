package io.kmodel.indexer.cli;

import java.nio.file.Path;
import picocli.CommandLine;

/** What a build is to make besides or in place of an index of ours, and where. */
record ExportTarget(Engine engine, Path path) {
  /** Whose format it is. */
  enum Engine {
    LUCENE,
    CIFF
  }

  /** Reads it from the command line: {@code lucene:DIR} or {@code ciff:FILE}. */
  static final class Converter implements CommandLine.ITypeConverter<ExportTarget> {
    private final PathArgument.Output output = new PathArgument.Output();

    @Override
    public ExportTarget convert(String value) {
      int colon = value.indexOf(':');
      String path = value.substring(colon + 1);
      if (colon > 0 && !path.isEmpty()) {
        switch (value.substring(0, colon)) {
          case "lucene" -> {
            return new ExportTarget(Engine.LUCENE, output.convert(path));
          }
          case "ciff" -> {
            return new ExportTarget(Engine.CIFF, output.convert(path));
          }
          default -> {}
        }
      }
      throw new CommandLine.TypeConversionException(
          "'%s' is no target; write it like lucene:DIR or ciff:FILE".formatted(value));
    }
  }
}
