package io.kmodel.indexer.analysis.words;

/**
 * Turns an English word into its indexed form: without its possessive 's, nothing if the rest is a
 * stop word, else its Porter stem.
 *
 * <p>A text repeats few words. So a direct-mapped cache keeps the results for words of up to 16
 * bytes; a new word replaces the one with the same hash. Memory: 130 KB. Not thread-safe.
 */
public final class EnglishWords {
  /** The length of the indexed form of a stop word. */
  public static final int NOTHING = 0;

  private static final int BITS = 12;

  /** The longest cached word in bytes: two longs. */
  private static final int LONGEST_KNOWN = 16;

  private final PorterStemmer stemmer = new PorterStemmer();

  /**
   * The cache. An entry has four longs: the last eight bytes of a word, the eight before, the last
   * eight of its stem, and the stem's length. A stem differs from the start of its word at most in
   * its last few letters.
   */
  private final long[] known = new long[4 << BITS];

  /**
   * Replaces a word by its stem.
   *
   * @param bytes holds the lowercase word at offset, which is at least {@link
   *     WordScanner#WORD_START}; the eight bytes before it may change, and eight bytes after it
   *     must be readable
   * @param length at least 1
   * @return the stem's length, at most the word's, or {@link #NOTHING}
   */
  public int stem(byte[] bytes, int offset, int length) {
    if (length > LONGEST_KNOWN) {
      return work(bytes, offset, length);
    }
    long last = Suffixes.last8(bytes, offset, length);
    long before = length > Long.BYTES ? Suffixes.last8(bytes, offset, length - Long.BYTES) : 0;
    long spread = (last ^ Long.rotateLeft(before, 29)) * EnglishStopWords.SPREAD;
    int slot = (int) (spread >>> (Long.SIZE - BITS)) << 2;
    if (known[slot] != last || known[slot + 1] != before) {
      int stem = work(bytes, offset, length);
      known[slot] = last;
      known[slot + 1] = before;
      known[slot + 2] = Suffixes.last8(bytes, offset, stem);
      known[slot + 3] = stem;
      return stem;
    }
    int stem = (int) known[slot + 3];
    Suffixes.putLast8(bytes, offset + stem, known[slot + 2]);
    return stem;
  }

  private int work(byte[] bytes, int offset, int length) {
    int bare = withoutPossessive(bytes, offset, length);
    return EnglishStopWords.contains(bytes, offset, bare)
        ? NOTHING
        : stemmer.stem(bytes, offset, bare);
  }

  /**
   * Returns the length of a word without its possessive: an s after an apostrophe, a right single
   * quote or a full-width apostrophe.
   */
  private static int withoutPossessive(byte[] bytes, int offset, int length) {
    int last = offset + length - 1;
    if (length < 2 || bytes[last] != 's') {
      return length;
    }
    if (bytes[last - 1] == '\'') {
      return length - 2;
    }
    return length >= 4 && isWideApostrophe(bytes, last - 3) ? length - 4 : length;
  }

  /** Whether U+2019 or U+FF07 is at an offset. */
  private static boolean isWideApostrophe(byte[] bytes, int at) {
    int three = (bytes[at] & 0xFF) << 16 | (bytes[at + 1] & 0xFF) << 8 | (bytes[at + 2] & 0xFF);
    return three == 0xE28099 || three == 0xEFBC87;
  }
}
