package io.kmodel.indexer.export.lucene;

import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.codecs.lucene103.blocktree.Lucene103BlockTreeTermsWriter;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat.IntBlockTermState;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * The terms of a field as Lucene103BlockTreeTermsWriter has them, byte for byte: in blocks of terms
 * that share a prefix, of which the longest are cut off that {@value #LEAST} terms and blocks of
 * longer prefixes have in common. Where there are more than {@value #MOST} with one prefix, they
 * are several blocks, cut where the byte after the prefix changes. Lucene's writer has an object or
 * two for each term; here terms wait in arrays until their block is written. Memory: those of the
 * terms that wait, up to {@value #LEAST} for each byte of the longest term. Not thread-safe.
 */
final class BlockTree {
  private static final int LEAST = Lucene103BlockTreeTermsWriter.DEFAULT_MIN_BLOCK_SIZE;
  private static final int MOST = Lucene103BlockTreeTermsWriter.DEFAULT_MAX_BLOCK_SIZE;

  private final IndexOutput out;
  private final TermBlock block;
  private final BlockTrie trie;
  private final PostingsBytes written = new PostingsBytes();

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

  /** What is noted of a prefix's blocks but the first. */
  private final PostingsBytes others = new PostingsBytes();

  private final PostingsBytes floor = new PostingsBytes();

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

  /** Adds a term, greater than those before. */
  void add(BytesRef term, IntBlockTermState state) throws IOException {
    byte[] from = term.bytes;
    int offset = term.offset;
    int length = term.length;
    // The first term may be empty, as what is before it.
    int shared = Math.max(0, Arrays.mismatch(last, 0, lastLength, from, offset, offset + length));
    close(shared);
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
    close(0);
    cut(0, waiting);
    written.moveTo(out);
    return trie.finish();
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
  private void close(int shared) throws IOException {
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
    int fromLabel = -1;
    int label = -1;
    long fp = -1;
    boolean hasTerms = false;
    int more = 0;
    for (int i = first; i <= waiting; i++) {
      int next = i == waiting ? Integer.MAX_VALUE : label(i, prefixLength);
      if (next == label) {
        continue;
      }
      label = next;
      boolean isFull = i - from >= LEAST && waiting - from > MOST;
      if (i < waiting && !isFull) {
        continue;
      }
      if (from == i) {
        break;
      }
      long at = write(from, i, prefixLength);
      if (from == first) {
        fp = at;
        hasTerms = block.hasTerms();
      } else {
        others.put((byte) fromLabel);
        others.putVLong(((at - fp) << 1) | (block.hasTerms() ? 1 : 0));
        more++;
      }
      from = i;
      fromLabel = next;
    }
    if (more > 0) {
      floor.putVInt(more);
      others.moveTo(floor);
    }
    trie.add(last, prefixLength, fp, hasTerms, floor);
    // The prefix stands where its first term does.
    states[first] = null;
    fps[first] = fp;
    waiting = first + 1;
    starts[waiting] = starts[first] + prefixLength;
  }

  /** The byte after the prefix, -1 if there is none. */
  private int label(int entry, int prefixLength) {
    int at = starts[entry] + prefixLength;
    return at == starts[entry + 1] ? -1 : bytes[at] & 0xFF;
  }

  /** Returns where the block lies. */
  private long write(int from, int to, int prefixLength) throws IOException {
    if (written.isMuch()) {
      written.moveTo(out);
    }
    long fp = out.getFilePointer() + written.size();
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
    block.write(prefixLength, to == waiting, written);
    return fp;
  }
}
