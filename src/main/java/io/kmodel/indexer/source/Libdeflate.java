package io.kmodel.indexer.source;

import com.google.common.base.Throwables;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Inflates in one call by libdeflate, where the system has it: in less than half of the time that
 * Java's zlib takes (docs/performance.md). It wants all of the data at once, and room for all that
 * it unpacks to. Memory: some 12 KiB outside of the heap, until it is closed. Not thread-safe.
 */
final class Libdeflate implements AutoCloseable {
  /** What came of a call. */
  enum Outcome {
    DONE,
    /** The data are invalid, or not all of them are there. */
    BAD_DATA,
    /** They unpack to more than there is room for. */
    NO_ROOM
  }

  /** On Linux, and on macOS if it lies where the system looks. */
  private static final List<String> NAMES = List.of("libdeflate.so.0", "libdeflate.0.dylib");

  private static final int SUCCESS = 0;
  private static final int INSUFFICIENT_SPACE = 3;

  /** The library's functions; null where it is not. */
  private record Functions(MethodHandle open, MethodHandle unpack, MethodHandle close) {
    private static final @Nullable Functions FOUND = find();
  }

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

  /** A decompressor; null where the system has no such library. */
  static @Nullable Libdeflate open() {
    Functions functions = Functions.FOUND;
    if (functions == null) {
      return null;
    }
    try {
      MemorySegment made = (MemorySegment) functions.open.invokeExact();
      return made.address() == 0 ? null : new Libdeflate(functions, made);
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  /**
   * Inflates data in the format of RFC 1951 that start with a byte, and end before {@code to}.
   *
   * @return {@link Outcome#DONE} if {@link #dataBytes} were unpacked to {@link #outputBytes}
   */
  Outcome unpack(byte[] data, int from, int to, byte[] output) {
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
  int dataBytes() {
    return (int) sizes[0];
  }

  /** Bytes that they unpacked to. */
  int outputBytes() {
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

  private static @Nullable Functions find() {
    if (!Boolean.parseBoolean(System.getProperty("indexer.libdeflate", "true"))) {
      return null;
    }
    for (String name : NAMES) {
      try {
        return link(name);
      } catch (IllegalArgumentException e) {
        // It goes by another name, or is not there.
      } catch (RuntimeException | LinkageError e) {
        return null; // No linker, no leave to use it, or what else is against it.
      }
    }
    return null;
  }

  @SuppressWarnings("restricted")
  private static @Nullable Functions link(String name) {
    SymbolLookup library = SymbolLookup.libraryLookup(name, Arena.global());
    MemorySegment open = library.find("libdeflate_alloc_decompressor").orElse(null);
    MemorySegment unpack = library.find("libdeflate_deflate_decompress_ex").orElse(null);
    MemorySegment close = library.find("libdeflate_free_decompressor").orElse(null);
    if (open == null || unpack == null || close == null) {
      return null;
    }
    Linker linker = Linker.nativeLinker();
    return new Functions(
        linker.downcallHandle(open, FunctionDescriptor.of(ValueLayout.ADDRESS)),
        // Critical: arrays need not be copied. A call takes less than a millisecond, or some of
        // them for data that were made to take long.
        linker.downcallHandle(
            unpack,
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
        linker.downcallHandle(close, FunctionDescriptor.ofVoid(ValueLayout.ADDRESS)));
  }
}
