package io.kmodel.indexer.export.lucene.postings;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.ArrayUtil;

/**
 * Writes a field's part of Lucene's .tip file: a trie that maps each prefix with a block of terms
 * to the block's file pointer. A node is written once it is complete, after its children:
 *
 * <pre>
 * leaf  := kind:2=0 fpBytes-1:3 hasTerms:1 floor:1 0:1            fp floor
 * one   := kind:2=1 childBytes-1:3 outputBytes-1:3  label child   output floor
 * one'  := kind:2=2 childBytes-1:3 7:3              label child                  // no block
 * many  := kind:2=3 childBytes-1:3 hasOutput:1 outputBytes-1:3 labels:2 labelsBytes-1:5 label:8
 *          [output] [children-1:byte, if floor] labels child{children} floor
 * output := floor:1 hasTerms:1 fp:62
 * </pre>
 *
 * Bit fields are listed from the lowest bit. A child is the distance back to its node. Numbers are
 * little-endian; the bits before them give their lengths. A node with several children has its
 * first label in the head. The others are a bitmap (2), a list (1), or the last label and a list of
 * the missing ones between (0), whichever is shortest. Memory: a node per byte of the longest
 * prefix, and up to 16 KiB of pending output. Not thread-safe.
 */
final class BlockTrie {
  /** The file pointer of a prefix without a block. */
  private static final long NONE = -1;

  private static final int LEAF = 0;
  private static final int ONE_WITH_OUTPUT = 1;
  private static final int ONE = 2;
  private static final int MANY = 3;
  private static final int MISSING = 0;
  private static final int LIST = 1;
  private static final int BITMAP = 2;

  /** A prefix that may still get children. */
  private static final class Node {
    private long fp = NONE;
    private boolean hasTerms;

    /** The further blocks of the prefix; empty if it has only one. */
    private final EncodedBytes floor = new EncodedBytes(0);

    private int children;
    private byte[] labels = new byte[4];

    /** Offsets of the children's nodes. */
    private long[] at = new long[4];

    void add(byte label, long child) {
      labels = ArrayUtil.grow(labels, children + 1);
      at = ArrayUtil.grow(at, children + 1);
      labels[children] = label;
      at[children] = child;
      children++;
    }

    int label(int child) {
      return labels[child] & 0xFF;
    }

    long output() {
      return (fp << 2) | (hasTerms ? 2 : 0) | (floor.size() > 0 ? 1 : 0);
    }

    void clear() {
      fp = NONE;
      children = 0;
      floor.clear();
    }
  }

  private final IndexOutput out;

  /** Where the trie starts in {@link #out}. */
  private final long start;

  private final EncodedBytes bytes = new EncodedBytes();

  /** The nodes on the path to the last prefix added, by length. */
  private final List<Node> path = new ArrayList<>();

  private byte[] prefix = new byte[16];
  private int length;

  BlockTrie(IndexOutput out) {
    this.out = out;
    this.start = out.getFilePointer();
    path.add(new Node());
  }

  /**
   * Adds a prefix. Prefixes must come in byte order, except that a prefix follows all longer ones
   * that start with it.
   *
   * @param in holds the prefix in its first bytes
   * @param fp file pointer of the prefix's first block
   * @param hasTerms whether the block has terms, not only other blocks
   * @param floor the prefix's further blocks; cleared by this method
   */
  void add(byte[] in, int prefixLength, long fp, boolean hasTerms, EncodedBytes floor)
      throws IOException {
    int shared = Arrays.mismatch(prefix, 0, length, in, 0, prefixLength);
    closePrefixes(shared < 0 ? length : shared);
    prefix = ArrayUtil.grow(prefix, prefixLength);
    System.arraycopy(in, 0, prefix, 0, prefixLength);
    length = prefixLength;
    while (path.size() <= length) {
      path.add(new Node());
    }
    Node node = path.get(length);
    node.fp = fp;
    node.hasTerms = hasTerms;
    floor.moveTo(node.floor);
  }

  /** Writes the remaining nodes; returns the offset of the root from the start of the trie. */
  long finish() throws IOException {
    closePrefixes(0);
    long root = write(path.getFirst());
    bytes.moveTo(out);
    return root;
  }

  /** Writes the nodes of all prefixes on the path that are longer than the given length. */
  private void closePrefixes(int shared) throws IOException {
    for (; length > shared; length--) {
      Node node = path.get(length);
      path.get(length - 1).add(prefix[length - 1], write(node));
      node.clear();
    }
  }

