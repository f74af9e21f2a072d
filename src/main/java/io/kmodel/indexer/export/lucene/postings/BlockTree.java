package io.kmodel.indexer.export.lucene.postings;

import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.codecs.lucene103.blocktree.Lucene103BlockTreeTermsWriter;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat.IntBlockTermState;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * Writes the terms of a field in blocks, byte for byte like Lucene103BlockTreeTermsWriter. A prefix
 * gets a block if at least {@value #MIN_ENTRIES} entries share it: terms, or prefixes that have a
 * block themselves. More than {@value #MAX_ENTRIES} entries are split into several blocks, at
 * changes of the byte after the prefix; Lucene calls them floor blocks. For example, the terms
 * <i>a</i> in document 3 and <i>b</i> in document 4 are written as
 *
 * <pre>
 * .tim  05 14 61 62   05 01   01 03   03 68 03 05
 *       2 entries, the last block; 2 bytes of suffixes, terms only, not compressed; lengths in 2
 *       bytes, all 1; 1 byte of statistics: 2 terms that occur once; 3 bytes of metadata: postings
 *       at 34, that is in document 3, then in the next one
 * .tip  20 2C   00 00 00 00 00 00 00 00
 *       the root, a leaf with terms, whose block starts at 2C, after the header
 * </pre>
 *
 * <p>Pending entries are stored in arrays, without an object per entry except the terms' states.
 * Memory: the pending entries, fewer than {@value #MIN_ENTRIES} per prefix of the last term and
 * following byte. Not thread-safe.
 */
final class BlockTree {
  private static final int MIN_ENTRIES = Lucene103BlockTreeTermsWriter.DEFAULT_MIN_BLOCK_SIZE;
  private static final int MAX_ENTRIES = Lucene103BlockTreeTermsWriter.DEFAULT_MAX_BLOCK_SIZE;

  private final IndexOutput out;
  private final TermBlock block;
  private final BlockTrie trie;

  /** Blocks to be written to {@link #out}. */
  private final EncodedBytes blocks = new EncodedBytes();

  /** The last term added. */
  private byte[] last = new byte[64];

  private int lastLength;

  /** For the last term's prefix of n + 1 bytes: the first pending entry that starts with it. */
  private int[] firstWith = new int[64];

  /** Number of entries that are not yet in a block. */
  private int pending;

  /** Where each pending entry starts in {@link #bytes}, and where the last one ends. */
  private int[] starts = new int[2 * MAX_ENTRIES];

  private byte[] bytes = new byte[1 << 10];

  /** The states of pending terms; null for prefixes. */
  private @Nullable IntBlockTermState[] states = new IntBlockTermState[2 * MAX_ENTRIES];

  /** File pointers of the blocks of pending prefixes. */
  private long[] fps = new long[2 * MAX_ENTRIES];

  /** The first block of the prefix that is being closed. */
  private long firstFp;

  private boolean firstHasTerms;

  /** Labels, file pointers and flags of the prefix's further blocks. */
  private final EncodedBytes furtherBlocks = new EncodedBytes();

  private int furtherCount;

  /** The same with their number, as the trie stores it. */
  private final EncodedBytes floor = new EncodedBytes();

  /**
   * A tree without terms.
   *
   * @param out receives the blocks
   */
  BlockTree(IndexOutput out, TermBlock block, BlockTrie trie) {
    this.out = out;
    this.block = block;
    this.trie = trie;
  }

  /**
   * Adds a term.
   *
   * @throws CorruptIndexException if it is not greater than the previous one
   */
  void add(BytesRef term, IntBlockTermState state) throws IOException {
    byte[] from = term.bytes;
    int offset = term.offset;
    int length = term.length;
    int shared = pending == 0 ? 0 : shared(from, offset, length);
    closePrefixes(shared);
    reserve(length);
    for (int i = shared; i < length; i++) {
      firstWith[i] = pending;
    }
    System.arraycopy(from, offset + shared, last, shared, length - shared);
    lastLength = length;
    int start = starts[pending];
    System.arraycopy(last, 0, bytes, start, length);
    states[pending] = state;
    pending++;
    starts[pending] = start + length;
  }

  /** The last term added; valid until the next {@link #add}. */
  BytesRef lastTerm() {
    return new BytesRef(last, 0, lastLength);
  }

  /** Writes the pending entries, at least one; returns the offset of the root in the trie. */
  long finish() throws IOException {
    closePrefixes(0);
    close(0, pending);
    blocks.moveTo(out);
    return trie.finish();
  }

  /** Returns the number of bytes that a term shares with the last one. */
  private int shared(byte[] from, int offset, int length) throws IOException {
    int shared = Arrays.mismatch(last, 0, lastLength, from, offset, offset + length);
    boolean isGreater =
        shared >= 0
            && shared < length
            && (shared == lastLength || (from[offset + shared] & 0xFF) > (last[shared] & 0xFF));
    if (!isGreater) {
      throw new CorruptIndexException("terms do not ascend", out);
    }
    return shared;
  }

  private void reserve(int length) {
    last = ArrayUtil.grow(last, length);
    firstWith = ArrayUtil.grow(firstWith, length);
    bytes = ArrayUtil.grow(bytes, Math.addExact(starts[pending], length));
    if (pending + 1 == starts.length) {
      int size = 2 * starts.length;
      starts = Arrays.copyOf(starts, size);
      states = Arrays.copyOf(states, size);
      fps = Arrays.copyOf(fps, size);
    }
  }

  /** Closes all prefixes of the last term that are longer than the given length. */
  private void closePrefixes(int shared) throws IOException {
    for (int length = lastLength; length > shared; length--) {
      int count = pending - firstWith[length - 1];
      if (count >= MIN_ENTRIES) {
        close(length, count);
      }
    }
  }

  /** Writes the last entries, which share a prefix, in one or more blocks. */
  private void close(int prefixLength, int count) throws IOException {
    int first = pending - count;
    int from = first;
    int label = label(first, prefixLength);
    for (int i = first + 1; i < pending; i++) {
      int next = label(i, prefixLength);
      if (next != label && i - from >= MIN_ENTRIES && pending - from > MAX_ENTRIES) {
        write(first, from, i, prefixLength);
        from = i;
      }
      label = next;
    }
    write(first, from, pending, prefixLength);
    if (furtherCount > 0) {
      floor.putVInt(furtherCount);
      furtherBlocks.moveTo(floor);
      furtherCount = 0;
    }
    trie.add(last, prefixLength, firstFp, firstHasTerms, floor);
    // The prefix replaces its entries, and is the start of the first one's bytes.
    states[first] = null;
    fps[first] = firstFp;
    pending = first + 1;
    starts[pending] = starts[first] + prefixLength;
  }

  /** The entry's byte after the prefix; -1 if it ends there. */
  private int label(int entry, int prefixLength) {
    int at = starts[entry] + prefixLength;
    return at == starts[entry + 1] ? -1 : bytes[at] & 0xFF;
  }

  /**
   * Writes a block.
   *
   * @param first the first entry with the prefix
   * @param from the first entry of the block
   * @param to the entry after the block
   */
  private void write(int first, int from, int to, int prefixLength) throws IOException {
    long fp = blocks.positionIn(out);
    addEntries(from, to, prefixLength, fp);
    boolean hasTerms = block.write(prefixLength, to == pending, blocks);
    if (from == first) {
      firstFp = fp;
      firstHasTerms = hasTerms;
    } else {
      furtherBlocks.put((byte) label(from, prefixLength));
      furtherBlocks.putVLong(((fp - firstFp) << 1) | (hasTerms ? 1 : 0));
      furtherCount++;
    }
  }

  private void addEntries(int from, int to, int prefixLength, long fp) throws IOException {
    boolean hasTermsOnly = true;
    for (int i = from; i < to; i++) {
      hasTermsOnly &= states[i] != null;
    }
    block.start(hasTermsOnly);
    for (int i = from; i < to; i++) {
      int suffix = starts[i] + prefixLength;
      int length = starts[i + 1] - suffix;
      IntBlockTermState state = states[i];
      if (state == null) {
        block.addBlock(bytes, suffix, length, fp - fps[i]);
      } else {
        block.addTerm(bytes, suffix, length, state);
      }
    }
  }
}
