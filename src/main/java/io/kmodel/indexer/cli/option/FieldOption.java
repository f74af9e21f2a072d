package io.kmodel.indexer.cli.option;

import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.Schema;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** The field that a command reads. */
public final class FieldOption {
  @Option(
      names = "--field",
      paramLabel = "NAME",
      defaultValue = Schema.CONTENTS,
      description = "Read this field, e.g. contents or title (default: ${DEFAULT-VALUE}).")
  private String name;

  @SuppressWarnings("NullAway.Init") // picocli fills the option
  FieldOption() {}

  public String name() {
    return name;
  }

  public int ordinal(Schema schema) {
    int ordinal = schema.find(name);
    if (ordinal < 0 && schema.findColumn(name) >= 0) {
      throw new IllegalArgumentException(
          "'%s' is a column of numbers, which has no terms; 'stats' shows its range, and 'search --filter' uses it"
              .formatted(name));
    }
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