  /** Writes a node; returns its offset from the start of the trie. */
  private long write(Node node) throws IOException {
    long at = bytes.positionIn(out) - start;
    switch (node.children) {
      case 0 -> writeLeaf(node);
      case 1 -> writeOne(node, at);
      default -> writeMany(node, at);
    }
    bytes.append(node.floor);
    return at;
  }

  private void writeLeaf(Node node) {
    int fpBytes = bytesOf(node.fp);
    int floor = node.floor.size() > 0 ? 1 : 0;
    bytes.put((byte) (LEAF | ((fpBytes - 1) << 2) | (node.hasTerms ? 1 << 5 : 0) | (floor << 6)));
    bytes.putLowest(node.fp, fpBytes);
  }

  private void writeOne(Node node, long at) {
    long child = at - node.at[0];
    int childBytes = bytesOf(child);
    boolean hasOutput = node.fp != NONE;
    int outputBytes = hasOutput ? bytesOf(node.fp << 2) : 0;
    int kind = hasOutput ? ONE_WITH_OUTPUT : ONE;
    bytes.put((byte) (kind | ((childBytes - 1) << 2) | ((outputBytes - 1) << 5)));
    bytes.put(node.labels[0]);
    bytes.putLowest(child, childBytes);
    if (hasOutput) {
      bytes.putLowest(node.output(), outputBytes);
    }
  }

  private void writeMany(Node node, long at) {
    // The first child was written first, so its distance is the longest.
    int childBytes = bytesOf(at - node.at[0]);
    boolean hasOutput = node.fp != NONE;
    int outputBytes = hasOutput ? bytesOf(node.fp << 2) : 1;
    int first = node.label(0);
    int span = node.label(node.children - 1) - first + 1;
    int labels = shortestLabels(span, node.children);
    int labelsBytes = labelsBytes(labels, span, node.children);
    int head = MANY | ((childBytes - 1) << 2) | (hasOutput ? 1 << 5 : 0) | ((outputBytes - 1) << 6);
    bytes.putLowest(head | (labels << 9) | ((labelsBytes - 1) << 11) | (first << 16), 3);
    if (hasOutput) {
      bytes.putLowest(node.output(), outputBytes);
      if (node.floor.size() > 0) {
        bytes.put((byte) (node.children - 1));
      }
    }
    switch (labels) {
      case BITMAP -> putBitmap(node);
      case LIST -> bytes.writeBytes(node.labels, 1, labelsBytes);
      default -> putMissing(node);
    }
    for (int child = 0; child < node.children; child++) {
      bytes.putLowest(at - node.at[child], childBytes);
    }
  }

  /** Chooses the encoding of labels; prefers bitmap to list to missing labels, as Lucene does. */
  private static int shortestLabels(int span, int children) {
    int shortest = BITMAP;
    for (int labels : new int[] {LIST, MISSING}) {
      if (labelsBytes(labels, span, children) < labelsBytes(shortest, span, children)) {
        shortest = labels;
      }
    }
    return shortest;
  }

  private static int labelsBytes(int labels, int span, int children) {
    return switch (labels) {
      case BITMAP -> (span + Byte.SIZE - 1) / Byte.SIZE;
      case LIST -> children - 1;
      default -> span - children + 1;
    };
  }

  /** Puts one bit per label between the first and the last, both included. */
  private void putBitmap(Node node) {
    int base = node.label(0);
    int bits = 0;
    for (int child = 0; child < node.children; child++) {
      int bit = node.label(child) - base;
      for (; bit >= Byte.SIZE; bit -= Byte.SIZE) {
        bytes.put((byte) bits);
        bits = 0;
        base += Byte.SIZE;
      }
      bits |= 1 << bit;
    }
    bytes.put((byte) bits);
  }

  /** Puts the last label, and the labels between the first and the last that have no child. */
  private void putMissing(Node node) {
    bytes.put(node.labels[node.children - 1]);
    int label = node.label(0);
    for (int child = 0; child < node.children; child++, label++) {
      for (; label < node.label(child); label++) {
        bytes.put((byte) label);
      }
    }
  }

  /** The number of bytes that a number takes; at least 1. */
  private static int bytesOf(long value) {
    return Long.BYTES - Long.numberOfLeadingZeros(value | 1) / Byte.SIZE;
  }
}
