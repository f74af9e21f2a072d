package io.kmodel.indexer.inversion;

import io.kmodel.indexer.memory.OffHeap;
import java.lang.foreign.MemorySegment;

/**
 * The lengths of a block's parts in tokens, as ints from a device: those of the fields of the first
 * document, then of the second.
 */
record PartLengths(MemorySegment memory, int fields) {
  static long bytes(TextBlock block) {
    return (long) Integer.BYTES * block.partCount();
  }

  int count() {
    return (int) (memory.byteSize() / Integer.BYTES);
  }

  int length(int part) {
    return OffHeap.getInt(memory.address() + (long) Integer.BYTES * part);
  }

  int length(int number, int docId) {
    return length(docId * fields + number);
  }

  /** The sum of the documents of all tokens. */
  long docSum() {
    long sum = 0;
    for (int part = 0; part < count(); part++) {
      sum += (long) length(part) * (part / fields);
    }
    return sum;
  }

  /** The sum of the positions of all tokens. */
  long positionSum() {
    long sum = 0;
    for (int part = 0; part < count(); part++) {
      long length = length(part);
      sum += length * (length - 1) / 2;
    }
    return sum;
  }

  /** The tokens of all parts; negative if a length is. */
  long sum() {
    long sum = 0;
    long all = 0;
    for (int part = 0; part < count(); part++) {
      sum += length(part);
      all |= length(part);
    }
    return all < 0 ? -1 : sum;
  }
}
