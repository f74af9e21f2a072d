package io.kmodel.indexer.inversion;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * Decodes lists of Lucene104PostingsFormat that came from a device, whose layout PostingsEncoder in
 * export.lucene.postings describes, and adds up their documents and positions. Impacts are passed
 * over. Memory: 6 KiB. Not thread-safe.
 */
final class PackedCheck {
  private static final int BLOCK = BlockUnpacking.SIZE;
  private static final int GROUP = 32;

  private final Bytes docs;
  private final Bytes positions;
  private final int documents;
  private final BlockUnpacking unpacking = new BlockUnpacking();
  private final int[] packed = new int[BLOCK];
  private final int[] gaps = new int[BLOCK];
  private final int[] freqs = new int[BLOCK];
  private final int[] positionGaps = new int[BLOCK];

  /** Positions of the term that are not decoded yet, and those that are not added up yet. */
  private long positionsLeft;

  private int gapAt;
  private int gapCount;

  /** Of documents by their frequencies, and of positions, so far. */
  private long docSum;

  private long positionSum;

  /** A list that no encoder writes. */
  static final class DamagedException extends Exception {
    private static final long serialVersionUID = 1L;
  }

  /** Reads one of the two files. */
  private static final class Bytes {
    final MemorySegment memory;
    long at;

    Bytes(MemorySegment memory) {
      this.memory = memory;
    }

    int next() {
      return memory.get(ValueLayout.JAVA_BYTE, at++) & 0xFF;
    }

    int nextShort() {
      return next() | next() << Byte.SIZE;
    }

    long nextVariable() {
      long value = 0;
      for (int shift = 0; ; shift += 7) {
        int seven = next();
        value |= (long) (seven & 0x7F) << shift;
        if (seven < 0x80) {
          return value;
        }
      }
    }

    /** A number of two bytes, or more if their highest bit is set. */
    long nextVariable15() {
      int low = nextShort();
      return low < 1 << 15 ? low : (low & 0x7FFF) | nextVariable() << 15;
    }

    void pass(long bytes) {
      at += bytes;
    }

    void nextInts(int[] to, int count) {
      MemorySegment.copy(memory, ValueLayout.JAVA_INT_UNALIGNED, at, to, 0, count);
      at += (long) Integer.BYTES * count;
    }
  }

  PackedCheck(MemorySegment docs, MemorySegment positions, int documents) {
    this.docs = new Bytes(docs);
    this.positions = new Bytes(positions);
    this.documents = documents;
  }

  /** The sum of the documents of all tokens so far. */
  long docSum() {
    return docSum;
  }

  /** The sum of the positions of all tokens so far. */
  long positionSum() {
    return positionSum;
  }

  /** Whether everything was read. */
  boolean isAtEnd() {
    return docs.at == docs.memory.byteSize() && positions.at == positions.memory.byteSize();
  }

  /**
   * Decodes the next list.
   *
   * @param docsStart where it starts; so does positionsStart
   * @param only the document, if there is one
   * @throws DamagedException if documents or positions do not ascend or are not as many
   */
  void add(int docFreq, long totalTermFreq, long docsStart, long positionsStart, int only)
      throws DamagedException {
    require(docs.at == docsStart && positions.at == positionsStart);
    positionsLeft = totalTermFreq;
    gapAt = 0;
    gapCount = 0;
    try {
      if (docFreq == 1) {
        addPositions(only, totalTermFreq);
      } else {
        addDocs(docFreq);
      }
    } catch (IndexOutOfBoundsException e) {
      throw new DamagedException();
    }
    require(positionsLeft == 0 && gapAt == gapCount);
  }

  private static void require(boolean holds) throws DamagedException {
    if (!holds) {
      throw new DamagedException();
    }
  }

  private void addDocs(int docFreq) throws DamagedException {
    int blocks = docFreq / BLOCK;
    int last = -1;
    for (int block = 0; block < blocks; block++) {
      if (block % GROUP == 0 && block + GROUP <= blocks) {
        docs.nextVariable();
        docs.nextVariable();
        docs.pass(docs.nextShort());
      }
      readBlock();
      last = addBlock(last, BLOCK);
    }
    int rest = docFreq % BLOCK;
    readRest(rest);
    addBlock(last, rest);
  }

