package io.kmodel.indexer.export.lucene;

import io.kmodel.indexer.index.Detail;
import io.kmodel.indexer.index.PostingsCursor;
import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat.IntBlockTermState;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.IndexOutput;
import org.jspecify.annotations.Nullable;

/**
 * Encodes postings lists as Lucene104PostingsFormat has them, byte for byte as Lucene's own writer
 * does, which takes them posting by posting; here whole blocks go from the cursor into the packed
 * words. A list is a sequence of
 *
 * <pre>
 * .doc := { docsToNext:vint blocksBytes:vlong [short{2} impacts positionsAt] block{32} }* block* tail
 * block := headBytes:vlong docsToNext:vlong15 bytes:vlong15 [impactBytes:vlong impacts positionsAt]
 *          docGaps [freqs]
 * positionsAt := [posBytes:vlong posInBlock:byte [payBytes:vlong 0]]   // since the block before
 * .pos := positionGaps{256}* tail      .pay := { startGaps{256} lengths{256} }*
 * </pre>
 *
 * where a block is of 256 documents, its gaps are packed, a bitmap, or nothing if all are one, and
 * a tail has what is left: gaps and frequencies in groups of four, positions (and offsets) as
 * integers of variable length. One document alone is in its term's state. Nothing is allocated for
 * a posting. Memory: 16 KiB, and what waits to be written: up to 16 KiB, or 32 blocks twice. Not
 * thread-safe.
 */
final class PostingsEncoder {
  private static final int BLOCK = BlockPacking.SIZE;

  private static final int STARTS = PostingsCursor.STARTS;
  private static final int LENGTHS = PostingsCursor.LENGTHS;

  /** Documents of the blocks that can be skipped together. */
  private static final int GROUP = 32 * BLOCK;

  /** So many bytes are written at a time. */
  private static final int WRITE_BYTES = 1 << 14;

  /**
   * The most words of a bitmap, which takes less than a bit more for each document than gaps do.
   */
  private static final int MAX_BITMAP_WORDS = BLOCK * Integer.SIZE / Long.SIZE;

  private final IndexOutput docsOut;
  private final @Nullable IndexOutput positionsOut;
  private final @Nullable IndexOutput offsetsOut;
  private final BlockPacking packing = new BlockPacking();
  private final long[] bitmap = new long[MAX_BITMAP_WORDS];

  /** What goes to the outputs next. */
  private final PostingsBytes docsBytes = new PostingsBytes();

  private final PostingsBytes positionsBytes = new PostingsBytes();
  private final PostingsBytes offsetsBytes = new PostingsBytes();

  /** Blocks of the term that wait until all of their group are there, and parts of a block. */
  private final PostingsBytes blocks = new PostingsBytes();

  private final PostingsBytes block = new PostingsBytes();
  private final PostingsBytes head = new PostingsBytes();

  /** What a cursor hands out. */
  private final int[] nextDocs = new int[PostingsCursor.BLOCK];

  private final int[] nextFreqs = new int[PostingsCursor.BLOCK];

  /** Whether they are in the block in the making instead. */
  private boolean nextAreInBlock;

  /** Positions handed out, and those of them that were not added, in columns. */
  private final int[] deltas = new int[PostingsCursor.COLUMNS];

  private int deltaAt;
  private int deltaCount;

  /** The block in the making: its documents, of which there are so many. */
  private final int[] docs = new int[BLOCK];

  private final int[] freqs = new int[BLOCK];
  private final int[] gaps = new int[BLOCK];
  private int docCount;

  /** The positions that are not encoded yet, in columns. */
  private final int[] positions = new int[PostingsCursor.COLUMNS];

  private int positionCount;

  /** The last document of the block before, and of the group before; -1 before the first. */
  private int blockEnd;

  private int groupEnd;

  /** Where the positions and offsets of the block before end, and of the group before. */
  private final Places blockPlaces = new Places();

  private final Places groupPlaces = new Places();
  private final BlockImpacts blockImpacts = new BlockImpacts();
  private final BlockImpacts groupImpacts = new BlockImpacts();
  private final int[] maxima = new int[PostingsOutputs.MAXIMA];

