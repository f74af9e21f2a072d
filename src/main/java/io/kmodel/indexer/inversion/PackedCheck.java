package io.kmodel.indexer.inversion;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Decodes lists of Lucene104PostingsFormat that came from a device, whose layout PostingsEncoder in
 * export.lucene.postings describes, and adds up their documents and positions. All sizes and places
 * are checked; impacts are passed over. Memory: 40 KiB. Not thread-safe.
 */
final class PackedCheck {
  private static final int BLOCK = BlockUnpacking.SIZE;
  private static final int GROUP = 32;

  private final PackedBytes docs;
  private final PackedBytes positions;
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

  /** Where the block of positions starts that is added up. */
  private long gapsStart;

  /** Of documents by their frequencies, and of positions, so far. */
  private long docSum;

  private long positionSum;

  /** A list that no encoder writes. */
  static final class DamagedException extends Exception {
    private static final long serialVersionUID = 1L;
  }

  PackedCheck(MemorySegment docs, MemorySegment positions, int documents) {
    this.docs = new PackedBytes(docs);
    this.positions = new PackedBytes(positions);
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
    return docs.isAtEnd() && positions.isAtEnd();
  }

  /**
   * Decodes the next list.
   *
   * @param docsStart where it starts; so does positionsStart
   * @param lastPositionsBlock where its last, incomplete block of positions starts, from its first;
   *     -1 if it is the first
   * @param only the document, if there is one
   * @throws DamagedException if documents or positions do not ascend or are not as many
   */
  void add(
      int docFreq,
      long totalTermFreq,
      long docsStart,
      long positionsStart,
      int lastPositionsBlock,
      int only)
      throws DamagedException {
    require(docs.place() == docsStart && positions.place() == positionsStart);
    positionsLeft = totalTermFreq;
    gapAt = 0;
    gapCount = 0;
    gapsStart = positionsStart;
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
    require(lastPositionsBlock == (totalTermFreq > BLOCK ? fullEnd() - positionsStart : -1));
  }

  /** The end of the full blocks of positions that are added up. */
  private long fullEnd() {
    return gapAt == BLOCK ? positions.place() : gapsStart;
  }

  private static void require(boolean holds) throws DamagedException {
    if (!holds) {
      throw new DamagedException();
    }
  }

  private void addDocs(int docFreq) throws DamagedException {
    int blocks = docFreq / BLOCK;
    int last = -1;
    Place blockPlace = new Place();
    Place groupPlace = new Place();
    for (int block = 0; block < blocks; block++) {
      if (block % GROUP == 0) {
        // The bytes and positions of the previous group, which ends here.
        groupPlace.requireEnd();
        groupPlace.clear();
        if (block + GROUP <= blocks) {
          docs.nextVariable();
          groupPlace.readBytes(docs.nextVariable());
          docs.nextShort();
          docs.pass(docs.nextShort());
          groupPlace.read();
        }
      }
      long headBytes = docs.nextVariable();
      long head = docs.place();
      long range = docs.nextVariable15();
      blockPlace.readBytes(docs.nextVariable15());
      docs.pass(docs.nextVariable());
      blockPlace.read();
      require(docs.place() == head + headBytes);
      readBlock(range);
      int first = last;
      last = addBlock(last, BLOCK);
      require(last - first == range);
      blockPlace.requireEnd();
    }
    groupPlace.requireEnd();
    int rest = docFreq % BLOCK;
    readRest(rest);
    addBlock(last, rest);
  }

  /** Where documents and positions of a block or of a group end, by its head. */
  private final class Place {
    private boolean isKnown;
    private long docsEnd;
    private long bytes;
    private int inBlock;

    /** The end of the positions before. */
    private long before = fullEnd();

    void clear() {
      isKnown = false;
    }

    void readBytes(long count) {
      docsEnd = docs.place() + count;
    }

    void read() {
      bytes = docs.nextVariable();
      inBlock = docs.next();
      isKnown = true;
    }

    void requireEnd() throws DamagedException {
      if (isKnown) {
        require(docs.place() == docsEnd);
        require(inBlock == gapAt % BLOCK);
        require(fullEnd() - before == bytes);
        before = fullEnd();
      }
    }
  }

  /** Reads a full block of gaps and frequencies. */
  private void readBlock(long range) {
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
      for (long bits = docs.nextLong(); bits != 0; bits &= bits - 1) {
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
  private void readPatched(PackedBytes from, int[] to) {
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
      gaps[at] = docs.nextInt();
    }
    for (int i = 0; i < count; i++) {
      freqs[i] = (gaps[i] & 1) != 0 ? 1 : docs.nextInt();
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
    if (freq == 1) {
      int position = positionGaps[gapAt++];
      require(position >= 0);
      positionSum += position;
      return;
    }
    // Positions count from zero, so the first may be zero; as a gap, count it from -1.
    positionGaps[gapAt]++;
    long position = -1;
    long sum = 0;
    int wrong = 0;
    for (long left = freq; left > 0; ) {
      if (gapAt == gapCount) {
        readPositions();
      }
      int until = (int) Math.min(gapCount, gapAt + left);
      left -= until - gapAt;
      for (int i = gapAt; i < until; i++) {
        int gap = positionGaps[i];
        wrong |= gap - 1;
        position += gap;
        sum += position;
      }
      gapAt = until;
    }
    positionSum += sum;
    require(wrong >= 0);
  }

  private void readPositions() {
    gapAt = 0;
    gapCount = (int) Math.min(BLOCK, positionsLeft);
    positionsLeft -= gapCount;
    gapsStart = positions.place();
    if (gapCount == BLOCK) {
      readPatched(positions, positionGaps);
    } else {
      for (int i = 0; i < gapCount; i++) {
        positionGaps[i] = positions.nextInt();
      }
    }
  }
}
