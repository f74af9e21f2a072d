package io.kmodel.indexer.inversion;

import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.memory.OffHeap;
import io.kmodel.indexer.run.KeyLayout;
import io.kmodel.indexer.run.KeyLists;
import io.kmodel.indexer.source.record.EightBytes;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * What came back from a device, in the memory of its block: the length of each part, a record of 32
 * bytes for each term in order (see Term in kernels/inversion/block.cuh), the bytes of long terms,
 * and the keys, in order of terms except for those with the same first bytes.
 */
final class DeviceText implements InvertedText {
  private static final int PAGE_BYTES = 4096;

  /** Memory for keys and terms together, in tenths of the bytes of text. */
  private static final int RESULTS_PER_TEN_BYTES = 46;

  /** More terms with the same first bytes than this are left to the CPU. */
  private static final int MOST_SAME = 1 << 14;

  private static final long KEY_BYTES = Long.BYTES;

  /** Keys that one loop checks. */
  private static final int PASS = 1 << 20;

  /** Offsets in a term's record. */
  private static final int LOW = 8;

  private static final int FIRST_KEY = 16;
  private static final int KEYS = 20;
  private static final int LONG_START = 24;
  private static final int LENGTH = 28;

  private final TextBlock block;
  private final KeyLayout layout;
  private final long tokens;
  private final int terms;
  private final MemorySegment lengths;
  private final MemorySegment records;
  private final MemorySegment longBytes;
  private final MemorySegment keys;

  /** Of documents and positions of the keys checked so far, as packed in keys. */
  private long sum;

  /** Divides the block's memory for so many tokens, terms and bytes of long terms. */
  DeviceText(TextBlock block, KeyLayout layout, long tokens, long terms, long longTerms) {
    this.block = block;
    this.layout = layout;
    this.tokens = tokens;
    this.terms = (int) terms;
    MemorySegment all = block.results();
    Places at = Places.of(block, tokens, terms, longTerms);
    this.lengths = all.asSlice(Places.LENGTHS, (long) Integer.BYTES * block.partCount());
    this.records = all.asSlice(at.records, DeviceBlock.TERM_BYTES * terms);
    this.longBytes = all.asSlice(at.longBytes, longTerms);
    this.keys = all.asSlice(at.keys, KEY_BYTES * tokens);
  }

  /** Where the parts begin in a block's memory, each at a page, behind the counters; the end. */
  private record Places(long records, long longBytes, long keys, long end) {
    static final long LENGTHS = PAGE_BYTES;

    static Places of(TextBlock block, long tokens, long terms, long longTerms) {
      long records = LENGTHS + pages((long) Integer.BYTES * block.partCount());
      long longBytes = records + pages(DeviceBlock.TERM_BYTES * terms);
      long keys = longBytes + pages(longTerms);
      return new Places(records, longBytes, keys, keys + KEY_BYTES * tokens);
    }
  }

  /** Memory of a block for what may come back. */
  static long capacity(long textBytes) {
    return RESULTS_PER_TEN_BYTES * textBytes / 10 + 5L * PAGE_BYTES;
  }

  /** Whether there is room for so much. */
  static boolean hasRoom(TextBlock block, long tokens, long terms, long longTerms) {
    return Places.of(block, tokens, terms, longTerms).end <= block.results().byteSize();
  }

  private static long pages(long bytes) {
    return (bytes + PAGE_BYTES - 1) & -PAGE_BYTES;
  }

  static MemorySegment counters(TextBlock block) {
    return block.results().asSlice(0, PAGE_BYTES);
  }

  MemorySegment lengths() {
    return lengths;
  }

  MemorySegment records() {
    return records;
  }

  MemorySegment longBytes() {
    return longBytes;
  }

  MemorySegment keys() {
    return keys;
  }

  @Override
  public long tokens() {
    return tokens;
  }

  @Override
  public boolean byDevice() {
    return true;
  }

  @Override
  public int length(int number, int docId) {
    return OffHeap.getInt(
        lengths.address() + (long) Integer.BYTES * ((long) docId * block.fields() + number));
  }

  /**
   * Puts terms with the same first bytes in order, and checks that terms and keys strictly ascend,
   * that each term has its keys, and that the keys are, by their number and sum, those of the
   * positions that the lengths of the parts give. It cannot notice a term with other bytes.
   *
   * @return the fault; empty if there is no fault
   */
  String check() {
    if (!ascends() || sum != expectedSum()) {
      return "keys out of order, or not those of the documents";
    }
    long end = 0;
    for (int term = 0; term < terms; term++) {
      int first = field(term, FIRST_KEY);
      int count = field(term, KEYS);
      if (first != end || count <= 0 || count > tokens - end || !isPossible(term)) {
        return "a term's record is impossible";
      }
      end += count;
      if (rank(first) != term || rank(end - 1) != term) {
        return "a term has other keys";
      }
    }
    return end == tokens ? orderTerms() : "keys without a term";
  }

  /** The rank of the term of a key. */
  private long rank(long key) {
    return OffHeap.getLong(keys.address() + KEY_BYTES * key) >>> layout.termShift();
  }

