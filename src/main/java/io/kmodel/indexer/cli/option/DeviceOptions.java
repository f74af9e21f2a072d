package io.kmodel.indexer.cli.option;

import io.kmodel.indexer.indexing.options.Pipeline;
import io.kmodel.indexer.sort.DeviceChoice;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options that select where runs are sorted. */
public final class DeviceOptions {
  @Option(
      names = "--device",
      paramLabel = "WHERE",
      defaultValue = "auto",
      converter = Converter.class,
      description =
          "Use these devices: auto (NVIDIA GPUs where they make a build faster; the report says why not),"
              + " cpu, gpu (all GPUs) or gpu:0,2 (default: ${DEFAULT-VALUE}). The index is the same.")
  private DeviceChoice choice;

  @Option(
      names = "--pipeline",
      paramLabel = "HOW",
      defaultValue = "auto",
      description =
          "What a GPU does: make runs from text (inverted; for the analyzers 'standard' and"
              + " 'english' without offsets), or sort them while threads continue to parse"
              + " (overlapped) or wait (serial); auto inverts for a Lucene index with a segment per run (default: ${DEFAULT-VALUE})."
              + " The index is the same.")
  private Pipeline pipeline;

  @SuppressWarnings("NullAway.Init") // picocli fills the options
  DeviceOptions() {}

  public DeviceChoice choice() {
    return choice;
  }

  public Pipeline pipeline() {
    return pipeline;
  }

  /** Reads {@link DeviceChoice}s. */
  public static final class Converter implements ITypeConverter<DeviceChoice> {
    @Override
    public DeviceChoice convert(String value) {
      try {
        return DeviceChoice.parse(value);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