  /** Reads a full block of gaps and frequencies. */
  private void readBlock() {
    docs.nextVariable();
    long range = docs.nextVariable15();
    docs.nextVariable15();
    docs.pass(docs.nextVariable());
    docs.nextVariable();
    docs.next();
    int kind = (byte) docs.next();
    if (kind == 0) {
      Arrays.fill(gaps, 1);
    } else if (kind > 0) {
      docs.nextInts(packed, BlockUnpacking.packedWords(kind));
      unpacking.unpack(packed, kind, gaps);
    } else {
      readBitmap(-kind, range);
    }
    readPatched(docs, freqs);
  }

  private void readBitmap(int words, long range) {
    int found = 0;
    long before = -1;
    for (int word = 0; word < words; word++) {
      long bits = docs.memory.get(ValueLayout.JAVA_LONG_UNALIGNED, docs.at);
      docs.at += Long.BYTES;
      for (; bits != 0; bits &= bits - 1) {
        long at = (long) Long.SIZE * word + Long.numberOfTrailingZeros(bits);
        gaps[found++] = (int) (at - before);
        before = at;
      }
    }
    // Too few documents, or not up to the last: the gaps of an earlier block must not stand.
    if (found < BLOCK || before != range - 1) {
      Arrays.fill(gaps, 0);
    }
  }

  /** Reads numbers, some of which may have more bits than the others. */
  private void readPatched(Bytes from, int[] to) {
    int head = from.next();
    int bits = head & 31;
    if (bits == 0) {
      Arrays.fill(to, (int) from.nextVariable());
    } else {
      from.nextInts(packed, BlockUnpacking.packedWords(bits));
      unpacking.unpack(packed, bits, to);
    }
    for (int outlier = head >>> 5; outlier > 0; outlier--) {
      int at = from.next();
      to[at] |= from.next() << bits;
    }
  }

  /** Reads the documents behind the full blocks. */
  private void readRest(int count) {
    int at = 0;
    for (; count - at >= 4; at += 4) {
      int lengths = docs.next();
      for (int i = 0; i < 4; i++) {
        int bytes = 1 + ((lengths >>> (6 - 2 * i)) & 3);
        int value = 0;
        for (int b = 0; b < bytes; b++) {
          value |= docs.next() << (Byte.SIZE * b);
        }
        gaps[at + i] = value;
      }
    }
    for (; at < count; at++) {
      gaps[at] = (int) docs.nextVariable();
    }
    for (int i = 0; i < count; i++) {
      freqs[i] = (gaps[i] & 1) != 0 ? 1 : (int) docs.nextVariable();
      gaps[i] >>>= 1;
    }
  }

  /** Adds documents behind the last one, and returns the new last one. */
  private int addBlock(int last, int count) throws DamagedException {
    int doc = last;
    for (int i = 0; i < count; i++) {
      require(gaps[i] > 0 && gaps[i] < documents - doc);
      doc += gaps[i];
      addPositions(doc, freqs[i]);
    }
    return doc;
  }

  private void addPositions(int doc, long freq) throws DamagedException {
    require(freq > 0 && freq <= positionsLeft + gapCount - gapAt);
    docSum += doc * freq;
    if (gapAt == gapCount) {
      readPositions();
    }
    // Positions count from zero, so the first may be zero; as a gap, count it from -1.
    positionGaps[gapAt]++;
    long position = -1;
    int wrong = 0;
    for (long left = freq; left > 0; ) {
      if (gapAt == gapCount) {
        readPositions();
      }
      int until = (int) Math.min(gapCount, gapAt + left);
      left -= until - gapAt;
      for (; gapAt < until; gapAt++) {
        wrong |= positionGaps[gapAt] - 1;
        position += positionGaps[gapAt];
        positionSum += position;
      }
    }
    require(wrong >= 0);
  }

  private void readPositions() {
    gapAt = 0;
    gapCount = (int) Math.min(BLOCK, positionsLeft);
    positionsLeft -= gapCount;
    if (gapCount == BLOCK) {
      readPatched(positions, positionGaps);
    } else {
      for (int i = 0; i < gapCount; i++) {
        positionGaps[i] = (int) positions.nextVariable();
      }
    }
  }
}
