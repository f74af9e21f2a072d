package io.kmodel.indexer.inversion;

import com.google.common.base.Utf8;
import io.kmodel.indexer.analysis.words.EnglishWords;
import io.kmodel.indexer.inversion.InversionLane.DamagedException;
import io.kmodel.indexer.inversion.InversionLane.RefusedException;
import io.kmodel.indexer.memory.OffHeap;
import io.kmodel.indexer.source.record.EightBytes;
import java.lang.foreign.MemorySegment;
import org.apache.lucene.util.TimSorter;

/**
 * Makes stems of the distinct words of a block while the tokens wait on the device: {@link
 * EnglishWords} takes each word once, however often it occurs. Words of fields without stems stay
 * as they are. kernels/inversion/stems.cuh says what the device does with them.
 *
 * <p>Memory: the block's results, of which a word takes 72 bytes; on the heap 2 bytes a word, and
 * 130 KB. Not thread-safe.
 */
final class Stems {
  /** Where a word begins in {@link #term}: behind its field, with room for {@link EnglishWords}. */
  private static final int WORD = 8;

  private static final String IMPOSSIBLE = "a term's record is impossible";

  /** Offsets in a record, as Term in kernels/inversion/block.cuh has it. */
  private static final int LOW = 8;

  private static final int RANK = 16;
  private static final int LONG_START = 24;
  private static final int LENGTH = 28;
  private static final int RECORD = DeviceBlock.TERM_BYTES;

  private final InvertedFields fields;
  private final PartLengths lengths;

  /** The records of words, and later of stems. */
  private final MemorySegment words;

  private final MemorySegment longWords;

  /** The rank of each word's stem; before that, its place among those found. */
  private final MemorySegment ranks;

  /** A stem for each word, except that those of words in succession may be one. */
  private final MemorySegment found;

  /** Places among those found, sorted by the stems. */
  private final MemorySegment order;

  private final MemorySegment longStems;
  private final TermRecords foundRecords;
  private final EnglishWords english = new EnglishWords();
  private final byte[] term = new byte[WORD + DeviceBlock.HALO + DeviceBlock.SHORT];
  private int foundCount;
  private int count;
  private int longBytes;

  /**
   * Divides the block's memory.
   *
   * @throws RefusedException if there are too many words for it
   */
  Stems(TextBlock block, InvertedFields fields, DeviceResult.Sizes sizes) throws RefusedException {
    this.fields = fields;
    long records = RECORD * sizes.terms();
    long numbers = Integer.BYTES * sizes.terms();
    // Stems are copied with some bytes behind them.
    long longRoom = sizes.longBytes() + Long.BYTES;
    if (!ResultMemory.fits(
        block,
        PartLengths.bytes(block),
        records,
        sizes.longBytes(),
        numbers,
        records,
        numbers,
        longRoom)) {
      throw new RefusedException("more words than its memory holds");
    }
    ResultMemory memory = new ResultMemory(block);
    this.lengths = new PartLengths(memory.take(PartLengths.bytes(block)), block.fields());
    this.words = memory.take(records);
    this.longWords = memory.take(sizes.longBytes());
    this.ranks = memory.take(numbers);
    this.found = memory.take(records);
    this.order = memory.take(numbers);
    this.longStems = memory.take(longRoom);
    this.foundRecords = new TermRecords(found, RECORD, LONG_START, longStems);
  }

  /** Memory for the lengths of all parts, with stop words. */
  MemorySegment lengths() {
    return lengths.memory();
  }

  /** Memory for the records of the words, in order. */
  MemorySegment words() {
    return words;
  }

  /** Memory for the bytes of long words. */
  MemorySegment longWords() {
    return longWords;
  }

  /**
   * Makes the stems, once the words have come back.
   *
   * @param tokens of the block
   * @throws DamagedException if these are not possible
   */
  void make(long tokens) throws DamagedException {
    TermRecords all = new TermRecords(words, RECORD, LONG_START, longWords);
    if (lengths.sum() != tokens) {
      throw new DamagedException("lengths that are not those of the documents");
    }
    for (int word = 0; word < all.count(); word++) {
      add(all, word);
    }
    if (!all.ascend()) {
      throw new DamagedException("terms out of order");
    }
    for (int place = 0; place < foundCount; place++) {
      setInt(order, place, place);
    }
    new Sorter().sort(0, foundCount);
    collect();
    for (int word = 0; word < all.count(); word++) {
      int place = getInt(ranks, word);
      int rank = place < 0 ? count + ~place : OffHeap.getInt(found(place) + RANK);
      setInt(ranks, word, rank);
    }
  }

