package io.kmodel.indexer.analysis.words;

import java.nio.charset.StandardCharsets;
import org.apache.lucene.analysis.en.EnglishAnalyzer;

/**
 * The stop words of Lucene's EnglishAnalyzer as bytes: a hash table of words packed into longs, at
 * most half full. Immutable.
 */
final class EnglishStopWords {
  private static final int BITS = 8;

  /** 2^64 over the golden ratio, which spreads the words' bits to the top. */
  static final long SPREAD = 0x9E3779B97F4A7C15L;

  private static final long[] TABLE = new long[1 << BITS];
  private static final int LONGEST;

  static {
    int longest = 0;
    int count = 0;
    for (Object word : EnglishAnalyzer.ENGLISH_STOP_WORDS_SET) {
      byte[] bytes = new String((char[]) word).getBytes(StandardCharsets.UTF_8);
      if (bytes.length > Long.BYTES || ++count > TABLE.length / 2) {
        throw new IllegalStateException("stop word too long, or too many: " + word);
      }
      long packed = 0;
      for (byte b : bytes) {
        packed = packed << Byte.SIZE | (b & 0xFF);
      }
      TABLE[find(packed)] = packed;
      longest = Math.max(longest, bytes.length);
    }
    LONGEST = longest;
  }

  private EnglishStopWords() {}

  /**
   * Whether a word is a stop word.
   *
   * @param offset the offset of a word of at least one byte; at least {@link
   *     WordScanner#WORD_START}
   */
  static boolean contains(byte[] bytes, int offset, int length) {
    if (length > LONGEST) {
      return false;
    }
    long packed = Suffixes.last8(bytes, offset, length);
    return TABLE[find(packed)] == packed;
  }

  /** Returns the slot of a word, or the free slot where it belongs. */
  private static int find(long packed) {
    int at = (int) ((packed * SPREAD) >>> (Long.SIZE - BITS));
    while (TABLE[at] != 0 && TABLE[at] != packed) {
      at = (at + 1) & (TABLE.length - 1);
    }
    return at;
  }
}
