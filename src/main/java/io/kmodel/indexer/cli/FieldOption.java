package io.kmodel.indexer.cli;

import io.kmodel.indexer.index.Field;
import io.kmodel.indexer.index.Schema;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** The field that a command reads. */
final class FieldOption {
  @Option(
      names = "--field",
      paramLabel = "NAME",
      defaultValue = Schema.CONTENTS,
      description = "Read this field, e.g. contents or title (default: ${DEFAULT-VALUE}).")
  private String name;

  @SuppressWarnings("NullAway.Init") // picocli fills the option
  FieldOption() {}

  String name() {
    return name;
  }

  int ordinal(Schema schema) {
    int ordinal = schema.find(name);
    if (ordinal < 0) {
      throw new IllegalArgumentException(
          "the index has no field '%s'; it has %s"
              .formatted(
                  name,
                  schema.fields().stream().map(Field::name).collect(Collectors.joining(", "))));
    }
    return ordinal;
  }
}