  /** Finds the stem of a word. The place of a stop word is the complement of its field. */
  private void add(TermRecords all, int word) throws DamagedException {
    int field = -1;
    if (all.isPossible(word)) {
      all.copy(word, term, WORD - 1);
      field = fields.ordinals().indexOf(term[WORD - 1] & 0xFF);
    }
    if (field < 0) {
      throw new DamagedException(IMPOSSIBLE);
    }
    int length = all.length(word);
    if (fields.isEnglish(fields.ordinal(field))) {
      if (!Utf8.isWellFormed(term, WORD, length - 1)) {
        throw new DamagedException(IMPOSSIBLE);
      }
      int stem = english.stem(term, WORD, length - 1);
      if (stem == EnglishWords.NOTHING) {
        setInt(ranks, word, ~field);
        return;
      }
      if (stem >= length) {
        throw new DamagedException(IMPOSSIBLE);
      }
      term[WORD - 1] = (byte) fields.ordinal(field);
      length = 1 + stem;
    }
    addFound(length);
    setInt(ranks, word, foundCount - 1);
  }

  /** Adds the term, unless it was the last one, too. */
  private void addFound(int length) throws DamagedException {
    boolean isLong = length > DeviceBlock.SHORT;
    // Damaged words may overlap in the bytes of long ones.
    if (isLong && longBytes + length > longStems.byteSize() - Long.BYTES) {
      throw new DamagedException(IMPOSSIBLE);
    }
    long to = found(foundCount);
    OffHeap.putLong(to, firstBytes(WORD - 1, length));
    OffHeap.putLong(to + LOW, firstBytes(WORD - 1 + Long.BYTES, length - Long.BYTES));
    OffHeap.putInt(to + LONG_START, longBytes);
    OffHeap.putInt(to + LENGTH, length);
    if (isLong) {
      OffHeap.copyWords(term, WORD - 1, longStems.address() + longBytes, length);
    }
    if (foundCount == 0 || foundRecords.compare(foundCount - 1, foundCount) != 0) {
      foundCount++;
      longBytes += isLong ? length : 0;
    }
  }

  /** Eight bytes of the term, the first one highest, and zeros behind its end. */
  private long firstBytes(int at, int left) {
    if (left <= 0) {
      return 0;
    }
    long eight = Long.reverseBytes(EightBytes.at(term, at));
    return left >= Long.BYTES ? eight : eight & (-1L << (Byte.SIZE * (Long.BYTES - left)));
  }

  /** Writes each stem once, over the words, and its rank to those found. */
  private void collect() {
    for (int i = 0; i < foundCount; i++) {
      int place = getInt(order, i);
      if (i == 0 || foundRecords.compare(getInt(order, i - 1), place) != 0) {
        OffHeap.copy(found(place), words.address() + (long) RECORD * count, RECORD);
        count++;
      }
      OffHeap.putInt(found(place) + RANK, count - 1);
    }
  }

  private long found(int place) {
    return found.address() + (long) RECORD * place;
  }

  private static int getInt(MemorySegment from, int at) {
    return OffHeap.getInt(from.address() + (long) Integer.BYTES * at);
  }

  private static void setInt(MemorySegment to, int at, int value) {
    OffHeap.putInt(to.address() + (long) Integer.BYTES * at, value);
  }

  /** Stems that are not stop words. */
  int count() {
    return count;
  }

  /** For each word in order, the rank of its stem, or that of all stems plus its field. */
  MemorySegment ranks() {
    return ranks;
  }

  /** The records of the stems, in order. */
  MemorySegment stems() {
    return words.asSlice(0, (long) RECORD * count);
  }

  /** The bytes of long stems. */
  MemorySegment longStems() {
    return longStems.asSlice(0, longBytes);
  }

  /** The sum of the positions of all tokens, with stop words. */
  long positionSum() {
    return lengths.positionSum();
  }

  /** Sorts nearly sorted places. */
  private final class Sorter extends TimSorter {
    private final int[] saved;

    Sorter() {
      this(foundCount / 2);
    }

    private Sorter(int slots) {
      super(slots);
      this.saved = new int[slots];
    }

    @Override
    protected int compare(int i, int j) {
      return foundRecords.compare(getInt(order, i), getInt(order, j));
    }

    @Override
    protected void swap(int i, int j) {
      int place = getInt(order, i);
      setInt(order, i, getInt(order, j));
      setInt(order, j, place);
    }

    @Override
    protected void copy(int from, int to) {
      setInt(order, to, getInt(order, from));
    }

    @Override
    protected void save(int from, int length) {
      for (int i = 0; i < length; i++) {
        saved[i] = getInt(order, from + i);
      }
    }

    @Override
    protected void restore(int from, int to) {
      setInt(order, to, saved[from]);
    }

    @Override
    protected int compareSaved(int i, int j) {
      return foundRecords.compare(saved[i], getInt(order, j));
    }
  }
}