  private Detail detail = Detail.DOCUMENTS;
  private @Nullable LengthNorms norms;

  /** In the files of positions and offsets. */
  private static final class Places {
    private long positions;
    private long offsets;
  }

  /**
   * Appends to outputs that have their headers.
   *
   * @param positions null where no field has such
   * @param offsets null where no field has such
   */
  PostingsEncoder(
      IndexOutput docs, @Nullable IndexOutput positions, @Nullable IndexOutput offsets) {
    this.docsOut = docs;
    this.positionsOut = positions;
    this.offsetsOut = offsets;
  }

  /**
   * Begins a field.
   *
   * @param norms null if it has none
   */
  void setField(Detail detail, @Nullable LengthNorms norms) {
    this.detail = detail;
    this.norms = norms;
  }

  /** The most impacts of a block, their most bytes, and the same of a group. */
  int[] maxima() {
    return maxima;
  }

  /**
   * Encodes the list of the term that a stream stands on.
   *
   * @throws CorruptIndexException if documents or positions do not ascend, or positions are
   *     missing; that a position is not above Lucene's limit, whoever made the list has seen to
   */
  IntBlockTermState encode(PostingsStream stream) throws IOException {
    IntBlockTermState state = new IntBlockTermState();
    begin(state);
    int docFreq = 0;
    long occurrences = 0;
    for (int n; (n = nextDocs(stream)) > 0; ) {
      for (int from = 0; from < n; ) {
        int added = Math.min(n - from, BLOCK - docCount);
        long more = addDocs(from, added);
        docFreq += added;
        occurrences += more;
        if (detail.hasPositions()) {
          addPositions(stream, more, /* isAll= */ added == n);
        }
        if (docCount == BLOCK) {
          finishBlock(docFreq % GROUP == 0);
        }
        from += added;
      }
    }
    state.docFreq = docFreq;
    state.totalTermFreq = detail.hasFrequencies() ? occurrences : -1;
    finish(state);
    return state;
  }

  /** Writes what waits to be written. */
  void flush() throws IOException {
    docsBytes.moveTo(docsOut);
    if (positionsOut != null) {
      positionsBytes.moveTo(positionsOut);
    }
    if (offsetsOut != null) {
      offsetsBytes.moveTo(offsetsOut);
    }
  }

  private void begin(IntBlockTermState state) {
    state.docStartFP = docsOut.getFilePointer() + docsBytes.size();
    state.posStartFP = positionsEnd();
    state.payStartFP = offsetsEnd();
    blockEnd = -1;
    groupEnd = -1;
    note(blockPlaces);
    note(groupPlaces);
  }

  private long positionsEnd() {
    return positionsOut == null ? 0 : positionsOut.getFilePointer() + positionsBytes.size();
  }

  private long offsetsEnd() {
    return offsetsOut == null ? 0 : offsetsOut.getFilePointer() + offsetsBytes.size();
  }

  private void note(Places places) {
    places.positions = positionsEnd();
    places.offsets = offsetsEnd();
  }

  /** Has the next documents handed out: where the block is empty, straight into that. */
  private int nextDocs(PostingsStream stream) throws IOException {
    nextAreInBlock = docCount == 0;
    deltaAt = 0;
    deltaCount = 0;
    return nextAreInBlock ? stream.nextDocs(docs, freqs) : stream.nextDocs(nextDocs, nextFreqs);
  }

  /** Adds documents that were handed out to the block, and returns their frequencies' sum. */
  private long addDocs(int from, int count) {
    if (!nextAreInBlock) {
      System.arraycopy(nextDocs, from, docs, docCount, count);
      System.arraycopy(nextFreqs, from, freqs, docCount, count);
    }
    long sum = 0;
    for (int i = docCount; i < docCount + count; i++) {
      sum += freqs[i];
    }
    docCount += count;
    return sum;
  }

