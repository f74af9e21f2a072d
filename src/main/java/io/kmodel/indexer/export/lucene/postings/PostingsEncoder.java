package io.kmodel.indexer.export.lucene.postings;

import io.kmodel.indexer.export.lucene.schema.LengthNorms;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.PostingsCursor;
import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat.IntBlockTermState;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.IndexOutput;
import org.jspecify.annotations.Nullable;

/**
 * Encodes postings lists in Lucene104PostingsFormat, byte for byte like Lucene's own writer. While
 * Lucene's writer takes posting by posting, this one packs whole blocks from the cursor. A list is
 * a sequence of
 *
 * <pre>
 * .doc := { docsToNext:vint blocksBytes:vlong [short{2} impacts positionsAt] block{32} }* block* tail
 * block := headBytes:vlong docsToNext:vlong15 bytes:vlong15 [impactBytes:vlong impacts positionsAt]
 *          docGaps [freqs]
 * positionsAt := [posBytes:vlong posInBlock:byte [payBytes:vlong 0]]   // since the block before
 * </pre>
 *
 * where a block has 256 documents. Its gaps are packed, a bitmap, or omitted if all are one. The
 * tail has the remaining documents: gaps in groups of four, with a bit that says whether the
 * frequency is one, then the other frequencies. {@link PositionsEncoder} encodes positions. The
 * document of a term that has only one is in the term's state. Nothing is allocated per posting.
 * Memory: 16 KiB including positions, and pending output of up to 16 KiB, or twice 32 blocks. Not
 * thread-safe.
 */
final class PostingsEncoder {
  private static final int BLOCK = BlockPacking.SIZE;

  /** Documents of a group of blocks, which can be skipped together. */
  private static final int GROUP = Lucene104PostingsFormat.LEVEL1_NUM_DOCS;

  /** Maximum words of a bitmap; it takes at most a bit per document more than gaps would. */
  private static final int MAX_BITMAP_WORDS = BLOCK * Integer.SIZE / Long.SIZE;

  private final IndexOutput docsOut;
  private final BlockPacking packing = new BlockPacking();
  private final PositionsEncoder positions;
  private final long[] bitmap = new long[MAX_BITMAP_WORDS];

  /** Pending output. */
  private final EncodedBytes docsBytes = new EncodedBytes();

  /** Blocks of the term until their group is complete, and parts of a block. */
  private final EncodedBytes blocks = new EncodedBytes();

  private final EncodedBytes block = new EncodedBytes();
  private final EncodedBytes head = new EncodedBytes();

  /** Documents read from a cursor. */
  private final int[] nextDocs = new int[PostingsCursor.BLOCK];

  private final int[] nextFreqs = new int[PostingsCursor.BLOCK];

  /** Whether they were read into the current block instead. */
  private boolean nextAreInBlock;

  /** The current block, with docCount documents. */
  private final int[] docs = new int[BLOCK];

  private final int[] freqs = new int[BLOCK];
  private final int[] gaps = new int[BLOCK];
  private int docCount;

  /** Last document of the previous block and of the previous group; -1 before the first. */
  private int blockEnd;

  private int groupEnd;

  /** End of the positions of the previous block and of the previous group. */
  private final PositionsEncoder.Ends blockPositions = new PositionsEncoder.Ends();

  private final PositionsEncoder.Ends groupPositions = new PositionsEncoder.Ends();
  private final BlockImpacts blockImpacts = new BlockImpacts();
  private final BlockImpacts groupImpacts = new BlockImpacts();
  private final int[] maxima = new int[PostingsOutputs.MAXIMA];

  private Detail detail = Detail.DOCUMENTS;
  private @Nullable LengthNorms norms;

  /**
   * Appends to outputs that already have their headers.
   *
   * @param positions null if no field has positions
   * @param offsets null if no field has offsets
   */
  PostingsEncoder(
      IndexOutput docs, @Nullable IndexOutput positions, @Nullable IndexOutput offsets) {
    this.docsOut = docs;
    this.positions = new PositionsEncoder(positions, offsets, packing);
  }

  /**
   * Starts a field.
   *
   * @param norms null if it has none
   */
  void setField(Detail detail, @Nullable LengthNorms norms) {
    this.detail = detail;
    this.norms = norms;
    positions.setField(detail);
  }

  /** Maximum number of impacts of a block and their maximum bytes, and the same for a group. */
  int[] maxima() {
    return maxima;
  }

  /**
   * Encodes the list of the stream's current term.
   *
   * @throws CorruptIndexException if documents or positions do not ascend, or positions are
   *     missing. Lucene's limit of positions is not checked here, but where lists are created
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
          positions.add(stream, more, /* isAll= */ added == n);
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

  /** Writes the pending output. */
  void flush() throws IOException {
    docsBytes.moveTo(docsOut);
    positions.flush();
  }

  private void begin(IntBlockTermState state) {
    state.docStartFP = docsOut.getFilePointer() + docsBytes.size();
    positions.begin(state);
    blockEnd = -1;
    groupEnd = -1;
    positions.note(blockPositions);
    positions.note(groupPositions);
  }

  /** Reads the next documents, straight into the block if it is empty. */
  private int nextDocs(PostingsStream stream) throws IOException {
    nextAreInBlock = docCount == 0;
    positions.documentsFollow();
    return nextAreInBlock ? stream.nextDocs(docs, freqs) : stream.nextDocs(nextDocs, nextFreqs);
  }

  /** Adds documents read to the block; returns the sum of their frequencies. */
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

  /** Encodes a full block, and its group if this is the last block of one. */
  private void finishBlock(boolean endsGroup) throws IOException {
    int last = docs[BLOCK - 1];
    if (detail.hasFrequencies()) {
      addImpacts();
      int impacts = blockImpacts.writeTo(head);
      raise(0, impacts, head.size());
      block.putVLong(head.size());
      head.moveTo(block);
      positions.putPlaces(block, blockPositions);
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
    for (int i = 0; i < BLOCK; i++) {
      blockImpacts.add(of == null ? 1 : of.norm(docs[i]), freqs[i]);
    }
  }

  /** Packs a full block's gaps, or a bitmap over the range if that takes little more. */
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
      positions.putPlaces(head, groupPositions);
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

  /** Encodes the rest after all documents were added. */
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
    if (state.docFreq >= BLOCK) {
      groupImpacts.clear();
    }
    writeFull();
    positions.finish(state);
  }

  private void writeFull() throws IOException {
    if (docsBytes.isMuch()) {
      docsBytes.moveTo(docsOut);
    }
  }

  /** Writes the documents of the tail; a bit of a gap says whether the frequency is one. */
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
}
