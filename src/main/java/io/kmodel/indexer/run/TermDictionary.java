package io.kmodel.indexer.run;

import io.kmodel.indexer.memory.OffHeap;
import io.kmodel.indexer.store.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.util.function.LongSupplier;

/**
 * Gives terms dense termIDs in the order in which they are first seen. Everything is in the memory
 * it is given: a hash table of at most a third of it, and an arena with the terms. It never grows
 * beyond that; {@link #FULL} is returned for a new term that does not fit. Not thread-safe.
 *
 * <pre>
 * slot  := tag, word: together u32       0: empty; linear probing, at most half of the slots used
 * entry := termID:u32 field:u8 length:u24 bytes, padded with zeros to words of 8 bytes
 * </pre>
 *
 * <p>Cache misses dominate the time. So slots are small: the word offset of the entry in the arena
 * and, in the bits above, a tag from the hash, which avoids nearly all reads of other terms'
 * entries. The table starts small and doubles within its share. Terms are compared by words. If a
 * term would be more than {@value #LONG_PROBE} slots from its home slot, which at half load does
 * not happen by chance, the table is rebuilt with another seed; so crafted terms cannot make it
 * slow. The seed affects nothing but the slots.
 *
 * <p>Measured on a busy AMD EPYC core with 1 MiB of L2, Zipf over terms of 8 bytes, ns per token:
 * 16 with 3,000 terms, 18 with 30,000, 50 to 85 with 300,000 (with slots of 8 bytes 70 to 95).
 * Access through a segment of a shared arena in a field, rather than {@link OffHeap}'s constant,
 * costs 0.5 to 1 ns more per token, and 15 % more in a radix sort with buffers. Huge pages gain
 * nothing here.
 */
final class TermDictionary {
  /** Returned instead of a termID: the term is new and does not fit. */
  static final int FULL = -1;

  static final int MAX_TERM_BYTES = (1 << 24) - 1;

  /** Enough for a few terms. */
  static final long MIN_BYTES = 1 << 12;

  static final long DEFAULT_SEED = 0x2545F4914F6CDD1DL;

  private static final int LONG_PROBE = 256;
  private static final int WORD = 8;
  private static final int SLOT_BYTES = 4;
  private static final int MIN_TABLE_BITS = 6;
  private static final int FIRST_TABLE_BITS = 12;
  private static final int MAX_TABLE_BITS = 30;

  /** The most bytes of a term that is looked up by two words at once. */
  private static final int SHORT = 2 * WORD;

  /** By the length of a short term: masks of its first and its second word. */
  private static final long[] FIRST_WORD = new long[SHORT + 1];

  private static final long[] SECOND_WORD = new long[SHORT + 1];

  static {
    for (int length = 1; length <= SHORT; length++) {
      FIRST_WORD[length] = -1L >>> Math.max(0, Long.SIZE - Byte.SIZE * length);
      SECOND_WORD[length] = length <= WORD ? 0 : -1L >>> (Long.SIZE - Byte.SIZE * (length - WORD));
    }
  }

  /** Leaves at least 5 bits of a slot for the tag. */
  private static final long MAX_ARENA_WORDS = 1L << 27;

  private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

  private final MemorySegment memory;
  private final long table;
  private final int maxTableBits;
  private final long maxTerms;

  /** Address of the arena; its first word is unused, so that no entry is at word 0. */
  private final long arena;

  /** End of the arena; two words after it can be read. */
  private final long arenaEnd;

  /** The lowest bit of a slot's tag; below it is the word. */
  private final int tagShift;

  /** All bits of a slot below its tag. */
  private final int wordMask;

  private final LongSupplier seeds;
  private long seed = DEFAULT_SEED;
  private int tableBits;
  private int terms;

  /** The number of terms from which on the seed may change again. */
  private int nextSeedAt;

  private long next;

  /**
   * An empty dictionary.
   *
   * @param memory at least {@link #MIN_BYTES}, outside the heap, aligned to 8 bytes
   * @param maxTerms the most terms it may hold
   * @param seeds supplies another seed when probe sequences get long
   */
  TermDictionary(MemorySegment memory, long maxTerms, LongSupplier seeds) {
    if (memory.byteSize() < MIN_BYTES) {
      throw new IllegalArgumentException(
          "a dictionary needs %d bytes; got %d".formatted(MIN_BYTES, memory.byteSize()));
    }
    long share = memory.byteSize() / 3 / SLOT_BYTES;
    this.maxTableBits = Math.min(MAX_TABLE_BITS, 63 - Long.numberOfLeadingZeros(share));
    this.tableBits = Math.max(MIN_TABLE_BITS, Math.min(FIRST_TABLE_BITS, maxTableBits));
    this.memory = memory;
    this.table = memory.address();
    this.arena = table + ((long) SLOT_BYTES << maxTableBits);
    long arenaWords = Math.min((table + memory.byteSize() - arena) / WORD - 2, MAX_ARENA_WORDS);
    this.arenaEnd = arena + WORD * arenaWords;
    this.tagShift = Long.SIZE - Long.numberOfLeadingZeros(arenaWords - 1);
    this.wordMask = (1 << tagShift) - 1;
    this.maxTerms = Math.min(maxTerms, 1L << (maxTableBits - 1));
    this.seeds = seeds;
    clear();
  }

