package io.kmodel.indexer.run;

import io.kmodel.indexer.index.Schema;

/**
 * How a run's memory is divided: a quarter is the dictionary's, up to a sixteenth the lengths' of
 * documents, the rest is halves of keys and of the sorter's scratch, beside them what {@link
 * TokenPlaces} keep of tokens where fields have offsets. A web corpus takes about a new term every
 * 20 to 50 keys, so the keys fill first.
 *
 * @param dictionaryBytes a multiple of 64, as are the others
 * @param lengthsBytes of {@link RunDocuments}
 * @param keysBytes 8 per key; as much again is scratch
 * @param placesBytes of {@link TokenPlaces}; 0 without offsets
 */
public record RunMemory(long dictionaryBytes, long lengthsBytes, long keysBytes, long placesBytes) {
  /** Of the smallest run. */
  public static final long MIN_BYTES = 64 << 10;

  private static final long LINE_BYTES = 64;

  /** More documents than this are rare in a run; their lengths take no more memory. */
  private static final long DOCUMENTS = 1 << 20;

  private static final int KEY_BYTES = 8;

  /** So that every frequency fits an int. */
  private static final long MAX_KEYS_BYTES = 8L * Integer.MAX_VALUE & -LINE_BYTES;

  /** Divides {@code bytes}, some of which are lost to alignment. */
  static RunMemory of(Schema schema, long bytes) {
    if (bytes < MIN_BYTES) {
      throw new IllegalArgumentException(
          "a run needs at least %d bytes of memory; got %d".formatted(MIN_BYTES, bytes));
    }
    long ints = RunDocuments.intsPerDocument(schema);
    // OffHeap.allocate takes one line more to begin at a line's start.
    long usable = (bytes - LINE_BYTES) & -LINE_BYTES;
    long dictionary = usable / 4 & -LINE_BYTES;
    long lengths = Math.min(usable / 16, 4 * ints * DOCUMENTS) & -LINE_BYTES;
    long rest = usable - dictionary - lengths;
    if (!schema.hasOffsets()) {
      long keys = Math.min(rest / 2 & -LINE_BYTES, MAX_KEYS_BYTES);
      return new RunMemory(dictionary, lengths, keys, 0);
    }
    // An even number of lines of keys has whole lines of places.
    long tokens = rest / (2 * KEY_BYTES + TokenPlaces.ENTRY_BYTES);
    long keys = Math.min(KEY_BYTES * tokens, MAX_KEYS_BYTES) & -2 * LINE_BYTES;
    return new RunMemory(dictionary, lengths, keys, keys / KEY_BYTES * TokenPlaces.ENTRY_BYTES);
  }

  /** A run of so many bytes for each key has room for at most that many keys. */
  public static long perKey(Schema schema) {
    long perKey = 2L * KEY_BYTES + (schema.hasOffsets() ? TokenPlaces.ENTRY_BYTES : 0);
    return perKey * 4 / 3;
  }

  long totalBytes() {
    return dictionaryBytes + lengthsBytes + 2 * keysBytes + placesBytes;
  }
}
