package io.kmodel.indexer.export.lucene.postings;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.ArrayUtil;

/**
 * A field's part of Lucene's .tip file: the prefixes that have blocks of terms, as a trie that says
 * where each prefix's block lies. Nodes are written when no more can come below them, children
 * before their parents:
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
 * where bits are given from the lowest on, a child is how far back its node lies, and numbers are
 * little-endian in the bytes that the head says. Labels are the first one, and the others as a
 * bitmap (2), a list (1), or the last one and a list of those between that are missing (0),
 * whichever is shortest. Memory: a node for each byte of the longest prefix. Not thread-safe.
 */
final class BlockTrie {
  /** In place of a file pointer: the prefix has no block of its own. */
  private static final long NONE = -1;

  private static final int LEAF = 0;
  private static final int ONE_WITH_OUTPUT = 1;
  private static final int ONE = 2;
  private static final int MANY = 3;
  private static final int MISSING = 0;
  private static final int LIST = 1;
  private static final int BITMAP = 2;

  /** A prefix below which more may come. */
  private static final class Node {
    private long fp = NONE;
    private boolean hasTerms;

    /** Of the block, if it is cut into several; else empty. */
    private final EncodedBytes floor = new EncodedBytes(0);

    private int children;
    private byte[] labels = new byte[4];

    /** Where the children's nodes lie. */
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

  /** Where the trie begins there. */
  private final long start;

  private final EncodedBytes bytes = new EncodedBytes();

  /** The nodes of the prefix that was added last: after so many of its bytes. */
  private final List<Node> path = new ArrayList<>();

  private byte[] prefix = new byte[16];
  private int length;

  BlockTrie(IndexOutput out) {
    this.out = out;
    this.start = out.getFilePointer();
    path.add(new Node());
  }

  /**
   * Adds a prefix, after all those that begin with it and those before these.
   *
   * @param in holds the prefix in its first bytes
   * @param fp where its block lies
   * @param hasTerms whether there is more in the block than other blocks
   * @param floor what is noted of a block that is cut into several; is empty then
   */
  void add(byte[] in, int prefixLength, long fp, boolean hasTerms, EncodedBytes floor)
      throws IOException {
    int shared = Arrays.mismatch(prefix, 0, length, in, 0, prefixLength);
    closeBeyond(shared < 0 ? length : shared);
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

  /** Writes what is left, and returns where the root lies, from the trie's start on. */
  long finish() throws IOException {
    closeBeyond(0);
    long root = write(path.getFirst());
    bytes.moveTo(out);
    return root;
  }

  /** Writes the nodes behind so many bytes, below which nothing more comes. */
  private void closeBeyond(int shared) throws IOException {
    for (; length > shared; length--) {
      Node node = path.get(length);
      path.get(length - 1).add(prefix[length - 1], write(node));
      node.clear();
    }
  }

  /** Returns where it lies. */
  private long write(Node node) throws IOException {
    long at = bytes.placeIn(out) - start;
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
    // The first child lies the furthest back.
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

  /** Of several that are as short, the first in this order. */
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

  /** A bit for each label from the first one on, the last one's in the last byte. */
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

  private void putMissing(Node node) {
    bytes.put(node.labels[node.children - 1]);
    int label = node.label(0);
    for (int child = 0; child < node.children; child++, label++) {
      for (; label < node.label(child); label++) {
        bytes.put((byte) label);
      }
    }
  }

  /** At least one. */
  private static int bytesOf(long value) {
    return Long.BYTES - Long.numberOfLeadingZeros(value | 1) / Byte.SIZE;
  }
}
