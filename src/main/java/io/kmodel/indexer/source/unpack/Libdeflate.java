package io.kmodel.indexer.source.unpack;

import com.google.common.base.Throwables;
import io.kmodel.indexer.store.library.NativeFolder;
import io.kmodel.indexer.store.library.NativeLibraryError;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Inflates data in one call of libdeflate, in less than half the time of Java's zlib. It needs all
 * input at once and a buffer for all output. The program bundles the library so that every machine
 * accepts the same data: libdeflate accepts some codes that zlib refuses. For the same reason a
 * machine that cannot load it fails, unless {@code -Dindexer.libdeflate=false} selects Java's
 * inflater. Memory: about 12 KiB outside the heap, until it is closed. Not thread-safe.
 */
public final class Libdeflate implements AutoCloseable {
  /** The result of a call. */
  public enum Outcome {
    DONE,
    /** The data is invalid or incomplete. */
    BAD_DATA,
    /** The output does not fit the buffer. */
    NO_ROOM
  }

  private static final String REMEDY =
      "INDEXER_JAVA_OPTIONS=-Dindexer.libdeflate=false uses Java's inflater";

  private static final boolean WANTED =
      Boolean.parseBoolean(System.getProperty("indexer.libdeflate", "true"));

  private static @Nullable Functions loaded;

  private static final int SUCCESS = 0;
  private static final int INSUFFICIENT_SPACE = 3;

  /** The library's functions. */
  private record Functions(MethodHandle open, MethodHandle unpack, MethodHandle close) {}

  private final Functions functions;
  private final MemorySegment decompressor;

  /** Bytes of input that the last call consumed, and of its output. */
  private final long[] sizes = new long[2];

  private final MemorySegment dataSize = MemorySegment.ofArray(sizes);
  private final MemorySegment outputSize = dataSize.asSlice(Long.BYTES);

  private Libdeflate(Functions functions, MemorySegment decompressor) {
    this.functions = functions;
    this.decompressor = decompressor;
  }

  /**
   * Opens a decompressor; null if libdeflate is switched off.
   *
   * @throws NativeLibraryError if the library cannot be loaded
   */
  public static @Nullable Libdeflate open() {
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
   * Inflates data in the format of RFC 1951.
   *
   * @param from the data's first byte
   * @param to the data ends here or earlier
   * @return {@link Outcome#DONE} if {@link #dataBytes} were inflated to {@link #outputBytes}
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

  /** Bytes of input that the last call consumed. */
  public int dataBytes() {
    return (int) sizes[0];
  }

  /** Bytes of the last call's output. */
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
      throw new NativeLibraryError(
          "libdeflate, which decompresses gzip, cannot be loaded on %s: %s; %s"
              .formatted(platform, e.getMessage(), REMEDY),
          e);
    }
  }

  /** The name of the bundle's directory for a platform. */
  static String platform(String system, String architecture) {
    String name = system.startsWith("Mac") ? "macos" : system.toLowerCase(Locale.ROOT);
    return name + "-" + (architecture.equals("x86_64") ? "amd64" : architecture);
  }

  static String resource(String platform) {
    return "/aircompressor/%s/libdeflate.%s"
        .formatted(platform, platform.startsWith("macos") ? "dylib" : "so");
  }

  private static Functions load(String platform) throws IOException {
    try (InputStream bundled = Libdeflate.class.getResourceAsStream(resource(platform))) {
      if (bundled == null) {
        throw new IOException("not bundled for this platform");
      }
      try (NativeFolder folder = NativeFolder.create()) {
        Path file = folder.path().resolve("libdeflate");
        try (OutputStream out = NativeFolder.uninterruptible(file)) {
          bundled.transferTo(out);
        }
        return link(file);
      }
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
        // Critical, so arrays are not copied. A call takes less than a millisecond, or a few
        // milliseconds for data crafted to be slow.
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
