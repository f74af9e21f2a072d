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
 * The terms of a field as Lucene103BlockTreeTermsWriter has them, byte for byte: in blocks of terms
 * that share a prefix. A prefix has a block of its own if {@value #LEAST} terms and blocks of
 * longer prefixes have it in common; more than {@value #MOST} are several blocks, cut where the
 * byte after the prefix changes. The terms <i>a</i> and <i>b</i> alone, in document 3 and in 4, are
 *
 * <pre>
 * .tim  05 14 61 62   05 01   01 03   03 68 03 05
 *       2 entries, the last block; 2 bytes of suffixes, terms only, not compressed; lengths in 2
 *       bytes, all 1; statistics in one: 2 terms that occur once; where postings are in 3: at 34,
 *       that is in document 3, then in the next one
 * .tip  20 2C   00 00 00 00 00 00 00 00
 *       the root, a leaf with terms: its block lies at 2C, behind the header
 * </pre>
 *
 * <p>Where Lucene has a list of objects, terms wait in arrays, but for their states. Memory: that
 * of the terms that wait: up to {@value #LEAST} for each prefix of the last term and each byte that
 * may follow it. Not thread-safe.
 */
final class BlockTree {
  private static final int LEAST = Lucene103BlockTreeTermsWriter.DEFAULT_MIN_BLOCK_SIZE;
  private static final int MOST = Lucene103BlockTreeTermsWriter.DEFAULT_MAX_BLOCK_SIZE;

  private final IndexOutput out;
  private final TermBlock block;
  private final BlockTrie trie;
  private final EncodedBytes written = new EncodedBytes();

  /** The term that was added last. */
  private byte[] last = new byte[64];

  private int lastLength;

  /** By its bytes: the first of those waiting that share it and all before it. */
  private int[] firstWith = new int[64];

  /** Terms, and prefixes that have a block, waiting for the block that they are in. */
  private int waiting;

  /** Where each of them begins, and where the last one ends. */
  private int[] starts = new int[2 * MOST];

  private byte[] bytes = new byte[1 << 10];

  /** Those of terms; of a prefix null. */
  private @Nullable IntBlockTermState[] states = new IntBlockTermState[2 * MOST];

  /** Where the block of a prefix lies. */
  private long[] fps = new long[2 * MOST];

  /** What is noted of a prefix's blocks but the first, of which there are so many. */
  private final EncodedBytes laterBlocks = new EncodedBytes();

  private int later;

  /** Where the first of them lies. */
  private long firstFp;

  private boolean firstHasTerms;
  private final EncodedBytes floor = new EncodedBytes();

  /**
   * A tree without terms so far.
   *
   * @param out gets the blocks
   */
  BlockTree(IndexOutput out, TermBlock block, BlockTrie trie) {
    this.out = out;
    this.block = block;
    this.trie = trie;
  }

  /**
   * Adds a term.
   *
   * @throws CorruptIndexException if it is not greater than those before
   */
  void add(BytesRef term, IntBlockTermState state) throws IOException {
    byte[] from = term.bytes;
    int offset = term.offset;
    int length = term.length;
    int shared = waiting == 0 ? 0 : shared(from, offset, length);
    closeBeyond(shared);
    reserve(length);
    for (int i = shared; i < length; i++) {
      firstWith[i] = waiting;
    }
    System.arraycopy(from, offset + shared, last, shared, length - shared);
    lastLength = length;
    int start = starts[waiting];
    System.arraycopy(last, 0, bytes, start, length);
    states[waiting] = state;
    waiting++;
    starts[waiting] = start + length;
  }

  /** The term that was added last; valid until another one is. */
  BytesRef lastTerm() {
    return new BytesRef(last, 0, lastLength);
  }

  /** Writes all that waits; not without a term. Returns where the trie's root lies. */
  long finish() throws IOException {
    closeBeyond(0);
    cut(0, waiting);
    written.moveTo(out);
    return trie.finish();
  }

  /** Bytes that a term shares with the last one. */
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
    bytes = ArrayUtil.grow(bytes, Math.addExact(starts[waiting], length));
    if (waiting + 1 == starts.length) {
      int size = 2 * starts.length;
      starts = Arrays.copyOf(starts, size);
      states = Arrays.copyOf(states, size);
      fps = Arrays.copyOf(fps, size);
    }
  }

  /** Writes blocks of those prefixes of the last term that the next one does not share. */
  private void closeBeyond(int shared) throws IOException {
    for (int length = lastLength; length > shared; length--) {
      int count = waiting - firstWith[length - 1];
      if (count >= LEAST) {
        cut(length, count);
      }
    }
  }

  /** Writes the last ones waiting, which share a prefix, as one block or some. */
  private void cut(int prefixLength, int count) throws IOException {
    int first = waiting - count;
    int from = first;
    int label = label(first, prefixLength);
    for (int i = first + 1; i < waiting; i++) {
      int next = label(i, prefixLength);
      if (next != label && i - from >= LEAST && waiting - from > MOST) {
        write(first, from, i, prefixLength);
        from = i;
      }
      label = next;
    }
    write(first, from, waiting, prefixLength);
    if (later > 0) {
      floor.putVInt(later);
      laterBlocks.moveTo(floor);
      later = 0;
    }
    trie.add(last, prefixLength, firstFp, firstHasTerms, floor);
    // The prefix stands where its first term does.
    states[first] = null;
    fps[first] = firstFp;
    waiting = first + 1;
    starts[waiting] = starts[first] + prefixLength;
  }

  /** The byte after the prefix, -1 if there is none. */
  private int label(int entry, int prefixLength) {
    int at = starts[entry] + prefixLength;
    return at == starts[entry + 1] ? -1 : bytes[at] & 0xFF;
  }

  /** Writes some of those that are cut, from the first one on, as a block. */
  private void write(int first, int from, int to, int prefixLength) throws IOException {
    long fp = written.placeIn(out);
    addEntries(from, to, prefixLength, fp);
    boolean hasTerms = block.write(prefixLength, to == waiting, written);
    if (from == first) {
      firstFp = fp;
      firstHasTerms = hasTerms;
    } else {
      laterBlocks.put((byte) label(from, prefixLength));
      laterBlocks.putVLong(((fp - firstFp) << 1) | (hasTerms ? 1 : 0));
      later++;
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
