package io.kmodel.indexer.source.unpack;

import com.google.common.base.Throwables;
import io.kmodel.indexer.store.disk.Directories;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Inflates in one call by libdeflate, in less than half of the time that Java's zlib takes
 * (docs/performance.md). It wants all of the data at once, and room for all that it unpacks to. The
 * library comes with the program, so that every machine accepts the same data: libdeflate accepts
 * some codes that zlib refuses. For the same reason a machine that cannot load it fails, unless
 * {@code -Dindexer.libdeflate=false} asks for Java's inflater alone. Memory: some 12 KiB outside of
 * the heap, until it is closed. Not thread-safe.
 */
public final class Libdeflate implements AutoCloseable {
  /** What came of a call. */
  public enum Outcome {
    DONE,
    /** The data are invalid, or not all of them are there. */
    BAD_DATA,
    /** They unpack to more than there is room for. */
    NO_ROOM
  }

  private static final String REMEDY =
      "set INDEXER_JAVA_OPTIONS=-Djava.io.tmpdir=DIR if programs may not run from the temporary"
          + " directory, or -Dindexer.libdeflate=false to unpack by Java alone";

  private static final boolean WANTED =
      Boolean.parseBoolean(System.getProperty("indexer.libdeflate", "true"));

  private static @Nullable Functions loaded;

  private static final int SUCCESS = 0;
  private static final int INSUFFICIENT_SPACE = 3;

  /** The library's functions. */
  private record Functions(MethodHandle open, MethodHandle unpack, MethodHandle close) {}

  private final Functions functions;
  private final MemorySegment decompressor;

  /** Bytes of the data, and of what they unpack to. */
  private final long[] sizes = new long[2];

  private final MemorySegment dataSize = MemorySegment.ofArray(sizes);
  private final MemorySegment outputSize = dataSize.asSlice(Long.BYTES);

  private Libdeflate(Functions functions, MemorySegment decompressor) {
    this.functions = functions;
    this.decompressor = decompressor;
  }

  /**
   * A decompressor; null if it is switched off.
   *
   * @throws IllegalStateException if the library cannot be loaded
   */
  static @Nullable public Libdeflate open() {
    if (!WANTED) {
      return null;
    }
    Functions functions = functions();
    try {
      MemorySegment made = (MemorySegment) functions.open.invokeExact();
      if (made.address() == 0) {
        throw new OutOfMemoryError("no memory for libdeflate");
      }
      return new Libdeflate(functions, made);
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  private static synchronized Functions functions() {
    Functions known = loaded;
    if (known == null) {
      known = load();
      loaded = known;
    }
    return known;
  }

  /**
   * Inflates data in the format of RFC 1951 that start with a byte, and end before {@code to}.
   *
   * @return {@link Outcome#DONE} if {@link #dataBytes} were unpacked to {@link #outputBytes}
   */
  public Outcome unpack(byte[] data, int from, int to, byte[] output) {
    try {
      int result =
          (int)
              functions.unpack.invokeExact(
                  decompressor,
                  MemorySegment.ofArray(data).asSlice(from),
                  (long) (to - from),
                  MemorySegment.ofArray(output),
                  (long) output.length,
                  dataSize,
                  outputSize);
      return switch (result) {
        case SUCCESS -> Outcome.DONE;
        case INSUFFICIENT_SPACE -> Outcome.NO_ROOM;
        default -> Outcome.BAD_DATA;
      };
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  /** Bytes of the data that were unpacked last. */
  public int dataBytes() {
    return (int) sizes[0];
  }

  /** Bytes that they unpacked to. */
  public int outputBytes() {
    return (int) sizes[1];
  }

  @Override
  public void close() {
    try {
      functions.close.invokeExact(decompressor);
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  private static IllegalStateException failure(Throwable e) {
    Throwables.throwIfUnchecked(e);
    return new IllegalStateException("libdeflate cannot be called", e);
  }

  private static Functions load() {
    String platform = platform(System.getProperty("os.name"), System.getProperty("os.arch"));
    try {
      return load(platform);
    } catch (IOException | RuntimeException | LinkageError e) {
      throw new IllegalStateException(
          "libdeflate, which unpacks gzip, cannot be loaded on %s: %s; %s"
              .formatted(platform, e.getMessage(), REMEDY),
          e);
    }
  }

  /** As the bundle names its folders. */
  static String platform(String system, String architecture) {
    String name = system.startsWith("Mac") ? "macos" : system.toLowerCase(Locale.ROOT);
    return name + "-" + (architecture.equals("x86_64") ? "amd64" : architecture);
  }

  static String resource(String platform) {
    return "/aircompressor/%s/libdeflate.%s"
        .formatted(platform, platform.startsWith("macos") ? "dylib" : "so");
  }

  /** Unpacks the library to a private directory, which is deleted as soon as it is loaded. */
  private static Functions load(String platform) throws IOException {
    Path directory = Files.createTempDirectory("indexer-libdeflate");
    try (InputStream bundled = Libdeflate.class.getResourceAsStream(resource(platform))) {
      if (bundled == null) {
        throw new IOException("it is not bundled for this platform");
      }
      Path file = directory.resolve("libdeflate");
      Files.copy(bundled, file);
      return link(file);
    } finally {
      Directories.deleteTree(directory);
    }
  }

  @SuppressWarnings("restricted")
  private static Functions link(Path file) {
    SymbolLookup library = SymbolLookup.libraryLookup(file, Arena.global());
    Linker linker = Linker.nativeLinker();
    return new Functions(
        linker.downcallHandle(
            library.findOrThrow("libdeflate_alloc_decompressor"),
            FunctionDescriptor.of(ValueLayout.ADDRESS)),
        // Critical: arrays need not be copied. A call takes less than a millisecond, or some of
        // them for data that were made to take long.
        linker.downcallHandle(
            library.findOrThrow("libdeflate_deflate_decompress_ex"),
            FunctionDescriptor.of(
                ValueLayout.JAVA_INT,
                ValueLayout.ADDRESS,
                ValueLayout.ADDRESS,
                ValueLayout.JAVA_LONG,
                ValueLayout.ADDRESS,
                ValueLayout.JAVA_LONG,
                ValueLayout.ADDRESS,
                ValueLayout.ADDRESS),
            Linker.Option.critical(true)),
        linker.downcallHandle(
            library.findOrThrow("libdeflate_free_decompressor"),
            FunctionDescriptor.ofVoid(ValueLayout.ADDRESS)));
  }
}
