package io.kmodel.indexer.export.lucene;

import io.kmodel.indexer.index.Detail;
import io.kmodel.indexer.index.PostingsCursor;
import java.io.IOException;
import java.util.Objects;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat.IntBlockTermState;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.IndexOutput;
import org.jspecify.annotations.Nullable;

/**
 * Encodes the positions of lists, and their offsets, for {@link PostingsEncoder}:
 *
 * <pre>
 * .pos := positionGaps{256}* tail      .pay := { startGaps{256} lengths{256} }*
 * </pre>
 *
 * Blocks are packed; a tail has integers of variable length, offsets included. Memory: 6 KiB, and
 * what waits to be written, some 16 KiB each. Not thread-safe.
 */
final class PositionsEncoder {
  private static final int BLOCK = BlockPacking.SIZE;
  private static final int STARTS = PostingsCursor.STARTS;
  private static final int LENGTHS = PostingsCursor.LENGTHS;

  private final @Nullable IndexOutput positionsOut;
  private final @Nullable IndexOutput offsetsOut;
  private final BlockPacking packing;

  /** What goes to the outputs next. */
  private final EncodedBytes positionsBytes = new EncodedBytes();

  private final EncodedBytes offsetsBytes = new EncodedBytes();

  /** Positions handed out, and those of them that were not added, in columns. */
  private final int[] deltas = new int[PostingsCursor.COLUMNS];

  private int deltaAt;
  private int deltaCount;

  /** The positions that are not encoded yet, in columns. */
  private final int[] waiting = new int[PostingsCursor.COLUMNS];

  private int count;
  private Detail detail = Detail.DOCUMENTS;

  /** How far the files go. */
  static final class Ends {
    private long positions;
    private long offsets;
  }

  /**
   * Appends to outputs that have their headers.
   *
   * @param positions null where no field has such
   * @param offsets null where no field has such
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

  /** Notes where the files end. */
  void note(Ends ends) {
    ends.positions = end(positionsOut, positionsBytes);
    ends.offsets = end(offsetsOut, offsetsBytes);
  }

  /** Begins a list, of which its state is told where it begins. */
  void begin(IntBlockTermState state) {
    state.posStartFP = end(positionsOut, positionsBytes);
    state.payStartFP = end(offsetsOut, offsetsBytes);
  }

  private static long end(@Nullable IndexOutput out, EncodedBytes waiting) {
    return out == null ? 0 : out.getFilePointer() + waiting.size();
  }

  /** Says that a stream has handed out documents, whose positions follow. */
  void documentsFollow() {
    deltaAt = 0;
    deltaCount = 0;
  }

  /**
   * Adds so many positions of documents that the stream handed out.
   *
   * @param isAll whether these are all of them
   * @throws CorruptIndexException if there are fewer, or they do not ascend in a document
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
      throw corrupt("fewer positions than the frequencies say");
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

  /** That no gap of those that wait is negative. */
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
   * Puts where the positions and offsets of the next documents begin, counted from ends that were
   * noted, and notes these.
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

  /** Encodes what is left of a list, whose number of positions the state has. */
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

  /** The occurrences of the tail: a start's gap tells whether the length is another one. */
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

  /** Writes what waits to be written. */
  void flush() throws IOException {
    if (positionsOut != null) {
      positionsBytes.moveTo(positionsOut);
    }
    if (offsetsOut != null) {
      offsetsBytes.moveTo(offsetsOut);
    }
  }
}