  /**
   * Adds so many positions.
   *
   * @param isAll whether they are all of what the stream handed documents out of
   */
  private void addPositions(PostingsStream stream, long count, boolean isAll) throws IOException {
    for (long left = count; left > 0; ) {
      if (isAll && positionCount == 0 && deltaAt == deltaCount) {
        positionCount = handedOut(stream.nextPositions(positions));
        left -= positionCount;
      } else {
        if (deltaAt == deltaCount) {
          deltaCount = handedOut(stream.nextPositions(deltas));
          deltaAt = 0;
        }
        int added = (int) Math.min(left, Math.min(deltaCount - deltaAt, BLOCK - positionCount));
        copyPositions(added);
        left -= added;
      }
      if (positionCount == BLOCK) {
        finishPositions();
      }
    }
  }

  private int handedOut(int positions) throws IOException {
    if (positions == 0) {
      throw new CorruptIndexException("fewer positions than the frequencies say", docsOut);
    }
    return positions;
  }

  private void copyPositions(int count) {
    System.arraycopy(deltas, deltaAt, positions, positionCount, count);
    if (detail.hasOffsets()) {
      System.arraycopy(deltas, STARTS + deltaAt, positions, STARTS + positionCount, count);
      System.arraycopy(deltas, LENGTHS + deltaAt, positions, LENGTHS + positionCount, count);
    }
    deltaAt += count;
    positionCount += count;
  }

  /** Encodes a full block of positions. */
  private void finishPositions() throws IOException {
    checkGaps();
    packing.packPatched(positions, positionsBytes);
    if (detail.hasOffsets()) {
      System.arraycopy(positions, STARTS, positions, 0, BLOCK);
      packing.packPatched(positions, offsetsBytes);
      System.arraycopy(positions, LENGTHS, positions, 0, BLOCK);
      packing.packPatched(positions, offsetsBytes);
    }
    positionCount = 0;
    writeFull();
  }

  /** That no gap of those that wait is negative. */
  private void checkGaps() throws IOException {
    int union = 0;
    for (int i = 0; i < positionCount; i++) {
      union |= positions[i];
    }
    if (union < 0) {
      throw new CorruptIndexException("positions do not ascend", docsOut);
    }
  }

  private void writeFull() throws IOException {
    if (positionsBytes.size() >= WRITE_BYTES
        || docsBytes.size() >= WRITE_BYTES
        || offsetsBytes.size() >= WRITE_BYTES) {
      flush();
    }
  }

  /** Encodes a full block, and its group if it is the last of one. */
  private void finishBlock(boolean endsGroup) throws IOException {
    int last = docs[BLOCK - 1];
    if (detail.hasFrequencies()) {
      addImpacts();
      int impacts = blockImpacts.writeTo(head);
      raise(0, impacts, head.size());
      block.putVLong(head.size());
      head.moveTo(block);
      putPlaces(block, blockPlaces);
      groupImpacts.addAll(blockImpacts);
      blockImpacts.clear();
    }
    int beforeDocs = block.size();
    packDocs(last - blockEnd);
    if (detail.hasFrequencies()) {
      packing.packPatched(freqs, block);
    }
    head.putVLong15(last - blockEnd);
    head.putVLong15(block.size());
    blocks.putVLong(head.size() + beforeDocs);
    head.moveTo(blocks);
    block.moveTo(blocks);
    blockEnd = last;
    docCount = 0;
    if (endsGroup) {
      finishGroup(last);
    }
  }

  private void addImpacts() throws IOException {
    LengthNorms of = norms;
    if (of == null) {
      for (int i = 0; i < BLOCK; i++) {
        blockImpacts.add((byte) 1, freqs[i]);
      }
      return;
    }
    for (int i = 0; i < BLOCK; i++) {
      blockImpacts.add(of.norm(docs[i]), freqs[i]);
    }
  }

  /** Where positions and offsets of the next block begin, as of the block before; notes that. */
  private void putPlaces(PostingsBytes out, Places before) {
    if (detail.hasPositions()) {
      long positions = positionsEnd();
      out.putVLong(positions - before.positions);
      out.put((byte) positionCount);
      before.positions = positions;
      if (detail.hasOffsets()) {
        long offsets = offsetsEnd();
        out.putVLong(offsets - before.offsets);
        out.putVInt(0); // bytes of payloads
        before.offsets = offsets;
      }
    }
  }

