package io.kmodel.indexer.inversion;

import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.memory.OffHeap;
import io.kmodel.indexer.run.KeyLayout;
import io.kmodel.indexer.run.KeyLists;
import java.lang.foreign.MemorySegment;

/**
 * Lists that came back as keys, in order of terms; records have 32 bytes (see Term in
 * kernels/inversion/block.cuh).
 */
final class DeviceText extends DeviceResult {
  private static final long KEY_BYTES = Long.BYTES;

  /** Keys that one loop checks. */
  private static final int PASS = 1 << 20;

  /** Offsets in a term's record. */
  private static final int FIRST_KEY = 16;

  private static final int KEYS = 20;
  private static final int LONG_START = 24;

  private final KeyLayout layout;
  private final MemorySegment keys;

  /** Of documents and positions of the keys checked so far, as packed in keys. */
  private long sum;

  /** Divides the block's memory, which must have room. */
  DeviceText(TextBlock block, KeyLayout layout, Sizes sizes) {
    super(block, sizes, DeviceBlock.TERM_BYTES, LONG_START);
    this.layout = layout;
    this.keys = take(KEY_BYTES * sizes.tokens());
  }

  /** Whether there is room for so much. */
  static boolean hasRoom(TextBlock block, Sizes sizes) {
    return sizes.fit(block, DeviceBlock.TERM_BYTES, KEY_BYTES * sizes.tokens(), 0);
  }

  MemorySegment keys() {
    return keys;
  }

  /**
   * Checks that terms and keys strictly ascend, that each term has its keys, and that the keys are,
   * by their number and sum, those of the positions that the lengths of the parts give. With stop
   * words, the device says itself what positions are missing. It cannot notice a term with other
   * bytes.
   *
   * @return the fault; empty if there is no fault
   */
  @Override
  String check() {
    TermRecords terms = terms();
    long tokens = tokens();
    if (!ascends() || sum != expectedSum()) {
      return "keys out of order, or not those of the documents";
    }
    long end = 0;
    for (int term = 0; term < terms.count(); term++) {
      int first = terms.intAt(term, FIRST_KEY);
      int count = terms.intAt(term, KEYS);
      if (first != end || count <= 0 || count > tokens - end || !terms.isPossible(term)) {
        return "a term's record is impossible";
      }
      end += count;
      if (rank(first) != term || rank(end - 1) != term) {
        return "a term has other keys";
      }
    }
    if (end != tokens) {
      return "keys without a term";
    }
    return terms.ascend() ? "" : "terms out of order";
  }

  /** The rank of the term of a key. */
  private long rank(long key) {
    return OffHeap.getLong(keys.address() + KEY_BYTES * key) >>> layout.termShift();
  }

  /** Whether all keys strictly ascend; adds up their documents and positions. */
  private boolean ascends() {
    long mask = (1L << layout.termShift()) - 1;
    long wrong = 0;
    long previous = -1;
    long tokens = tokens();
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
    PartLengths lengths = partLengths();
    return lengths.sum() == tokens()
        ? (lengths.docSum() << layout.positionBits()) + positionSum()
        : -1;
  }

  @Override
  public PostingsCursor cursor(Schema schema) {
    return new Cursor(schema);
  }

  private final class Cursor extends KeyLists {
    private final TermRecords terms = terms();
    private int next;

    Cursor(Schema schema) {
      super(schema, layout, Long.BYTES);
    }

    @Override
    public boolean nextTerm() {
      if (next == terms.count()) {
        return false;
      }
      int term = next++;
      terms.copy(term, startTerm(terms.length(term)), 0);
      startList(keys.address() + KEY_BYTES * terms.intAt(term, FIRST_KEY), terms.intAt(term, KEYS));
      return true;
    }
  }
}
