package io.kmodel.indexer.run;

import io.kmodel.indexer.index.Field;
import io.kmodel.indexer.index.Schema;

/**
 * How a run's memory is divided: a quarter is the dictionary's, up to a sixteenth the lengths' of
 * documents, the rest is halves of keys and of the sorter's scratch. A web corpus takes about a new
 * term every 20 to 50 keys, so the keys fill first.
 *
 * @param dictionaryBytes a multiple of 64, as are the others
 * @param lengthsBytes 4 per document and tokenized field
 * @param keysBytes 8 per key; as much again is scratch
 */
record RunMemory(long dictionaryBytes, long lengthsBytes, long keysBytes) {
  static final long MIN_BYTES = 64 << 10;

  private static final long LINE_BYTES = 64;

  /** More documents than this are rare in a run; their lengths take no more memory. */
  private static final long DOCUMENTS = 1 << 20;

  /** So that every frequency fits an int. */
  private static final long MAX_KEYS_BYTES = 8L * Integer.MAX_VALUE & -LINE_BYTES;

  /** Divides {@code bytes}, some of which are lost to alignment. */
  static RunMemory of(Schema schema, long bytes) {
    if (bytes < MIN_BYTES) {
      throw new IllegalArgumentException(
          "a run needs at least %d bytes of memory; got %d".formatted(MIN_BYTES, bytes));
    }
    long tokenized = schema.fields().stream().filter(Field::tokenized).count();
    // OffHeap.allocate takes one line more to begin at a line's start.
    long usable = (bytes - LINE_BYTES) & -LINE_BYTES;
    long dictionary = usable / 4 & -LINE_BYTES;
    long lengths = Math.min(usable / 16, 4 * tokenized * DOCUMENTS) & -LINE_BYTES;
    long keys = Math.min((usable - dictionary - lengths) / 2 & -LINE_BYTES, MAX_KEYS_BYTES);
    return new RunMemory(dictionary, lengths, keys);
  }

  long totalBytes() {
    return dictionaryBytes + lengthsBytes + 2 * keysBytes;
  }
}
