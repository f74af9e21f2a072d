package io.kmodel.indexer.inversion;

import com.google.common.base.Preconditions;
import io.kmodel.indexer.gpu.GpuDevice;
import io.kmodel.indexer.gpu.GpuKernel;
import io.kmodel.indexer.gpu.GpuMemory;
import io.kmodel.indexer.gpu.GpuStruct;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The buffers of an inversion on a device, and the parameter through which the kernels see them
 * (Block in kernels/inversion/block.cuh). All are large enough for any text of the given size,
 * except the hash table, whose size is estimated. Memory: of the device, about 11 bytes per byte of
 * text and 72 bytes per slot. Not thread-safe.
 */
final class DeviceBlock implements AutoCloseable {
  static final int TILE = 1 << 14;
  static final int HALO = 1 << 10;
  static final int THREADS = 256;
  static final int RADIX = 256;

  /** Items that a block of threads sorts. */
  static final int ITEMS = 16 * THREADS;

  /** Bytes of a term that are sorted on the device. */
  static final int SHORT = 16;

  static final int TERM_BYTES = 32;

  /** Bits of a pass of a sort. */
  static final int PASS_BITS = 8;

  /** Up to so many tiles one block of threads adds up all digits. */
  static final int FEW_TILES = 8;

  static final int MIN_SLOT_BITS = 8;

  /** The counters that come back, as longs in this order. */
  enum Counter {
    TOKENS,
    TERMS,
    LONG_BYTES,
    FULL,
    TOO_LONG,
    COLLISIONS
  }

  /** The fields of the parameter, in order. */
  enum Field {
    TEXT,
    BYTES,
    TILES,
    PARTS,
    PART_COUNT,
    FIELDS,
    FIELD_ORDINALS,
    DOC_BITS,
    POSITION_BITS,
    TABLE,
    SLOT_BITS,
    COUNTERS,
    IN_WORD,
    STARTS,
    TILE_TOKENS,
    TILE_FIRST,
    TILE_PART,
    PART_RANK,
    LENGTHS,
    LONG_TOKENS,
    LONG_TOKEN,
    LONG_BYTES,
    LONG_START,
    LONG_LENGTH,
    KEYS_0,
    KEYS_1,
    ORDER_0,
    ORDER_1,
    DIGITS,
    DIGIT_TOTALS,
    LIST_START,
    LIST_END,
    TERMS
  }

  static final GpuKernel CLEAR_TABLE = kernel("clear_table", 0);
  static final GpuKernel FIND_PARTS = kernel("find_parts", 0);
  static final GpuKernel MARK_WORDS = kernel("mark_words", 16_464);
  static final GpuKernel SCAN_TILES = kernel("scan_tiles", 32);
  static final GpuKernel MEASURE_PARTS = kernel("measure_parts", 0);
  static final GpuKernel MAKE_KEYS = kernel("make_keys", 36_048);
  static final GpuKernel CHECK_LONG = kernel("check_long", 0);
  static final GpuKernel COLLECT_TERMS = kernel("collect_terms", 0);
  static final GpuKernel COUNT_KEYS = kernel("count_keys", 8192);
  static final GpuKernel SCAN_DIGITS = kernel("scan_digits", 32);
  static final GpuKernel SCATTER_KEYS = kernel("scatter_keys", 43_040);
  static final GpuKernel COUNT_TERMS = kernel("count_terms", 8192);
  static final GpuKernel SCATTER_TERMS = kernel("scatter_terms", 43_040);
  static final GpuKernel RANK_TERMS = kernel("rank_terms", 0);
  static final GpuKernel RANK_KEYS = kernel("rank_keys", 0);
  static final GpuKernel FIND_LISTS = kernel("find_lists", 0);
  static final GpuKernel WRITE_TERMS = kernel("write_terms", 0);

  static final List<GpuKernel> KERNELS =
      List.of(
          CLEAR_TABLE,
          FIND_PARTS,
          MARK_WORDS,
          SCAN_TILES,
          MEASURE_PARTS,
          MAKE_KEYS,
          CHECK_LONG,
          COLLECT_TERMS,
          COUNT_KEYS,
          SCAN_DIGITS,
          SCATTER_KEYS,
          COUNT_TERMS,
          SCATTER_TERMS,
          RANK_TERMS,
          RANK_KEYS,
          FIND_LISTS,
          WRITE_TERMS);

  private static final int ALIGNMENT = 256;
  private static final int SET = TILE / Integer.SIZE;
  private static final int SLOT_BYTES = 16;
  private static final int LONG_TOKEN_BYTES = 8;

  private final GpuStruct struct = new GpuStruct(Field.values().length);

