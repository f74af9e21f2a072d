package io.kmodel.indexer.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Memory outside the heap by raw address, for loops that access it once per token or key.
 *
 * <p>Memory comes from {@code calloc}, zeroed and not yet backed by pages. {@link Arena#allocate}
 * would write the zeros and so commit a whole budget of which a small collection uses little.
 *
 * <p>Access goes through one constant segment that spans the address space, because the compiler
 * knows a constant's bounds, lifetime and kind. Addresses are not checked; that is up to the
 * callers, which own the memory.
 */
public final class OffHeap {
  /** How the message of an OutOfMemoryError for memory outside the heap ends. */
  public static final String OUTSIDE = "outside the heap";

  private static final long LINE_BYTES = 64;
  private static final long PAGE_BYTES = 4096;

  private static final MemorySegment ALL = everything();

  /**
   * A mask of more bits than an address has. The compiler knows that a masked address is within
   * {@link #ALL} and omits the bounds check, for which it would otherwise split loops: a pass over
   * keys took 0.7 to 1.0 ns a key with the check, 0.5 without, and 0.4 from a {@link #start}.
   */
  private static final long ADDRESSES = Long.MAX_VALUE >>> 1;

  private static final VarHandle HEAP_LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private static final MethodHandle CALLOC =
      function(
          "calloc",
          FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));

  private static final MethodHandle FREE =
      function("free", FunctionDescriptor.ofVoid(ValueLayout.ADDRESS));

  /** Null where the system has no such function. */
  private static final @Nullable MethodHandle MADVISE =
      NativeFunction.find(
          "madvise",
          FunctionDescriptor.ofVoid(
              ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT));

  /** Linux's number for huge pages. */
  private static final int MADV_HUGEPAGE = 14;

  private OffHeap() {}

  /**
   * Zeroed memory that starts at a cache line and lives as long as the arena.
   *
   * @throws OutOfMemoryError if the system has none
   */
  public static MemorySegment allocate(long bytes, Arena arena) {
    return allocate(bytes, LINE_BYTES, LINE_BYTES, arena);
  }

  /** The same in whole pages: it starts at a page and shares its last page with nothing. */
  public static MemorySegment allocatePages(long bytes, Arena arena) {
    return allocate(bytes, PAGE_BYTES, 2 * PAGE_BYTES, arena);
  }

  /**
   * The same, with huge pages where Linux has them for the asking. To touch and pin 8 GiB from 16
   * threads took 3.7 s of thread time with them, 9.4 s without (one H200, 2026-11-28).
   */
  public static MemorySegment allocateHugePages(long bytes, Arena arena) {
    MemorySegment memory = allocatePages(bytes, arena);
    MethodHandle madvise = MADVISE;
    if (madvise == null || !"Linux".equals(System.getProperty("os.name"))) {
      return memory;
    }
    try {
      // It may refuse, and nothing is lost then.
      madvise.invokeExact(memory, bytes, MADV_HUGEPAGE);
    } catch (Throwable e) {
      throw new IllegalStateException("madvise cannot be called", e);
    }
    return memory;
  }

  @SuppressWarnings("restricted")
  private static MemorySegment allocate(long bytes, long alignment, long room, Arena arena) {
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes must be at least 0; got " + bytes);
    }
    long withRoom = Math.addExact(bytes, room);
    MemorySegment memory;
    try {
      memory = (MemorySegment) CALLOC.invokeExact(withRoom, 1L);
    } catch (Throwable e) {
      throw new IllegalStateException("calloc cannot be called", e);
    }
    if (memory.address() == 0) {
      throw new OutOfMemoryError("no " + bytes + " bytes of memory " + OUTSIDE);
    }
    long skip = -memory.address() & (alignment - 1);
    return memory.reinterpret(withRoom, arena, OffHeap::free).asSlice(skip, bytes);
  }

  /**
   * The same address, masked as the start of a loop with an int counter: the compiler then knows
   * that the next 2^31 longs need no mask, either. Keep it in a local variable of the loop's
   * method.
   */
  public static long start(long address) {
    return address & ADDRESSES >>> 1;
  }

  public static long getLong(long address) {
    return ALL.get(ValueLayout.JAVA_LONG_UNALIGNED, address & ADDRESSES);
  }

  public static void putLong(long address, long value) {
    ALL.set(ValueLayout.JAVA_LONG_UNALIGNED, address & ADDRESSES, value);
  }

  public static int getInt(long address) {
    return ALL.get(ValueLayout.JAVA_INT_UNALIGNED, address & ADDRESSES);
  }

  public static void putInt(long address, int value) {
    ALL.set(ValueLayout.JAVA_INT_UNALIGNED, address & ADDRESSES, value);
  }

  public static void putByte(long address, byte value) {
    ALL.set(ValueLayout.JAVA_BYTE, address & ADDRESSES, value);
  }

  /** Copies from the heap. */
  public static void copy(byte[] source, int offset, long address, int length) {
    MemorySegment.copy(source, offset, ALL, ValueLayout.JAVA_BYTE, address, length);
  }

  /**
   * Copies to the heap by words, which is a seventh faster for the short terms of a run. Up to 7
   * bytes after the last one are read and written, too; both sides must have room for them.
   */
  public static void copyWords(long address, byte[] target, int offset, int length) {
    for (int i = 0; i < length; i += Long.BYTES) {
      HEAP_LONG.set(target, offset + i, getLong(address + i));
    }
  }

  /** Copies from the heap by words, like the method above. */
  public static void copyWords(byte[] source, int offset, long address, int length) {
    for (int i = 0; i < length; i += Long.BYTES) {
      putLong(address + i, (long) HEAP_LONG.get(source, offset + i));
    }
  }

  /** Copies keys from the heap. */
  public static void copy(long[] source, int offset, long address, int length) {
    MemorySegment.copy(source, offset, ALL, ValueLayout.JAVA_LONG_UNALIGNED, address, length);
  }

  /** Copies keys to the heap. */
  public static void copy(long address, long[] target, int offset, int length) {
    MemorySegment.copy(ALL, ValueLayout.JAVA_LONG_UNALIGNED, address, target, offset, length);
  }

  /** Copies within memory outside the heap; the two ranges must not overlap. */
  public static void copy(long source, long target, long bytes) {
    MemorySegment.copy(ALL, source, ALL, target, bytes);
  }

  /** Fills with zeros. */
  public static void clear(long address, long bytes) {
    ALL.asSlice(address, bytes).fill((byte) 0);
  }

  private static void free(MemorySegment memory) {
    try {
      FREE.invokeExact(memory);
    } catch (Throwable e) {
      throw new IllegalStateException("free cannot be called", e);
    }
  }

  @SuppressWarnings("restricted")
  private static MemorySegment everything() {
    return MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
  }

  @SuppressWarnings("restricted")
  private static MethodHandle function(String name, FunctionDescriptor type) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type);
  }
}
