package io.kmodel.indexer.cli.option;

import java.nio.file.Path;
import picocli.CommandLine;

/** The format and path of a build's export. */
public record ExportTarget(Engine engine, Path path) {
  /** The engine whose format is written. */
  public enum Engine {
    LUCENE,
    CIFF
  }

  /** Parses {@code lucene:DIR} or {@code ciff:FILE} from the command line. */
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
          "'%s' is not an export target; write it like lucene:DIR or ciff:FILE".formatted(value));
    }
  }
}
