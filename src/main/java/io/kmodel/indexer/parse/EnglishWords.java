package io.kmodel.indexer.parse;

/**
 * What an English word is indexed as: less its possessive 's, nothing if that is a stop word, else
 * its Porter stem.
 *
 * <p>A text has few words, again and again. So what became of a word of up to 16 bytes is kept in a
 * table of one place per hash, and the next word with that hash takes its place. Memory: 130 KB.
 * Not thread-safe.
 */
final class EnglishWords {
  /** The length of what a stop word is indexed as. */
  static final int NOTHING = 0;

  private static final int BITS = 12;

  /** In bytes: two longs. */
  private static final int LONGEST_KNOWN = 16;

  private final PorterStemmer stemmer = new PorterStemmer();

  /**
   * In turn: the last eight bytes of a word, those before, the last eight of its stem, the stem's
   * length. A stem differs from the start of its word in its last few letters at most.
   */
  private final long[] known = new long[4 << BITS];

  /**
   * Puts a word's stem in its place.
   *
   * @param bytes holds the word in lower case from offset on, which is at least {@link
   *     WordScanner#WORD_START}; the eight bytes before it may change. Eight bytes can be read
   *     behind it
   * @param length at least 1
   * @return the stem's length, at most the word's, or {@link #NOTHING}
   */
  int stem(byte[] bytes, int offset, int length) {
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
   * The length of a word without its possessive: an s after an apostrophe, a right single quote or
   * a full-width apostrophe.
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

  /** Whether U+2019 or U+FF07 is at a place. */
  private static boolean isWideApostrophe(byte[] bytes, int at) {
    int three = (bytes[at] & 0xFF) << 16 | (bytes[at + 1] & 0xFF) << 8 | (bytes[at + 2] & 0xFF);
    return three == 0xE28099 || three == 0xEFBC87;
  }
}
