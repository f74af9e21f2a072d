package io.kmodel.indexer.run;

import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.memory.OffHeap;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Position, start and length of the tokens of a run with offsets, which have no room in the keys,
 * in the order in which tokens were added. The keys of such a run have a token's number within its
 * document instead of its position, so that its entry is found after the sort. Memory: 12 bytes a
 * token, of what it is given. Not thread-safe.
 */
final class TokenPlaces {
  static final int ENTRY_BYTES = 12;

  private static final int START = 4;
  private static final int LENGTH = 8;

  private final long entries;

  /** Tokens of the current document. */
  private long count;

  /** By field, in the current document. */
  private final int[] lastStarts;

  private TokenPlaces(long entries, int fields) {
    this.entries = entries;
    this.lastStarts = new int[fields];
  }

  /** Uses memory at an address outside the heap; null if no field has offsets. */
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

  /** Adds a token of the current document. {@code token} is its number in the run. */
  void put(long token, int field, int position, int start, int end) {
    if (start < lastStarts[field] || end < start) {
      throw new IllegalArgumentException(
          "offsets must start at %d or later and not end before they start; got %d to %d"
              .formatted(lastStarts[field], start, end));
    }
    lastStarts[field] = start;
    count++;
    long entry = entry(token);
    OffHeap.putInt(entry, position);
    OffHeap.putInt(entry + START, start);
    OffHeap.putInt(entry + LENGTH, end - start);
  }

  /** The address of a token's entry, the argument of the methods below. */
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
