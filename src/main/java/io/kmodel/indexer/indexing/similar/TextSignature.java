package io.kmodel.indexer.indexing.similar;

import io.kmodel.indexer.store.LittleEndian;
import java.util.Arrays;

/**
 * Computes a signature of {@value #BYTES} bytes of a document's text, by which the similarity of
 * two documents can be estimated: the Jaccard coefficient of their sets of shingles, which are
 * sequences of {@value #SHINGLE} words. Both have an equal byte where the least hash of a range of
 * hashes belongs to a shingle of both; the standard error of the estimate is 0.035 at 0.8.
 *
 * <p>The signature is that of one-permutation MinHash, whose empty ranges borrow from a neighbour
 * (Li, Owen, Zhang, One permutation hashing, NIPS 2012; Shrivastava, Li, Improved densification of
 * one permutation hashing, UAI 2014), with 8 bits of each value (Li, König, b-bit minwise hashing,
 * WWW 2010).
 *
 * <p>A word is a sequence of letters and digits, ASCII in lower case; a character from U+3000 to
 * U+9FFF or beyond U+FFFF is a word alone. White space, punctuation and the case of ASCII do not
 * count. All words of a document with fewer than {@value #SHINGLE} count as one shingle, so such a
 * document is similar only to documents with the same words in the same order.
 *
 * <p>Memory: 1.5 KiB. Not thread-safe.
 */
public final class TextSignature {
  static final int BYTES = 128;
  static final int SHINGLE = 5;

  private static final byte BETWEEN = 0;
  private static final byte LETTER = 1;
  private static final byte WORD = 2;

  /** What a byte of UTF-8 is. */
  private static final byte[] KINDS = kinds();

  private static final long OFFSET = 0xCBF29CE484222325L;
  private static final long WORD_FACTOR = 0x9E3779B97F4A7C15L;
  private static final long SHINGLE_FACTOR = 0xD6E8FEB86659FD93L;
  private static final long LAST_FACTOR = power(SHINGLE_FACTOR, SHINGLE);
  private static final long DISTANCE = 0xA0761D6478BD642FL;

  /** Bits of a hash that choose its range. */
  private static final int RANGE_BITS = Integer.numberOfTrailingZeros(BYTES);

  private static final long EMPTY = Long.MAX_VALUE;

  /** The least hash of each range. */
  private final long[] least = new long[BYTES];

  /** Hashes of the last words, of which the first is at {@code next}. */
  private final long[] last = new long[SHINGLE];

  private int next;
  private long words;

  /** Polynomial of the hashes of the last words. */
  private long rolling;

  private static byte[] kinds() {
    byte[] kinds = new byte[256];
    for (int c = 0; c < 0x80; c++) {
      kinds[c] = Character.isLetterOrDigit(c) ? LETTER : BETWEEN;
    }
    Arrays.fill(kinds, 0x80, 0x100, LETTER);
    // U+0080 to U+00BF: spaces and punctuation of Latin-1; U+2000 to U+2FFF: of all scripts.
    kinds[0xC2] = BETWEEN;
    kinds[0xE2] = BETWEEN;
    Arrays.fill(kinds, 0xE3, 0xEA, WORD);
    Arrays.fill(kinds, 0xF0, 0xF8, WORD);
    return kinds;
  }

  private static long power(long base, int exponent) {
    long power = 1;
    for (int i = 0; i < exponent; i++) {
      power *= base;
    }
    return power;
  }

  /** Starts a document. */
  public void start() {
    Arrays.fill(least, EMPTY);
    Arrays.fill(last, 0);
    next = 0;
    words = 0;
    rolling = 0;
  }

  /** Adds a text, in valid UTF-8. Words do not continue across texts, shingles do. */
  public void add(byte[] utf8, int offset, int length) {
    int end = offset + length;
    int i = offset;
    while (i < end) {
      int c = utf8[i] & 0xFF;
      byte kind = KINDS[c];
      if (kind == LETTER) {
        long hash = OFFSET;
        do {
          // Letters of ASCII differ from their capitals in this bit, which digits have set.
          hash = (hash ^ (c < 0x80 ? c | 0x20 : c)) * WORD_FACTOR;
          i++;
          c = i < end ? utf8[i] & 0xFF : ' ';
        } while (KINDS[c] == LETTER);
        word(hash);
      } else {
        int to = Math.min(end, i + length(c));
        if (kind == WORD) {
          long hash = OFFSET;
          for (int at = i; at < to; at++) {
            hash = (hash ^ (utf8[at] & 0xFF)) * WORD_FACTOR;
          }
          word(hash);
        }
        i = to;
      }
    }
  }

  /** Bytes of a character that starts with this one and is no letter of a word. */
  private static int length(int lead) {
    if (lead < 0x80) {
      return 1;
    }
    return lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  }

  private void word(long hash) {
    long mixed = mix(hash);
    rolling = rolling * SHINGLE_FACTOR + mixed - last[next] * LAST_FACTOR;
    last[next] = mixed;
    next = next + 1 == SHINGLE ? 0 : next + 1;
    if (++words >= SHINGLE) {
      shingle(rolling);
    }
  }

  private void shingle(long hash) {
    long mixed = mix(hash);
    int range = (int) (mixed >>> (Long.SIZE - RANGE_BITS));
    least[range] = Math.min(least[range], mixed << RANGE_BITS >>> RANGE_BITS);
  }

  /**
   * Writes the signature of the document: zeros if it has no word, so that there is nothing to
   * compare.
   */
  public void finish(byte[] to) {
    if (words == 0) {
      Arrays.fill(to, 0, BYTES, (byte) 0);
      return;
    }
    if (words < SHINGLE) {
      shingle(rolling + words);
    }
    for (int range = 0; range < BYTES; range++) {
      to[range] = (byte) (mix(value(range)) >>> (Long.SIZE - Byte.SIZE));
    }
  }

  /** The least hash of a range, or of the next one that has any, to the left or to the right. */
  private long value(int range) {
    int step = mix(range + 1L) < 0 ? -1 : 1;
    int from = range;
    long distance = 0;
    while (least[from] == EMPTY) {
      from = (from + step) & (BYTES - 1);
      distance++;
    }
    return least[from] + distance * DISTANCE;
  }

  /** The finalizer of MurmurHash3: every bit of the result depends on every bit of the value. */
  private static long mix(long value) {
    long mixed = (value ^ (value >>> 33)) * 0xFF51AFD7ED558CCDL;
    mixed = (mixed ^ (mixed >>> 33)) * 0xC4CEB9FE1A85EC53L;
    return mixed ^ (mixed >>> 33);
  }

  /** Whether it is the signature of a document with words. */
  static boolean hasWords(byte[] signature) {
    for (int i = 0; i < BYTES; i += Long.BYTES) {
      if (LittleEndian.getLong(signature, i) != 0) {
        return true;
      }
    }
    return false;
  }

  /** The similarity that so many equal bytes are evidence of: by chance, one in 256 is equal. */
  static double similarity(int equal) {
    double byChance = 1.0 / 256;
    return Math.max(0, ((double) equal / BYTES - byChance) / (1 - byChance));
  }

  /** How many of eight bytes are equal. */
  static int equalBytes(long a, long b) {
    long low = 0x7F7F7F7F7F7F7F7FL;
    long different = a ^ b;
    return Long.bitCount(~(((different & low) + low) | different | low));
  }
}
