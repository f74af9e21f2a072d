package io.kmodel.indexer.export.lucene.postings;

import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.PostingsCursor;
import java.io.IOException;
import java.util.Objects;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat.IntBlockTermState;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.IndexOutput;
import org.jspecify.annotations.Nullable;

/**
 * Encodes the positions of lists and their offsets for {@link PostingsEncoder}:
 *
 * <pre>
 * .pos := positionGaps{256}* tail      .pay := { startGaps{256} lengths{256} }*
 * </pre>
 *
 * Blocks are packed; a tail has variable-length integers, including offsets. Memory: 6 KiB, and
 * about 16 KiB of pending output per file. Not thread-safe.
 */
final class PositionsEncoder {
  private static final int BLOCK = BlockPacking.SIZE;
  private static final int STARTS = PostingsCursor.STARTS;
  private static final int LENGTHS = PostingsCursor.LENGTHS;

  private final @Nullable IndexOutput positionsOut;
  private final @Nullable IndexOutput offsetsOut;
  private final BlockPacking packing;

  /** Pending output. */
  private final EncodedBytes positionsBytes = new EncodedBytes();

  private final EncodedBytes offsetsBytes = new EncodedBytes();

  /** Positions read from the stream, in columns, some of which are not added yet. */
  private final int[] deltas = new int[PostingsCursor.COLUMNS];

  private int deltaAt;
  private int deltaCount;

  /** Positions not encoded yet, in columns. */
  private final int[] waiting = new int[PostingsCursor.COLUMNS];

  private int count;
  private Detail detail = Detail.DOCUMENTS;

  /** The current ends of the files. */
  static final class Ends {
    private long positions;
    private long offsets;
  }

  /**
   * Appends to outputs that already have their headers.
   *
   * @param positions null if no field has positions
   * @param offsets null if no field has offsets
   */
  PositionsEncoder(
      @Nullable IndexOutput positions, @Nullable IndexOutput offsets, BlockPacking packing) {
    this.positionsOut = positions;
    this.offsetsOut = offsets;
    this.packing = packing;
  }

  void setField(Detail detail) {
    this.detail = detail;
  }

  /** Stores the current ends of the files. */
  void note(Ends ends) {
    ends.positions = end(positionsOut, positionsBytes);
    ends.offsets = end(offsetsOut, offsetsBytes);
  }

  /** Starts a list and stores its start offsets in the state. */
  void begin(IntBlockTermState state) {
    state.posStartFP = end(positionsOut, positionsBytes);
    state.payStartFP = end(offsetsOut, offsetsBytes);
  }

  private static long end(@Nullable IndexOutput out, EncodedBytes waiting) {
    return out == null ? 0 : out.getFilePointer() + waiting.size();
  }

  /** Must be called after the stream has returned documents, before their positions are added. */
  void documentsFollow() {
    deltaAt = 0;
    deltaCount = 0;
  }

  /**
   * Adds positions of documents that the stream returned.
   *
   * @param more number of positions
   * @param isAll whether these are all positions of the documents
   * @throws CorruptIndexException if there are fewer, or they do not ascend within a document
   */
  void add(PostingsStream stream, long more, boolean isAll) throws IOException {
    for (long left = more; left > 0; ) {
      if (isAll && count == 0 && deltaAt == deltaCount) {
        count = handedOut(stream.nextPositions(waiting));
        left -= count;
      } else {
        if (deltaAt == deltaCount) {
          deltaCount = handedOut(stream.nextPositions(deltas));
          deltaAt = 0;
        }
        int added = (int) Math.min(left, Math.min(deltaCount - deltaAt, BLOCK - count));
        copy(added);
        left -= added;
      }
      if (count == BLOCK) {
        finishBlock();
      }
    }
  }

  private int handedOut(int positions) throws IOException {
    if (positions == 0) {
      throw corrupt("fewer positions than the sum of frequencies");
    }
    return positions;
  }

  private void copy(int added) {
    System.arraycopy(deltas, deltaAt, waiting, count, added);
    if (detail.hasOffsets()) {
      System.arraycopy(deltas, STARTS + deltaAt, waiting, STARTS + count, added);
      System.arraycopy(deltas, LENGTHS + deltaAt, waiting, LENGTHS + count, added);
    }
    deltaAt += added;
    count += added;
  }

  private void finishBlock() throws IOException {
    checkGaps();
    packing.packPatched(waiting, positionsBytes);
    if (detail.hasOffsets()) {
      System.arraycopy(waiting, STARTS, waiting, 0, BLOCK);
      packing.packPatched(waiting, offsetsBytes);
      System.arraycopy(waiting, LENGTHS, waiting, 0, BLOCK);
      packing.packPatched(waiting, offsetsBytes);
    }
    count = 0;
    writeFull();
  }

  /** Checks that no pending gap is negative. */
  private void checkGaps() throws IOException {
    int union = 0;
    for (int i = 0; i < count; i++) {
      union |= waiting[i];
    }
    if (union < 0) {
      throw corrupt("positions do not ascend");
    }
  }

  private CorruptIndexException corrupt(String what) {
    return new CorruptIndexException(what, Objects.toString(positionsOut));
  }

  /**
   * Writes where the positions and offsets of the next documents start, relative to {@code before},
   * and updates {@code before}.
   */
  void putPlaces(EncodedBytes out, Ends before) {
    if (detail.hasPositions()) {
      long positions = before.positions;
      long offsets = before.offsets;
      note(before);
      out.putVLong(before.positions - positions);
      out.put((byte) count);
      if (detail.hasOffsets()) {
        out.putVLong(before.offsets - offsets);
        out.putVInt(0); // bytes of payloads
      }
    }
  }

  /** Encodes the rest of a list; the state holds its number of positions. */
  void finish(IntBlockTermState state) throws IOException {
    boolean hasBlocks = detail.hasPositions() && state.totalTermFreq > BLOCK;
    state.lastPosBlockOffset =
        hasBlocks ? end(positionsOut, positionsBytes) - state.posStartFP : -1;
    checkGaps();
    if (detail.hasOffsets()) {
      putOccurrences();
    } else {
      positionsBytes.putVInts(waiting, count);
    }
    count = 0;
    writeFull();
  }

  /** Writes the occurrences of the tail; a bit of a start's gap says whether the length changes. */
  private void putOccurrences() {
    int previous = -1;
    for (int i = 0; i < count; i++) {
      positionsBytes.putVInt(waiting[i]);
      int startGap = waiting[STARTS + i];
      int length = waiting[LENGTHS + i];
      if (length == previous) {
        positionsBytes.putVInt(startGap << 1);
      } else {
        positionsBytes.putVInt((startGap << 1) | 1);
        positionsBytes.putVInt(length);
        previous = length;
      }
    }
  }

  private void writeFull() throws IOException {
    if (positionsBytes.isMuch() || offsetsBytes.isMuch()) {
      flush();
    }
  }

  /** Writes the pending output. */
  void flush() throws IOException {
    if (positionsOut != null) {
      positionsBytes.moveTo(positionsOut);
    }
    if (offsetsOut != null) {
      offsetsBytes.moveTo(offsetsOut);
    }
  }
}
