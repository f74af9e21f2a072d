package io.kmodel.indexer.cli;

import io.kmodel.indexer.build.Pipeline;
import io.kmodel.indexer.sort.DeviceChoice;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options that select where runs are sorted. */
final class DeviceOptions {
  @Option(
      names = "--device",
      paramLabel = "WHERE",
      defaultValue = "auto",
      converter = Converter.class,
      description =
          "Sort runs on these devices: auto (NVIDIA GPUs if usable; the report says why not), cpu,"
              + " gpu (all GPUs) or gpu:0,2 (default: ${DEFAULT-VALUE}). The index is the same.")
  private DeviceChoice choice;

  @Option(
      names = "--pipeline",
      paramLabel = "HOW",
      defaultValue = "overlapped",
      description =
          "While a GPU sorts, continue parsing (overlapped) or wait (serial) (default:"
              + " ${DEFAULT-VALUE}). The index is the same.")
  private Pipeline pipeline;

  @SuppressWarnings("NullAway.Init") // picocli fills the options
  DeviceOptions() {}

  DeviceChoice choice() {
    return choice;
  }

  Pipeline pipeline() {
    return pipeline;
  }

  /** Reads {@link DeviceChoice}s. */
  static final class Converter implements ITypeConverter<DeviceChoice> {
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