  /** Whether a term has bytes. */
  private boolean isPossible(int term) {
    int length = length(term);
    if (length <= DeviceBlock.SHORT) {
      return length > 1;
    }
    int start = field(term, LONG_START);
    return length <= DeviceBlock.HALO && start >= 0 && start <= longBytes.byteSize() - length;
  }

  private String orderTerms() {
    for (int term = 0; term < terms; ) {
      int same = endOfSame(term);
      if (same - term > MOST_SAME) {
        return "too many terms with the same start";
      }
      if ((term > 0 && !ascends(term)) || (same - term > 1 && !sortSame(term, same))) {
        return "terms out of order";
      }
      term = same;
    }
    return "";
  }

  /** Whether all keys strictly ascend; adds up their documents and positions. */
  private boolean ascends() {
    long mask = (1L << layout.termShift()) - 1;
    long wrong = 0;
    long previous = -1;
    sum = 0;
    for (long first = 0; first < tokens; first += PASS) {
      long start = OffHeap.start(keys.address() + KEY_BYTES * first);
      int count = (int) Math.min(PASS, tokens - first);
      long added = 0;
      for (int i = 0; i < count; i++) {
        long key = OffHeap.getLong(start + KEY_BYTES * i);
        // Negative unless the key is above the previous one; keys are not negative.
        wrong |= (key - previous - 1) | key;
        previous = key;
        added += key & mask;
      }
      sum += added;
    }
    return wrong >= 0;
  }

  /** The sum of all documents and positions that the lengths give, as packed in keys. */
  private long expectedSum() {
    long sum = 0;
    long all = 0;
    for (int part = 0; part < block.partCount(); part++) {
      long length = OffHeap.getInt(lengths.address() + (long) Integer.BYTES * part);
      long doc = part / block.fields();
      sum += length * (doc << layout.positionBits()) + length * (length - 1) / 2;
      all += length;
    }
    return all == tokens ? sum : -1;
  }

  private int endOfSame(int from) {
    int end = from + 1;
    while (end < terms && word(end, 0) == word(from, 0) && word(end, LOW) == word(from, LOW)) {
      end++;
    }
    return end;
  }

  private boolean ascends(int term) {
    int order = Long.compareUnsigned(word(term - 1, 0), word(term, 0));
    return order < 0
        || (order == 0 && Long.compareUnsigned(word(term - 1, LOW), word(term, LOW)) < 0);
  }

  /** Orders records of terms with the same first bytes; returns whether all of them differ. */
  private boolean sortSame(int from, int to) {
    byte[][] sorted = new byte[to - from][];
    for (int i = from; i < to; i++) {
      byte[] whole = new byte[length(i) + DeviceBlock.TERM_BYTES];
      copyTerm(i, whole);
      MemorySegment.copy(
          records.asSlice((long) DeviceBlock.TERM_BYTES * i, DeviceBlock.TERM_BYTES),
          0,
          MemorySegment.ofArray(whole),
          length(i),
          DeviceBlock.TERM_BYTES);
      sorted[i - from] = whole;
    }
    Arrays.sort(sorted, DeviceText::compareTerms);
    for (int i = from; i < to; i++) {
      if (i > from && compareTerms(sorted[i - from - 1], sorted[i - from]) == 0) {
        return false;
      }
      byte[] whole = sorted[i - from];
      int record = whole.length - DeviceBlock.TERM_BYTES;
      OffHeap.copy(whole, record, record(i), DeviceBlock.TERM_BYTES);
    }
    return true;
  }

  /** Compares terms, each with its record behind it. */
  private static int compareTerms(byte[] a, byte[] b) {
    return Arrays.compareUnsigned(
        a, 0, a.length - DeviceBlock.TERM_BYTES, b, 0, b.length - DeviceBlock.TERM_BYTES);
  }

  private long record(int term) {
    return records.address() + (long) DeviceBlock.TERM_BYTES * term;
  }

  private long word(int term, int at) {
    return OffHeap.getLong(record(term) + at);
  }

  private int field(int term, int at) {
    return OffHeap.getInt(record(term) + at);
  }

  private int length(int term) {
    return field(term, LENGTH);
  }

  /** Copies a term; up to 15 bytes behind it may be overwritten. */
  private void copyTerm(int term, byte[] to) {
    int length = length(term);
    if (length > DeviceBlock.SHORT) {
      OffHeap.copyWords(longBytes.address() + field(term, LONG_START), to, 0, length);
      return;
    }
    EightBytes.put(to, 0, Long.reverseBytes(word(term, 0)));
    EightBytes.put(to, Long.BYTES, Long.reverseBytes(word(term, LOW)));
  }

  @Override
  public PostingsCursor cursor(Schema schema) {
    return new Cursor(schema);
  }

  @Override
  public void close() {}

  private final class Cursor extends KeyLists {
    private int next;

    Cursor(Schema schema) {
      super(schema, layout, Long.BYTES);
    }

    @Override
    public boolean nextTerm() {
      if (next == terms) {
        return false;
      }
      int term = next++;
      copyTerm(term, startTerm(length(term)));
      startList(keys.address() + KEY_BYTES * field(term, FIRST_KEY), field(term, KEYS));
      return true;
    }
  }
}
