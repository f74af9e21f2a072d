package io.kmodel.indexer.gpu;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The result of a search for devices: the devices found, or the reason why there are none. Probing
 * never throws.
 *
 * @param devices those that can run the kernels
 * @param tooOld those that cannot
 * @param reason why there are no usable devices, phrased to follow a colon; empty if there are some
 */
public record GpuProbe(List<GpuInfo> devices, List<GpuInfo> tooOld, String reason) {
  /** Environment variable: off, 0, no or false disables the search. */
  public static final String SWITCH = "INDEXER_GPU";

  private static final Set<String> OFF = Set.of("off", "0", "no", "false");

  /** Compiled by nvcc from kernels/program.cu; missing if the build had no suitable nvcc. */
  private static final String KERNELS = "kmodel.fatbin";

  /** Compiled from kernels/sorters/program.cu, with the others. */
  private static final String SORTERS = "sorters.fatbin";

  private static final String DRIVER = "libcuda.so.1";

  /** The least capability whose blocks may use the 66 KiB of shared memory the kernels need. */
  private static final int LEAST_CAPABILITY = 80;

  public GpuProbe {
    devices = List.copyOf(devices);
    tooOld = List.copyOf(tooOld);
    if (devices.isEmpty() == reason.isEmpty()) {
      throw new IllegalArgumentException("a probe has devices or a reason why it has none");
    }
  }

  /** Searches for devices. The first call loads the driver, which takes tenths of a second. */
  public static GpuProbe look() {
    String obstacle = obstacle();
    return obstacle.isEmpty() ? lookForDevices() : none(obstacle);
  }

  /** Why there can be no device; empty if only the driver can tell. Does not start the driver. */
  public static String obstacle() {
    String wish = System.getenv(SWITCH);
    if (wish != null && OFF.contains(wish.strip().toLowerCase(Locale.ROOT))) {
      return SWITCH + "=" + wish;
    }
    if (GpuProbe.class.getResource(KERNELS) == null) {
      return "this program was built without an nvcc that compiles its kernels";
    }
    return hasDriver() ? "" : "no NVIDIA driver (" + DRIVER + " not found)";
  }

  /** Asks the driver, without checking for an {@link #obstacle} first. */
  static GpuProbe lookForDevices() {
    try {
      JCudaLibrary.load();
      Cuda.init();
      return of(Cuda.devices());
    } catch (GpuException e) {
      return none("the driver says " + e.getMessage());
    } catch (IOException | LinkageError e) {
      return none("jcuda cannot be loaded: " + firstLine(e));
    }
  }

  public boolean isAvailable() {
    return !devices.isEmpty();
  }

  /** The compiled kernels that builds use; empty if this program has none. */
  public static byte[] kernels() {
    return resource(KERNELS);
  }

  /**
   * The compiled kernels of the sorters that only experiments use; empty if this program has none.
   */
  public static byte[] sorters() {
    return resource(SORTERS);
  }

  /** Whether this program has the compiled kernels of those sorters. */
  public static boolean hasSorters() {
    return GpuProbe.class.getResource(SORTERS) != null;
  }

  private static byte[] resource(String name) {
    try (InputStream in = GpuProbe.class.getResourceAsStream(name)) {
      return in == null ? new byte[0] : in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static GpuProbe of(List<GpuInfo> found) {
    if (found.isEmpty()) {
      return none("the driver sees no device");
    }
    List<GpuInfo> able = new ArrayList<>(found);
    able.removeIf(device -> device.capability() < LEAST_CAPABILITY);
    List<GpuInfo> tooOld = new ArrayList<>(found);
    tooOld.removeAll(able);
    return new GpuProbe(able, tooOld, able.isEmpty() ? tooOld(found.getFirst()) : "");
  }

  /** Why the kernels do not run on this device. */
  public static String tooOld(GpuInfo device) {
    return "compute capability %d.%d is needed; %s has %d.%d"
        .formatted(
            LEAST_CAPABILITY / 10,
            LEAST_CAPABILITY % 10,
            device,
            device.capability() / 10,
            device.capability() % 10);
  }

  private static GpuProbe none(String reason) {
    return new GpuProbe(List.of(), List.of(), reason);
  }

  @SuppressWarnings("restricted")
  private static boolean hasDriver() {
    try (Arena arena = Arena.ofConfined()) {
      SymbolLookup.libraryLookup(DRIVER, arena);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static String firstLine(Throwable e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse(e.getClass().getSimpleName());
  }
}
