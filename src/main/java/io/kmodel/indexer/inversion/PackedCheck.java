package io.kmodel.indexer.inversion;

import com.google.common.primitives.Ints;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Decodes lists of Lucene104PostingsFormat that came from a device, whose layout PostingsEncoder in
 * export.lucene.postings describes, and adds up their documents and positions. All sizes and places
 * are checked; impacts are passed over. Memory: 45 KiB. Not thread-safe.
 */
final class PackedCheck {
  private static final int BLOCK = BlockUnpacking.SIZE;
  private static final int GROUP = 32;

  private final PackedBytes docs;
  private final PackedPositions positions;
  private final int documents;
  private final BlockUnpacking unpacking = new BlockUnpacking();
  private final int[] packed = new int[BLOCK];
  private final int[] gaps = new int[BLOCK];
  private final int[] freqs = new int[BLOCK];

  /** Of documents by their frequencies, so far. */
  private long docSum;

  /** A list that no encoder writes. */
  static final class DamagedException extends Exception {
    private static final long serialVersionUID = 1L;
  }

  PackedCheck(MemorySegment docs, MemorySegment positions, int documents) {
    this.docs = new PackedBytes(docs);
    this.positions = new PackedPositions(positions, unpacking);
    this.documents = documents;
  }

  /** The sum of the documents of all tokens so far. */
  long docSum() {
    return docSum;
  }

  /** The sum of the positions of all tokens so far. */
  long positionSum() {
    return positions.sum();
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
    positions.start(totalTermFreq);
    try {
      if (docFreq == 1) {
        gaps[0] = only + 1;
        freqs[0] = Ints.checkedCast(totalTermFreq);
        addBlock(-1, 1);
      } else {
        addDocs(docFreq);
      }
    } catch (IndexOutOfBoundsException e) {
      throw new DamagedException();
    }
    require(positions.isComplete() && positions.ascend());
    require(lastPositionsBlock == (totalTermFreq > BLOCK ? positions.fullBytes() : -1));
  }

  private static void require(boolean holds) throws DamagedException {
    if (!holds) {
      throw new DamagedException();
    }
  }

  private void addDocs(int docFreq) throws DamagedException {
    int blocks = docFreq / BLOCK;
    int last = blocks == 0 ? -1 : addBlocks(blocks);
    int rest = docFreq % BLOCK;
    readRest(rest);
    addBlock(last, rest);
  }

  private int addBlocks(int blocks) throws DamagedException {
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
    return last;
  }

  /** Where documents and positions of a block or of a group end, by its head. */
  private final class Place {
    private boolean isKnown;
    private long docsEnd;
    private long bytes;
    private int inBlock;

    /** The bytes of positions before. */
    private long before = positions.fullBytes();

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
        require(inBlock == positions.inBlock());
        require(positions.fullBytes() - before == bytes);
        before = positions.fullBytes();
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
    docs.nextPatched(unpacking, freqs);
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

  /** Reads the documents behind the full blocks. */
  private void readRest(int count) {
    docs.nextGroups(gaps, count);
    for (int i = 0; i < count; i++) {
      freqs[i] = (gaps[i] & 1) != 0 ? 1 : docs.nextInt();
      gaps[i] >>>= 1;
    }
  }

  /** Adds documents behind the last one, and returns the new last one. */
  private int addBlock(int last, int count) throws DamagedException {
    long doc = last;
    long sum = 0;
    int signs = 0;
    for (int i = 0; i < count; i++) {
      signs |= (gaps[i] - 1) | (freqs[i] - 1);
      doc += gaps[i];
      sum += doc * freqs[i];
    }
    require(signs >= 0 && doc < documents);
    docSum += sum;
    positions.add(freqs, count);
    return (int) doc;
  }
}