  /** Where each field is in the parameter, and where each buffer begins in the memory. */
  private final Map<Field, Integer> indexes = new EnumMap<>(Field.class);

  private final Map<Field, Long> places = new EnumMap<>(Field.class);
  private final GpuMemory memory;
  private final int maxBytes;
  private final int slotBits;

  /**
   * Allocates buffers.
   *
   * @param maxBytes of text
   * @param slotBits logarithm of the slots of the table
   */
  DeviceBlock(GpuDevice device, int maxBytes, int slotBits) {
    this.maxBytes = maxBytes;
    this.slotBits = slotBits;
    this.memory = device.allocate(place());
    for (Field field : Field.values()) {
      indexes.put(field, indexes.size());
    }
    places.forEach((field, at) -> struct.set(index(field), memory, at));
    set(Field.SLOT_BITS, slotBits);
  }

  private static GpuKernel kernel(String name, int sharedBytes) {
    return new GpuKernel(name, THREADS, sharedBytes);
  }

  /** Bytes of the device's memory that such buffers take. */
  static long bytes(int maxBytes, int slotBits) {
    long all = 0;
    for (Field field : Field.values()) {
      all += aligned(Math.max(0, bytes(field, maxBytes, slotBits)));
    }
    return all;
  }

  /** Slots that are likely to suffice for a text. */
  static int usualSlotBits(int maxBytes) {
    long terms = maxBytes / 40L;
    return Math.max(MIN_SLOT_BITS, Long.SIZE - Long.numberOfLeadingZeros(terms));
  }

  /** Places all buffers, and returns the bytes that they take. */
  private long place() {
    long at = 0;
    for (Field field : Field.values()) {
      long bytes = bytes(field, maxBytes, slotBits);
      if (bytes >= 0) {
        // The text begins behind its front.
        places.put(field, field == Field.TEXT ? at + TextBlock.FRONT : at);
        at += aligned(bytes);
      }
    }
    return at;
  }

  private static long aligned(long bytes) {
    return (bytes + ALIGNMENT - 1) & -ALIGNMENT;
  }

  /** Bytes of a buffer; negative if the field is a number. */
  private static long bytes(Field field, int maxBytes, int slotBits) {
    long tiles = tiles(maxBytes);
    long slots = 1L << slotBits;
    long tokens = maxBytes / 2 + 1L;
    long parts = TextBlock.maxParts(maxBytes);
    return switch (field) {
      case TEXT -> TextBlock.FRONT + (long) maxBytes + TextBlock.BEHIND;
      case PARTS, PART_RANK -> Integer.BYTES * (parts + 1);
      case LENGTHS -> Integer.BYTES * parts;
      case TABLE -> SLOT_BYTES * slots;
      case COUNTERS -> (long) Long.BYTES * Counter.values().length;
      case IN_WORD -> Integer.BYTES * (tiles * SET + HALO / Integer.SIZE);
      case STARTS -> Integer.BYTES * tiles * SET;
      case TILE_TOKENS, LONG_TOKENS -> Integer.BYTES * tiles;
      case TILE_FIRST, TILE_PART -> Integer.BYTES * (tiles + 1);
      case LONG_TOKEN -> LONG_TOKEN_BYTES * tiles * (TILE / SHORT);
      // A long term has at least 16 bytes and its field.
      case LONG_BYTES -> maxBytes + maxBytes / SHORT + (long) SHORT;
      case LONG_START, LONG_LENGTH, ORDER_0, ORDER_1, LIST_START, LIST_END -> Integer.BYTES * slots;
      case KEYS_0, KEYS_1 -> Long.BYTES * tokens;
      case DIGITS -> Integer.BYTES * RADIX * sortTiles(Math.max(tokens, slots));
      case DIGIT_TOTALS -> (long) Integer.BYTES * RADIX;
      case TERMS -> TERM_BYTES * slots;
      case BYTES, TILES, PART_COUNT, FIELDS, FIELD_ORDINALS, DOC_BITS, POSITION_BITS, SLOT_BITS ->
          -1;
    };
  }

  static long tiles(int bytes) {
    return (bytes + TILE - 1L) / TILE;
  }

  static long sortTiles(long items) {
    return (items + ITEMS - 1) / ITEMS;
  }

  GpuMemory memory() {
    return memory;
  }

  GpuStruct struct() {
    return struct;
  }

  /** Where a buffer begins in the memory. */
  long place(Field field) {
    return Preconditions.checkNotNull(places.get(field));
  }

  private int index(Field field) {
    return Preconditions.checkNotNull(indexes.get(field));
  }

  void set(Field field, long number) {
    struct.set(index(field), number);
  }

  @Override
  public void close() {
    memory.close();
  }
}
