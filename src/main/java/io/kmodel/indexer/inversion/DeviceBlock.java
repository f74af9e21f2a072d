package io.kmodel.indexer.inversion;

import com.google.common.base.Preconditions;
import io.kmodel.indexer.gpu.GpuDevice;
import io.kmodel.indexer.gpu.GpuKernel;
import io.kmodel.indexer.gpu.GpuMemory;
import io.kmodel.indexer.gpu.GpuStruct;
import io.kmodel.indexer.index.model.PostingsCursor;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The buffers of an inversion on a device, and the parameter through which the kernels see them
 * (Block in kernels/inversion/block.cuh). All are large enough for any text of the given size,
 * except the hash table, whose size is estimated. Memory: of the device, about 11 bytes per byte of
 * text and 72 bytes per slot; 13 and 164 if lists are encoded for Lucene. Not thread-safe.
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

  /** Numbers of a tile of a scan. */
  static final int SCAN_TILE = 8 * THREADS;

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
    COLLISIONS,
    TIES,
    DISORDER,
    POSTINGS,
    DOCS_BYTES,
    POSITIONS_BYTES,
    BLOCK_IMPACTS,
    BLOCK_IMPACT_BYTES,
    GROUP_IMPACTS,
    GROUP_IMPACT_BYTES,
    DROPPED,
    DROPPED_POSITIONS
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
    TERMS,
    TILE_SUMS,
    TILE_HEADS,
    POSTING_KEY,
    TERM_POSTING,
    DOC_BLOCK_FIRST,
    POSITION_BLOCK_FIRST,
    DOC_BLOCK_BYTES,
    DOC_BLOCK_START,
    POSITION_BLOCK_START,
    DOCS_START,
    POSITIONS_START,
    PACKED_TERMS,
    DOCS,
    POSITIONS
  }

  /** Shared memory in which eight warps each encode a block or the head of a group. */
  private static final int OF_POSITIONS = 16_256;

  private static final int OF_DOCS = 39_040;
  private static final int OF_GROUPS = 22_784;

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
  static final GpuKernel RANK_STEMS = kernel("rank_stems", 0);
  static final GpuKernel DROP_WORDS = kernel("drop_words", 64);
  static final GpuKernel WRITE_STEMS = kernel("write_stems", 0);
  static final GpuKernel FIND_TIES = kernel("find_ties", 0);
  static final GpuKernel ORDER_TIES = kernel("order_ties", 0);
  static final GpuKernel SUM_TILES = kernel("sum_tiles", 64);
  static final GpuKernel SCAN_SUMS = kernel("scan_sums", 64);
  static final GpuKernel SCAN_NUMBERS = kernel("scan_numbers", 64);
  static final GpuKernel COUNT_HEADS = kernel("count_heads", 32);
  static final GpuKernel WRITE_HEADS = kernel("write_heads", 32);
  static final GpuKernel COUNT_BLOCKS = kernel("count_blocks", 0);
  static final GpuKernel SIZE_POSITIONS = kernel("size_positions", OF_POSITIONS);
  static final GpuKernel SIZE_DOCS = kernel("size_docs", OF_DOCS);
  static final GpuKernel SIZE_GROUPS = kernel("size_groups", OF_GROUPS);
  static final GpuKernel SIZE_TERMS = kernel("size_terms", 0);
  static final GpuKernel WRITE_RECORDS = kernel("write_records", 0);
  static final GpuKernel PACK_POSITIONS = kernel("pack_positions", OF_POSITIONS);
  static final GpuKernel PACK_DOCS = kernel("pack_docs", OF_DOCS);
  static final GpuKernel PACK_GROUPS = kernel("pack_groups", OF_GROUPS);
  static final GpuKernel PACK_REST = kernel("pack_rest", 0);

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
          WRITE_TERMS,
          RANK_STEMS,
          DROP_WORDS,
          WRITE_STEMS,
          FIND_TIES,
          ORDER_TIES,
          SUM_TILES,
          SCAN_SUMS,
          SCAN_NUMBERS,
          COUNT_HEADS,
          WRITE_HEADS,
          COUNT_BLOCKS,
          SIZE_POSITIONS,
          SIZE_DOCS,
          SIZE_GROUPS,
          SIZE_TERMS,
          WRITE_RECORDS,
          PACK_POSITIONS,
          PACK_DOCS,
          PACK_GROUPS,
          PACK_REST);

  private static final int ALIGNMENT = 256;
  private static final int SET = TILE / Integer.SIZE;
  private static final int SLOT_BYTES = 16;
  private static final int LONG_TOKEN_BYTES = 8;

  private final GpuStruct struct = new GpuStruct(Field.values().length);

  /** Where each field is in the parameter, and where each buffer begins in the memory. */
  private final Map<Field, Integer> indexes = new EnumMap<>(Field.class);

  private final Map<Field, Long> places = new EnumMap<>(Field.class);
  private final GpuMemory memory;
  private final Shape shape;

  /**
   * What the buffers have room for.
   *
   * @param maxBytes of text
   * @param slotBits logarithm of the slots of the table
   * @param form how lists come back
   */
  record Shape(int maxBytes, int slotBits, ListForm form) {
    /** The shape that is likely to suffice for a text. */
    static Shape usual(int maxBytes, ListForm form) {
      return new Shape(maxBytes, usualSlotBits(maxBytes), form);
    }

    /** The same with a larger table. */
    Shape grown() {
      return new Shape(maxBytes, slotBits + 1, form);
    }

    /** Bytes of the device's memory that such buffers take. */
    long bytes() {
      long all = 0;
      for (Field field : Field.values()) {
        all += aligned(Math.max(0, DeviceBlock.bytes(field, this)));
      }
      return all;
    }
  }

  /** Allocates buffers. */
  DeviceBlock(GpuDevice device, Shape shape) {
    this.shape = shape;
    this.memory = device.allocate(place());
    for (Field field : Field.values()) {
      indexes.put(field, indexes.size());
    }
    places.forEach((field, at) -> struct.set(index(field), memory, at));
    set(Field.SLOT_BITS, shape.slotBits);
  }

  private static GpuKernel kernel(String name, int sharedBytes) {
    return new GpuKernel(name, THREADS, sharedBytes);
  }

  /** Slots that are likely to suffice for a text. */
  static int usualSlotBits(int maxBytes) {
    // Heaps' law, with twice the slots for the terms of usual texts.
    long terms = Math.min(maxBytes / 40L, (long) (120 * Math.sqrt(maxBytes)));
    return Math.max(MIN_SLOT_BITS, Long.SIZE - Long.numberOfLeadingZeros(terms));
  }

  /** Places all buffers, and returns the bytes that they take. */
  private long place() {
    long at = 0;
    for (Field field : Field.values()) {
      long bytes = bytes(field, shape);
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

  /** Bytes of a buffer; negative if the field is no buffer. */
  private static long bytes(Field field, Shape shape) {
    long tiles = tiles(shape.maxBytes);
    long slots = 1L << shape.slotBits;
    long tokens = shape.maxBytes / 2 + 1L;
    long parts = TextBlock.maxParts(shape.maxBytes);
    if (field.compareTo(Field.TILE_SUMS) >= 0) {
      return shape.form == ListForm.LUCENE ? packingBytes(field, tokens, slots) : -1;
    }
    return switch (field) {
      case TEXT -> TextBlock.FRONT + (long) shape.maxBytes + TextBlock.BEHIND;
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
      case LONG_BYTES -> shape.maxBytes + shape.maxBytes / SHORT + (long) SHORT;
      case LONG_START, LONG_LENGTH, ORDER_0, ORDER_1, LIST_START, LIST_END -> Integer.BYTES * slots;
      case KEYS_0, KEYS_1 -> Long.BYTES * tokens;
      case DIGITS -> Integer.BYTES * RADIX * sortTiles(Math.max(tokens, slots));
      case DIGIT_TOTALS -> (long) Integer.BYTES * RADIX;
      case TERMS -> TERM_BYTES * slots;
      default -> -1;
    };
  }

  /** The same for buffers of the encoding for Lucene. */
  private static long packingBytes(Field field, long tokens, long slots) {
    long blocks = tokens / PostingsCursor.BLOCK;
    long keyTiles = tokens / ITEMS + 1;
    return switch (field) {
      case TILE_SUMS -> Long.BYTES * (Math.max(keyTiles, Math.max(slots, blocks)) / SCAN_TILE + 2);
      case TILE_HEADS -> Long.BYTES * (keyTiles + 1);
      case POSTING_KEY -> Integer.BYTES * (tokens + 1);
      case TERM_POSTING -> Integer.BYTES * (slots + 1);
      case DOC_BLOCK_FIRST, POSITION_BLOCK_FIRST, DOCS_START, POSITIONS_START ->
          Long.BYTES * (slots + 1);
      case DOC_BLOCK_BYTES -> Integer.BYTES * blocks;
      case DOC_BLOCK_START, POSITION_BLOCK_START -> Long.BYTES * (blocks + 1);
      case PACKED_TERMS -> PackedText.TERM_BYTES * slots;
      // In the buffer of the keys that are not sorted.
      default -> -1;
    };
  }

  static long tiles(int bytes) {
    return (bytes + TILE - 1L) / TILE;
  }

  /** Blocks of threads for so many threads. */
  static long perThread(long threads) {
    return Math.ceilDiv(threads, THREADS);
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

  /** Bytes of a buffer. */
  long bytes(Field field) {
    return bytes(field, shape);
  }

  /** The address of a buffer on the device. */
  long address(Field field) {
    return struct.get(index(field));
  }

  /** Sets a field to the address of a byte in another one's buffer. */
  void point(Field field, Field buffer, long at) {
    set(field, address(buffer) + at);
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