  /** Removes all terms. */
  void clear() {
    OffHeap.clear(table, (long) SLOT_BYTES << tableBits);
    terms = 0;
    nextSeedAt = 0;
    next = arena + WORD;
  }

  /** The number of terms. Their IDs are the numbers below it. */
  int size() {
    return terms;
  }

  /** An upper bound of the bytes of all term keys. */
  long termKeyBytes() {
    // An entry's header takes more than the byte of the field in a term key.
    return next - arena;
  }

  /**
   * Returns the termID of a term, a new one if the term is new, or {@link #FULL}.
   *
   * @param field 0 to 255, a part of the term
   */
  int intern(int field, byte[] bytes, int offset, int length) {
    if (Integer.compareUnsigned(length - 1, SHORT) >= 0 || offset > bytes.length - SHORT) {
      return internAny(field, bytes, offset, length);
    }
    int head = field << 24 | length;
    long first = LittleEndian.getLong(bytes, offset) & FIRST_WORD[length];
    long second = LittleEndian.getLong(bytes, offset + WORD) & SECOND_WORD[length];
    int hash = hash(seed, head, first, second);
    int tag = hash << tagShift;
    int slot = home(hash);
    while (true) {
      int content = OffHeap.getInt(slotAddress(slot));
      if (content == 0) {
        return insert(slot, hash, field, bytes, offset, length);
      }
      if (((content ^ tag) & ~wordMask) == 0) {
        // One masked address for three words: the compiler needs no bounds checks.
        long entry = OffHeap.start(address(content & wordMask));
        long header = OffHeap.getLong(entry);
        // One branch for all three: the end of a term is hard to predict.
        long different = (int) header ^ head;
        different |= OffHeap.getLong(entry + WORD) ^ first;
        different |= (OffHeap.getLong(entry + 2 * WORD) & SECOND_WORD[length]) ^ second;
        if (different == 0) {
          return (int) (header >>> 32);
        }
      }
      slot = (slot + 1) & (1 << tableBits) - 1;
    }
  }

  /** The same for terms of any length, anywhere in the array. */
  private int internAny(int field, byte[] bytes, int offset, int length) {
    if (length > MAX_TERM_BYTES) {
      return FULL;
    }
    int hash = hash(seed, field, bytes, offset, length);
    int mask = (1 << tableBits) - 1;
    for (int slot = home(hash); ; slot = (slot + 1) & mask) {
      int content = OffHeap.getInt(slotAddress(slot));
      if (content == 0) {
        return insert(slot, hash, field, bytes, offset, length);
      }
      if (((content ^ hash << tagShift) & ~wordMask) == 0) {
        long entry = address(content & wordMask);
        long header = OffHeap.getLong(entry);
        if ((int) header == (field << 24 | length) && equal(entry + WORD, bytes, offset, length)) {
          return (int) (header >>> 32);
        }
      }
    }
  }

  /** The free memory, aligned to 8 bytes. The next new term may overwrite it. */
  MemorySegment rest() {
    return memory.asSlice(next - memory.address(), arenaEnd - next);
  }

  /** The location of the term with ID 0, if there is one. */
  long firstWord() {
    return 1;
  }

  /** The location of the term after that at {@code word}, if there is one. */
  long wordAfter(long word) {
    return word + entryBytes(length(OffHeap.getLong(address(word)))) / WORD;
  }

  int termId(long word) {
    return (int) (OffHeap.getLong(address(word)) >>> 32);
  }

  /** Length of the term key: the term and the byte of its field. */
  int keyLength(long word) {
    return length(OffHeap.getLong(address(word))) + 1;
  }

  /** Copies a term key to the start of {@code target}, which has room for 8 bytes more. */
  void copyKey(long word, byte[] target) {
    long entry = address(word);
    long header = OffHeap.getLong(entry);
    target[0] = (byte) (header >>> 24);
    OffHeap.copyWords(entry + WORD, target, 1, length(header));
  }

  /**
   * Eight bytes of a term key, padded with zeros, as an unsigned number that orders like the bytes.
   *
   * @param depth index of the first byte, a multiple of 8 below the key's length
   */
  long keyWord(long word, int depth) {
    long entry = address(word);
    long header = OffHeap.getLong(entry);
    int length = length(header);
    if (depth == 0) {
      long bytes = leading(entry + WORD, Math.min(length, WORD - 1));
      return (header & 0xFF000000L) << 32 | bytes >>> 8;
    }
    return leading(entry + WORD + depth - 1, Math.min(length - depth + 1, WORD));
  }

  private static long leading(long address, int n) {
    long bytes = Long.reverseBytes(OffHeap.getLong(address));
    return n == 0 ? 0 : bytes & -1L << (Long.SIZE - Byte.SIZE * n);
  }

