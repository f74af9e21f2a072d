package io.kmodel.indexer.run;

import io.kmodel.indexer.index.Schema;
import io.kmodel.indexer.memory.OffHeap;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Where the tokens of a run stand, for which their keys have no bits: position, start and length of
 * each, in order of arrival. The keys of such a run hold a token's number within its document where
 * others hold its position, so that what is here is found again when they are sorted. Memory: what
 * it is given, 12 bytes a token. Not thread-safe.
 */
final class TokenPlaces {
  static final int ENTRY_BYTES = 12;

  private static final int START = 4;
  private static final int LENGTH = 8;

  private final long entries;

  /** Tokens of the current document. */
  private long count;

  /** Per field, in the current document. */
  private final int[] lastStarts;

  private TokenPlaces(long entries, int fields) {
    this.entries = entries;
    this.lastStarts = new int[fields];
  }

  /** At an address outside the heap; null where no field has offsets. */
  static @Nullable TokenPlaces of(Schema schema, long address) {
    return schema.hasOffsets() ? new TokenPlaces(address, schema.size()) : null;
  }

  void startDocument() {
    count = 0;
    Arrays.fill(lastStarts, 0);
  }

  /** Tokens of the current document so far. */
  long count() {
    return count;
  }

  /** Takes a token of the current document, given its number in the run. */
  void put(long token, int field, int position, int start, int end) {
    if (start < lastStarts[field] || end < start) {
      throw new IllegalArgumentException(
          "offsets must start at %d or later and not end before; got %d to %d"
              .formatted(lastStarts[field], start, end));
    }
    lastStarts[field] = start;
    count++;
    long entry = entry(token);
    OffHeap.putInt(entry, position);
    OffHeap.putInt(entry + START, start);
    OffHeap.putInt(entry + LENGTH, end - start);
  }

  /** What the other methods are told. */
  long entry(long token) {
    return entries + ENTRY_BYTES * token;
  }

  static int position(long entry) {
    return OffHeap.getInt(entry);
  }

  static int start(long entry) {
    return OffHeap.getInt(entry + START);
  }

  static int length(long entry) {
    return OffHeap.getInt(entry + LENGTH);
  }
}
