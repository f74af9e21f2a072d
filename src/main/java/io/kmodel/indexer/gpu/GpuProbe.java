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
 * What a look for devices has found: some, or the reason why there is none. Never an exception.
 *
 * @param devices all that the kernels run on
 * @param tooOld the others
 * @param reason why there is none, in words that follow a colon; empty if there is one
 */
public record GpuProbe(List<GpuInfo> devices, List<GpuInfo> tooOld, String reason) {
  /** Set to off, 0, no or false, no device is looked for. */
  public static final String SWITCH = "INDEXER_GPU";

  private static final Set<String> OFF = Set.of("off", "0", "no", "false");

  /** As nvcc compiled it from kernels/kmodel.cu; not there where the build had no nvcc that can. */
  private static final String KERNELS = "kmodel.fatbin";

  private static final String DRIVER = "libcuda.so.1";

  /** The oldest devices whose blocks may have the 66 KiB of shared memory that the kernels take. */
  private static final int LEAST_CAPABILITY = 80;

  public GpuProbe {
    devices = List.copyOf(devices);
    tooOld = List.copyOf(tooOld);
    if (devices.isEmpty() == reason.isEmpty()) {
      throw new IllegalArgumentException("a probe has devices or a reason why it has none");
    }
  }

  /** Looks for devices. The first call loads the driver, which takes some tenths of a second. */
  public static GpuProbe look() {
    String obstacle = obstacle();
    return obstacle.isEmpty() ? lookForDevices() : none(obstacle);
  }

  /** Why there can be no device; empty if that is not known before the driver is started. */
  public static String obstacle() {
    String wish = System.getenv(SWITCH);
    if (wish != null && OFF.contains(wish.strip().toLowerCase(Locale.ROOT))) {
      return SWITCH + "=" + wish;
    }
    if (GpuProbe.class.getResource(KERNELS) == null) {
      return "this program was built without an nvcc that compiles its kernels";
    }
    return hasDriver() ? "" : "no NVIDIA driver (" + DRIVER + " is not there)";
  }

  /** The same without asking what is in the way. */
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

  /** The compiled kernels, of length 0 if this program has none. */
  public static byte[] kernels() {
    try (InputStream in = GpuProbe.class.getResourceAsStream(KERNELS)) {
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

  /** Why the kernels do not run on one that is too old. */
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
