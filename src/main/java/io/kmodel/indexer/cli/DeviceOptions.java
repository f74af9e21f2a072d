package io.kmodel.indexer.cli;

import io.kmodel.indexer.build.Pipeline;
import io.kmodel.indexer.sort.DeviceChoice;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options that say where runs are sorted. */
final class DeviceOptions {
  @Option(
      names = "--device",
      paramLabel = "WHERE",
      defaultValue = "auto",
      converter = Converter.class,
      description =
          "Where runs are sorted (default: ${DEFAULT-VALUE}): auto, on NVIDIA GPUs if there are any, and"
              + " the report says why not; cpu; gpu, on all of them, or gpu:0,2 on these. The index is the same.")
  private DeviceChoice choice;

  @Option(
      names = "--pipeline",
      paramLabel = "HOW",
      defaultValue = "overlapped",
      description =
          "With a GPU (default: ${DEFAULT-VALUE}): overlapped, threads parse on while it sorts;"
              + " serial, they wait. The index is the same.")
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
