package io.kmodel.indexer.sort;

import io.kmodel.indexer.gpu.GpuInfo;
import io.kmodel.indexer.gpu.GpuProbe;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The devices on which a user wants keys sorted.
 *
 * @param kind CPU or GPUs
 * @param ordinals numbers of the GPUs; empty for all
 */
public record DeviceChoice(Kind kind, List<Integer> ordinals) {
  /** Where keys may be sorted. */
  public enum Kind {
    /** On GPUs, if there are any. */
    AUTO,
    CPU,
    /** On GPUs; without any the build fails. */
    GPU
  }

  public static final DeviceChoice AUTO = new DeviceChoice(Kind.AUTO, List.of());
  public static final DeviceChoice CPU = new DeviceChoice(Kind.CPU, List.of());

  private static final Pattern GPUS = Pattern.compile("gpu(?::(\\d{1,3}(?:,\\d{1,3})*))?");

  public DeviceChoice {
    ordinals = List.copyOf(ordinals);
  }

  /**
   * Parses {@code auto}, {@code cpu}, {@code gpu} or {@code gpu:0,2}.
   *
   * @throws IllegalArgumentException if it is none of these
   */
  public static DeviceChoice parse(String text) {
    if (text.equals("auto")) {
      return AUTO;
    }
    if (text.equals("cpu")) {
      return CPU;
    }
    Matcher gpus = GPUS.matcher(text);
    if (!gpus.matches()) {
      throw new IllegalArgumentException(
          "unknown device '" + text + "'; use auto, cpu, gpu, or gpu:0,2 for particular GPUs");
    }
    List<Integer> ordinals = new ArrayList<>();
    if (gpus.group(1) != null) {
      for (String ordinal : gpus.group(1).split(",", -1)) {
        ordinals.add(Integer.valueOf(ordinal));
      }
    }
    return new DeviceChoice(Kind.GPU, ordinals);
  }

  /**
   * Selects the chosen devices among those found.
   *
   * @throws IllegalArgumentException if a chosen one does not exist or is too old
   */
  public List<GpuInfo> among(GpuProbe probe) {
    if (ordinals.isEmpty()) {
      return probe.devices();
    }
    return ordinals.stream().distinct().map(ordinal -> device(ordinal, probe)).toList();
  }

  private static GpuInfo device(int ordinal, GpuProbe probe) {
    for (GpuInfo device : probe.devices()) {
      if (device.ordinal() == ordinal) {
        return device;
      }
    }
    for (GpuInfo device : probe.tooOld()) {
      if (device.ordinal() == ordinal) {
        throw new IllegalArgumentException(GpuProbe.tooOld(device));
      }
    }
    throw new IllegalArgumentException(
        "there is no gpu:%d; there are %s".formatted(ordinal, probe.devices()));
  }

  @Override
  public String toString() {
    return switch (kind) {
      case AUTO -> "auto";
      case CPU -> "cpu";
      case GPU ->
          ordinals.isEmpty()
              ? "gpu"
              : ordinals.stream().map(String::valueOf).collect(Collectors.joining(",", "gpu:", ""));
    };
  }
}