  private int insert(int slot, int hash, int field, byte[] bytes, int offset, int length) {
    if (terms == maxTerms || entryBytes(length) > arenaEnd - next) {
      return FULL;
    }
    int termId = terms++;
    long entry = next;
    next += entryBytes(length);
    OffHeap.putLong(next - WORD, 0);
    OffHeap.putLong(entry, (long) termId << 32 | (long) field << 24 | length);
    OffHeap.copy(bytes, offset, entry + WORD, length);
    fill(slot, hash, entry);
    if (terms > 1 << (tableBits - 1)) {
      tableBits++;
      rebuild();
    } else if (terms >= nextSeedAt && (slot - home(hash) & (1 << tableBits) - 1) > LONG_PROBE) {
      // Limits rebuilds in case another seed does not help.
      nextSeedAt = terms + terms / 4;
      seed = seeds.getAsLong();
      rebuild();
    }
    return termId;
  }

  /** Rebuilds the table from the arena, front to back. */
  private void rebuild() {
    OffHeap.clear(table, (long) SLOT_BYTES << tableBits);
    int mask = (1 << tableBits) - 1;
    for (long entry = arena + WORD; entry < next; ) {
      long header = OffHeap.getLong(entry);
      int hash = hash(seed, header, entry + WORD);
      int slot = home(hash);
      while (OffHeap.getInt(slotAddress(slot)) != 0) {
        slot = (slot + 1) & mask;
      }
      fill(slot, hash, entry);
      entry += entryBytes(length(header));
    }
  }

  private void fill(int slot, int hash, long entry) {
    OffHeap.putInt(slotAddress(slot), hash << tagShift | (int) ((entry - arena) / WORD));
  }

  /** The slot where the search for a term starts. */
  private int home(int hash) {
    // A shift uses only the lowest five bits of its distance.
    return hash >>> -tableBits;
  }

  private long slotAddress(int slot) {
    return table + (long) SLOT_BYTES * slot;
  }

  private long address(long word) {
    return arena + WORD * word;
  }

  private static int length(long header) {
    return (int) header & MAX_TERM_BYTES;
  }

  private static long entryBytes(int length) {
    return WORD + ((length + WORD - 1L) & -WORD);
  }

  private static boolean equal(long address, byte[] bytes, int offset, int length) {
    int i = 0;
    for (; i <= length - WORD; i += WORD) {
      if (OffHeap.getLong(address + i) != LittleEndian.getLong(bytes, offset + i)) {
        return false;
      }
    }
    return i == length || OffHeap.getLong(address + i) == tail(bytes, offset + i, length - i);
  }

  /** The hash of a term on the heap; the same as that of its entry. */
  static int hash(long seed, int field, byte[] bytes, int offset, int length) {
    int head = field << 24 | length;
    if (length <= SHORT) {
      long first = length == 0 ? 0 : tail(bytes, offset, Math.min(length, WORD));
      long second = length <= WORD ? 0 : tail(bytes, offset + WORD, length - WORD);
      return hash(seed, head, first, second);
    }
    long hash = mix(seed ^ head);
    int i = 0;
    for (; i <= length - WORD; i += WORD) {
      hash = mix(hash ^ LittleEndian.getLong(bytes, offset + i));
    }
    if (i < length) {
      hash = mix(hash ^ tail(bytes, offset + i, length - i));
    }
    return (int) (hash >>> 32);
  }

  private static int hash(long seed, long header, long address) {
    int length = length(header);
    if (length <= SHORT) {
      long first = OffHeap.getLong(address) & FIRST_WORD[length];
      long second = OffHeap.getLong(address + WORD) & SECOND_WORD[length];
      return hash(seed, (int) header, first, second);
    }
    long hash = mix(seed ^ (int) header);
    for (int i = 0; i < length; i += WORD) {
      hash = mix(hash ^ OffHeap.getLong(address + i));
    }
    return (int) (hash >>> 32);
  }

  /**
   * The hash of a term of at most two words, padded with zeros: both halves of one product. Both
   * factors depend on the seed, so that they cannot be made zero without knowing it.
   */
  private static int hash(long seed, int head, long first, long second) {
    long x = first ^ seed;
    long y = (second ^ Long.rotateLeft(seed, 32)) + head * MULTIPLIER;
    return (int) ((Math.unsignedMultiplyHigh(x, y) ^ x * y) >>> 32);
  }

  /** Both halves of the 128-bit product: every bit of the input reaches the upper half. */
  private static long mix(long bits) {
    long x = bits ^ MULTIPLIER;
    return Math.unsignedMultiplyHigh(x, MULTIPLIER) ^ x * MULTIPLIER;
  }

  /** 1 to 8 bytes of a term as a word, padded with zeros. */
  private static long tail(byte[] bytes, int offset, int n) {
    if (offset <= bytes.length - WORD) {
      return LittleEndian.getLong(bytes, offset) & -1L >>> (Long.SIZE - Byte.SIZE * n);
    }
    long word = 0;
    for (int i = n - 1; i >= 0; i--) {
      word = word << Byte.SIZE | (bytes[offset + i] & 0xFF);
    }
    return word;
  }
}
