package io.kmodel.indexer.run;

import io.kmodel.indexer.index.model.Schema;

/**
 * How a run's memory is divided: a quarter for the dictionary, up to a sixteenth for the lengths of
 * documents, the rest in equal parts for keys and scratch. If fields have offsets, that rest also
 * contains {@link TokenPlaces}. A web corpus has about one new term every 20 to 50 keys, so the
 * keys fill up first.
 *
 * @param dictionaryBytes a multiple of 64, as are the others
 * @param lengthsBytes of {@link RunDocuments}
 * @param keysBytes 8 per key; the scratch is as large
 * @param placesBytes of {@link TokenPlaces}; 0 without offsets
 */
public record RunMemory(long dictionaryBytes, long lengthsBytes, long keysBytes, long placesBytes) {
  /** Memory of the smallest run. */
  public static final long MIN_BYTES = 64 << 10;

  private static final long LINE_BYTES = 64;

  /** The most documents that memory is set aside for; a run rarely has more. */
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
    // OffHeap.allocate needs one more line to start at a line boundary.
    long usable = (bytes - LINE_BYTES) & -LINE_BYTES;
    long dictionary = usable / 4 & -LINE_BYTES;
    long lengths = Math.min(usable / 16, 4 * ints * DOCUMENTS) & -LINE_BYTES;
    long rest = usable - dictionary - lengths;
    if (!schema.hasOffsets()) {
      long keys = Math.min(rest / 2 & -LINE_BYTES, MAX_KEYS_BYTES);
      return new RunMemory(dictionary, lengths, keys, 0);
    }
    // With an even number of lines of keys, the places take whole lines, too.
    long tokens = rest / (2 * KEY_BYTES + TokenPlaces.ENTRY_BYTES);
    long keys = Math.min(KEY_BYTES * tokens, MAX_KEYS_BYTES) & -2 * LINE_BYTES;
    return new RunMemory(dictionary, lengths, keys, keys / KEY_BYTES * TokenPlaces.ENTRY_BYTES);
  }

  /** Bytes per key of which a run holds at most as many keys as its memory divided by them. */
  public static long perKey(Schema schema) {
    long perKey = 2L * KEY_BYTES + (schema.hasOffsets() ? TokenPlaces.ENTRY_BYTES : 0);
    return perKey * 4 / 3;
  }

  long totalBytes() {
    return dictionaryBytes + lengthsBytes + 2 * keysBytes + placesBytes;
  }
}
