package io.kmodel.indexer.inversion;

import java.lang.foreign.MemorySegment;

/**
 * What came back from a device, in the memory of its block: the length of each part, a record for
 * each term in order, and the bytes of long terms; a subclass has the lists behind them.
 */
abstract class DeviceResult implements InvertedText {
  private final Sizes sizes;
  private final PartLengths lengths;
  private final MemorySegment records;
  private final MemorySegment longBytes;
  private final TermRecords terms;
  private final ResultMemory memory;

  /**
   * How much came back.
   *
   * @param longBytes bytes of long terms
   * @param positions the sum of all positions; {@link #OF_LENGTHS} if the lengths give it, because
   *     there are no stop words
   */
  record Sizes(long tokens, long terms, long longBytes, long positions) {
    static final long OF_LENGTHS = -1;

    /** Whether a block has room for that and for lists of so many bytes. */
    boolean fit(TextBlock block, int recordBytes, long docs, long positions) {
      return ResultMemory.fits(
          block, PartLengths.bytes(block), recordBytes * terms, longBytes, docs, positions);
    }
  }

  /**
   * Divides the block's memory, which must have room.
   *
   * @param recordBytes of a record
   * @param longStartAt offset in a record of where the long term starts, see {@link TermRecords}
   */
  DeviceResult(TextBlock block, Sizes sizes, int recordBytes, int longStartAt) {
    this.sizes = sizes;
    this.memory = new ResultMemory(block);
    this.lengths = new PartLengths(memory.take(PartLengths.bytes(block)), block.fields());
    this.records = memory.take(recordBytes * sizes.terms);
    this.longBytes = memory.take(sizes.longBytes);
    this.terms = new TermRecords(records, recordBytes, longStartAt, longBytes);
  }

  /** Memory for lists. */
  final MemorySegment take(long bytes) {
    return memory.take(bytes);
  }

  /**
   * Checks it; until then nothing else of it may be used.
   *
   * @return the fault; empty if there is no fault
   */
  abstract String check();

  /** The sum of the positions of all tokens. */
  final long positionSum() {
    return sizes.positions == Sizes.OF_LENGTHS ? lengths.positionSum() : sizes.positions;
  }

  final PartLengths partLengths() {
    return lengths;
  }

  final TermRecords terms() {
    return terms;
  }

  final MemorySegment lengths() {
    return lengths.memory();
  }

  final MemorySegment records() {
    return records;
  }

  final MemorySegment longBytes() {
    return longBytes;
  }

  @Override
  public final long tokens() {
    return sizes.tokens;
  }

  @Override
  public final boolean byDevice() {
    return true;
  }

  @Override
  public final int length(int number, int docId) {
    return lengths.length(number, docId);
  }

  /** Does nothing: the memory is the block's. */
  @Override
  public final void close() {}
}
