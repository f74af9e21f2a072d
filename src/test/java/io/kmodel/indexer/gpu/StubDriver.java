package io.kmodel.indexer.gpu;

import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/**
 * A CUDA driver that runs our kernels on the CPU (kernels/stub), compiled by g++ when a test first
 * asks for it. Loaded into this process it is the libcuda.so.1 that jcuda finds, so the unmodified
 * jcuda and everything above it run without a GPU. There is one driver per process, which tests use
 * one after the other.
 */
@SuppressWarnings("restricted")
public final class StubDriver {
  /** Held by a class of tests for as long as it runs: there is one driver for the process. */
  public static final String LOCK = "stub CUDA driver";

  public static final int OUT_OF_MEMORY = 2;
  public static final int LAUNCH_FAILED = 719;

  private static final Path DIRECTORY = Path.of("target/stub").toAbsolutePath();
  private static final Path LIBRARY = DIRECTORY.resolve("libcuda.so.1");

  private static @Nullable StubDriver loaded;

  private final SymbolLookup symbols;

  private StubDriver() {
    System.load(LIBRARY.toString());
    this.symbols = SymbolLookup.libraryLookup(LIBRARY, Arena.global());
  }

  /**
   * The driver, with one device of 512 MiB and without faults. If it cannot be compiled, the test
   * is skipped, or fails if INDEXER_REQUIRE_GPU=1.
   */
  public static synchronized StubDriver load() throws IOException, InterruptedException {
    StubDriver driver = loaded;
    if (driver == null) {
      compile();
      driver = new StubDriver();
      loaded = driver;
    }
    driver.reset(1, 512 << 20);
    return driver;
  }

  /** The directory of the library, for the library path of another process. */
  public static synchronized Path compile() throws IOException, InterruptedException {
    require(has("g++"), "g++ is not here to compile the stub driver with");
    require(
        System.getProperty("os.name").equals("Linux")
            && System.getProperty("os.arch").equals("amd64"),
        "jcuda's native library is for Linux on x86-64");
    Files.createDirectories(DIRECTORY);
    // Test processes run side by side: one compiles, and none replaces a library that others
    // loaded.
    try (FileChannel lock =
            FileChannel.open(
                DIRECTORY.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock held = lock.lock()) {
      assert held.isValid();
      if (!isFresh()) {
        compileAnew();
      }
    }
    return DIRECTORY;
  }

  private static void compileAnew() throws IOException, InterruptedException {
    Path making = Files.createTempFile(DIRECTORY, "making", ".so");
    List<String> command =
        List.of(
            "g++",
            "-std=c++20",
            "-O2",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-Wno-unknown-pragmas",
            "-shared",
            "-fPIC",
            "-Wl,-soname,libcuda.so.1",
            "kernels/stub/libcuda.cpp",
            "-o",
            making.toString());
    Process compiler = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (compiler.waitFor() != 0) {
      Assertions.fail("the stub driver does not compile:\n" + said);
    }
    Files.move(making, LIBRARY, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Skips a test, or fails it if tests that need a GPU must not be skipped. */
  public static void require(boolean condition, String otherwise) {
    if (!condition && "1".equals(System.getenv("INDEXER_REQUIRE_GPU"))) {
      Assertions.fail("INDEXER_REQUIRE_GPU=1, but " + otherwise);
    }
    Assumptions.assumeTrue(condition, otherwise);
  }

  /** Whether a program is on the path. */
  public static boolean has(String program) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
        .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
  }

  private static boolean isFresh() throws IOException {
    if (!Files.exists(LIBRARY)) {
      return false;
    }
    FileTime made = Files.getLastModifiedTime(LIBRARY);
    try (Stream<Path> sources = Files.walk(Path.of("kernels"))) {
      for (Path source : (Iterable<Path>) sources::iterator) {
        if (Files.getLastModifiedTime(source).compareTo(made) > 0) {
          return false;
        }
      }
    }
    return true;
  }

  /** Stands for the compiled kernels, which this driver ignores. */
  public static byte[] image() {
    return new byte[] {1};
  }

  /** Probes this driver for devices. */
  public GpuProbe probe() {
    return GpuProbe.lookForDevices();
  }

  /** Starts another machine with so many devices of so much memory each, and no faults. */
  public void reset(int devices, long bytesEach) {
    call("stub_reset", devices, bytesEach);
  }

  /** Makes the first to last of the calls of a name, counted from now and 1, fail. */
  public void fail(String call, int first, int last, int code) {
    try (Arena arena = Arena.ofConfined()) {
      FunctionDescriptor type =
          FunctionDescriptor.ofVoid(
              ValueLayout.ADDRESS,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT);
      function("stub_fail", type).invoke(arena.allocateFrom(call), first, last, code);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /** Makes devices hang after so many launches. */
  public void hang(int launches) {
    try {
      function("stub_hang", FunctionDescriptor.ofVoid(ValueLayout.JAVA_INT)).invoke(launches);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /** Makes devices unable to access each other's memory. */
  public void isolate() {
    try {
      function("stub_isolate", FunctionDescriptor.ofVoid()).invoke();
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /** Makes downloads contain a wrong key from now on. */
  public void damage() {
    try {
      function("stub_damage", FunctionDescriptor.ofVoid()).invoke();
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /** How often a call was made since the last reset. */
  public int calls(String call) {
    try (Arena arena = Arena.ofConfined()) {
      FunctionDescriptor type = FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS);
      return (int) function("stub_calls", type).invoke(arena.allocateFrom(call));
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /** Bytes and contexts that have not been released. */
  public long kept() {
    try {
      return (long) function("stub_kept", FunctionDescriptor.of(ValueLayout.JAVA_LONG)).invoke();
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private void call(String name, int first, long second) {
    try {
      function(name, FunctionDescriptor.ofVoid(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG))
          .invoke(first, second);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private MethodHandle function(String name, FunctionDescriptor type) {
    return Linker.nativeLinker().downcallHandle(symbols.findOrThrow(name), type);
  }
}
