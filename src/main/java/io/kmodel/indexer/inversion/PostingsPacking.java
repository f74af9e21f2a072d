package io.kmodel.indexer.inversion;

import io.kmodel.indexer.gpu.GpuKernel;
import io.kmodel.indexer.gpu.GpuStream;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.inversion.DeviceBlock.Field;

/**
 * Queues the kernels that encode sorted keys for Lucene, see kernels/inversion/postings.cuh.
 *
 * @param keysIn which of the two buffers has the keys; the other one gets the encoded lists
 */
record PostingsPacking(GpuStream stream, DeviceBlock on, long tokens, long terms, int keysIn) {
  private static final int BLOCK = PostingsCursor.BLOCK;
  private static final int WARPS = DeviceBlock.THREADS / 32;
  private static final int ALIGNMENT = 256;

  /** Finds the postings and the full blocks of each term, and computes all sizes. */
  void measure() {
    long keyTiles = tokens / DeviceBlock.ITEMS + 1;
    stream.launch(DeviceBlock.COUNT_HEADS, keyTiles, on.struct(), tokens, terms, keysIn);
    scan(Field.TILE_HEADS, keyTiles);
    stream.launch(DeviceBlock.WRITE_HEADS, keyTiles, on.struct(), tokens, terms, keysIn);
    stream.launch(DeviceBlock.COUNT_BLOCKS, DeviceBlock.perThread(terms), on.struct(), terms);
    scan(Field.DOC_BLOCK_FIRST, terms);
    scan(Field.POSITION_BLOCK_FIRST, terms);
    ofBlocks(DeviceBlock.SIZE_POSITIONS, fullBlocks(), terms, keysIn);
    scan(Field.POSITION_BLOCK_START, fullBlocks());
    ofBlocks(DeviceBlock.SIZE_DOCS, fullBlocks(), terms, keysIn);
    ofBlocks(DeviceBlock.SIZE_GROUPS, fullBlocks(), terms, keysIn);
    scan(Field.DOC_BLOCK_START, fullBlocks());
    stream.launch(DeviceBlock.SIZE_TERMS, DeviceBlock.perThread(terms), on.struct(), terms, keysIn);
    scan(Field.DOCS_START, terms);
    scan(Field.POSITIONS_START, terms);
    stream.launch(
        DeviceBlock.WRITE_RECORDS, DeviceBlock.perThread(terms), on.struct(), terms, keysIn);
  }

  /** Whether lists of these sizes fit into the free buffer. */
  boolean hasRoom(long docsBytes, long positionsBytes) {
    long room = on.bytes(free());
    return docsBytes >= 0
        && docsBytes <= room
        && positionsBytes >= 0
        && positionsBytes <= room - positionsAt(docsBytes);
  }

  /** Writes the lists. */
  void write(long docsBytes) {
    on.point(Field.DOCS, free(), 0);
    on.point(Field.POSITIONS, free(), positionsAt(docsBytes));
    ofBlocks(DeviceBlock.PACK_POSITIONS, terms, keysIn);
    ofBlocks(DeviceBlock.PACK_DOCS, terms, keysIn);
    ofBlocks(DeviceBlock.PACK_GROUPS, terms, keysIn);
    stream.launch(DeviceBlock.PACK_REST, DeviceBlock.perThread(terms), on.struct(), terms, keysIn);
  }

  /** Where the documents of the lists are in the memory of the device. */
  long docsPlace() {
    return on.place(free());
  }

  long positionsPlace(long docsBytes) {
    return on.place(free()) + positionsAt(docsBytes);
  }

  private static long positionsAt(long docsBytes) {
    return (docsBytes + ALIGNMENT - 1) & -ALIGNMENT;
  }

  private Field free() {
    return keysIn == 0 ? Field.KEYS_1 : Field.KEYS_0;
  }

  /** The most full blocks that there can be. */
  private long fullBlocks() {
    return tokens / BLOCK;
  }

  /** Launches with a warp for each full block that there can be. */
  private void ofBlocks(GpuKernel kernel, long... arguments) {
    if (fullBlocks() > 0) {
      stream.launch(kernel, Math.ceilDiv(fullBlocks(), WARPS), on.struct(), arguments);
    }
  }

  /** Replaces numbers by the sums of those before, and writes the sum of all behind the last. */
  private void scan(Field numbers, long count) {
    long tiles = count / DeviceBlock.SCAN_TILE + 1;
    long at = on.address(numbers);
    long sums = on.address(Field.TILE_SUMS);
    stream.launch(DeviceBlock.SUM_TILES, tiles, at, count, sums);
    stream.launch(DeviceBlock.SCAN_SUMS, 1, sums, tiles);
    stream.launch(DeviceBlock.SCAN_NUMBERS, tiles, at, count, sums);
  }
}