  /** Packs a full block's gaps, or a bitmap of so many documents where that takes little more. */
  private void packDocs(int range) throws IOException {
    countGaps(BLOCK);
    if (range == BLOCK) {
      block.put((byte) 0);
      return;
    }
    int bits = BlockPacking.bits(gaps);
    if (BLOCK * Math.min(Integer.SIZE, bits + 1) <= range) {
      block.put((byte) bits);
      packing.pack(gaps, bits, block);
    } else {
      int words = (range + Long.SIZE - 1) / Long.SIZE;
      Arrays.fill(bitmap, 0, words, 0);
      for (int i = 0; i < BLOCK; i++) {
        int at = docs[i] - blockEnd - 1;
        bitmap[at / Long.SIZE] |= 1L << at;
      }
      block.put((byte) -words);
      block.putLongs(bitmap, words);
    }
  }

  private void countGaps(int count) throws IOException {
    gaps[0] = docs[0] - blockEnd;
    int union = gaps[0] - 1;
    for (int i = 1; i < count; i++) {
      int gap = docs[i] - docs[i - 1];
      gaps[i] = gap;
      union |= gap - 1;
    }
    if (union < 0) {
      throw new CorruptIndexException("documents do not ascend", docsOut);
    }
  }

  private void finishGroup(int last) throws IOException {
    docsBytes.putVInt(last - groupEnd);
    if (detail.hasFrequencies()) {
      int impacts = groupImpacts.writeTo(head);
      int impactBytes = head.size();
      raise(2, impacts, impactBytes);
      putPlaces(head, groupPlaces);
      docsBytes.putVLong(2L * Short.BYTES + head.size() + blocks.size());
      docsBytes.putShort(Short.BYTES + head.size());
      docsBytes.putShort(impactBytes);
      head.moveTo(docsBytes);
      groupImpacts.clear();
    } else {
      docsBytes.putVLong(blocks.size());
    }
    blocks.moveTo(docsBytes);
    groupEnd = last;
    writeFull();
  }

  private void raise(int at, int impacts, int bytes) {
    maxima[at] = Math.max(maxima[at], impacts);
    maxima[at + 1] = Math.max(maxima[at + 1], bytes);
  }

  /** Encodes what is left when all documents were added. */
  private void finish(IntBlockTermState state) throws IOException {
    state.singletonDocID = -1;
    if (state.docFreq == 1) {
      countGaps(1);
      state.singletonDocID = docs[0];
    } else {
      blocks.moveTo(docsBytes);
      putDocs();
    }
    docCount = 0;
    groupImpacts.clear();
    boolean skips = detail.hasPositions() && state.totalTermFreq > BLOCK;
    state.lastPosBlockOffset = skips ? positionsEnd() - state.posStartFP : -1;
    checkGaps();
    if (detail.hasOffsets()) {
      putOccurrences();
    } else {
      positionsBytes.putVInts(positions, positionCount);
    }
    positionCount = 0;
    writeFull();
  }

  /** The documents of the tail: a gap tells whether the frequency is one. */
  private void putDocs() throws IOException {
    int count = docCount;
    if (count == 0) {
      return;
    }
    countGaps(count);
    if (!detail.hasFrequencies()) {
      docsBytes.putGroups(gaps, count);
      return;
    }
    int more = 0;
    for (int i = 0; i < count; i++) {
      int freq = freqs[i];
      int isOne = freq == 1 ? 1 : 0;
      gaps[i] = (gaps[i] << 1) | isOne;
      freqs[more] = freq;
      more += 1 - isOne;
    }
    docsBytes.putGroups(gaps, count);
    docsBytes.putVInts(freqs, more);
  }

  /** The occurrences of the tail: a start's gap tells whether the length is another one. */
  private void putOccurrences() {
    int previous = -1;
    for (int i = 0; i < positionCount; i++) {
      positionsBytes.putVInt(positions[i]);
      int startGap = positions[STARTS + i];
      int length = positions[LENGTHS + i];
      if (length == previous) {
        positionsBytes.putVInt(startGap << 1);
      } else {
        positionsBytes.putVInt((startGap << 1) | 1);
        positionsBytes.putVInt(length);
        previous = length;
      }
    }
  }
}
