package io.kmodel.indexer.indexing.similar;

import io.kmodel.indexer.store.LittleEndian;
import java.util.Arrays;
import java.util.function.IntToLongFunction;

/**
 * Computes a signature of {@value #BYTES} bytes of a document's text, by which the similarity of
 * two documents can be estimated: the Jaccard coefficient of their sets of shingles, which are
 * sequences of {@value #SHINGLE} words. Both have an equal byte where the least hash of a range of
 * hashes belongs to a shingle of both; the standard error of the estimate is 0.03 to 0.05 for texts
 * of any length.
 *
 * <p>A document of fewer than {@value #LEAST_WORDS} words has a signature of its sequence of words:
 * equal for the same sequence, and else as different as if by chance. So a word more or less always
 * counts there. Two such sequences have the same 64-bit hash, and so the same signature, with a
 * probability of 2^-64.
 *
 * <p>The signature is that of one-permutation MinHash (Li, Owen, Zhang, One permutation hashing,
 * NIPS 2012), where each empty range borrows from the next one in a pseudorandom order
 * (Shrivastava, Optimal densification for fast and accurate minwise hashing, ICML 2017), with 8
 * bits of each value (Li, König, b-bit minwise hashing, WWW 2010).
 *
 * <p>A word is a sequence of letters, digits and marks of Unicode, ASCII in lower case; one from
 * U+3000 to U+9FFF and any character beyond U+FFFF is a word alone. White space, punctuation,
 * symbols and the case of ASCII do not count. Braille counts as letters.
 *
 * <p>Memory: 1.5 KiB, and 64 KiB shared by all. Not thread-safe.
 */
public final class TextSignature {
  static final int BYTES = 128;
  static final int SHINGLE = 5;

  /** With fewer words, one more changes the similarity by more than the error of the estimate. */
  static final int LEAST_WORDS = 20;

  private static final byte BETWEEN = 0;
  private static final byte LETTER = 1;
  private static final byte WORD = 2;

  /** What a character up to U+FFFF is. */
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

  /** Polynomial of the hashes of all words. */
  private long whole;

  private static byte[] kinds() {
    byte[] kinds = new byte[Character.MIN_SUPPLEMENTARY_CODE_POINT];
    for (int c = 0; c < kinds.length; c++) {
      kinds[c] = isBetween(c) ? BETWEEN : c >= 0x3000 && c <= 0x9FFF ? WORD : LETTER;
    }
    Arrays.fill(kinds, 0x2800, 0x2900, LETTER); // Braille, symbols to Unicode
    return kinds;
  }

  /** Characters that Unicode has no use for yet are letters, so no text is without words. */
  private static boolean isBetween(int c) {
    return switch (Character.getType(c)) {
      case Character.SPACE_SEPARATOR,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.CONTROL,
          Character.FORMAT,
          Character.CONNECTOR_PUNCTUATION,
          Character.DASH_PUNCTUATION,
          Character.START_PUNCTUATION,
          Character.END_PUNCTUATION,
          Character.INITIAL_QUOTE_PUNCTUATION,
          Character.FINAL_QUOTE_PUNCTUATION,
          Character.OTHER_PUNCTUATION,
          Character.MATH_SYMBOL,
          Character.CURRENCY_SYMBOL,
          Character.MODIFIER_SYMBOL,
          Character.OTHER_SYMBOL ->
          true;
      default -> false;
    };
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
    whole = OFFSET;
  }

  /** Adds a text, in valid UTF-8. Words do not continue across texts, shingles do. */
  public void add(byte[] utf8, int offset, int length) {
    int end = offset + length;
    long hash = OFFSET;
    boolean inWord = false;
    int i = offset;
    while (i < end) {
      int c = utf8[i];
      i++;
      if (c < 0) {
        int more = c < (byte) 0xE0 ? 1 : c < (byte) 0xF0 ? 2 : 3;
        c &= 0x3F >> more;
        for (int last = i + more; i < last; i++) {
          c = c << 6 | (utf8[i] & 0x3F);
        }
      }
      byte kind = c < KINDS.length ? KINDS[c] : WORD;
      if (kind == LETTER) {
        // Letters of ASCII differ from their capitals in this bit, which digits have set.
        hash = (hash ^ (c < 0x80 ? c | 0x20 : c)) * WORD_FACTOR;
        inWord = true;
        continue;
      }
      if (inWord) {
        word(hash);
        hash = OFFSET;
        inWord = false;
      }
      if (kind == WORD) {
        word((OFFSET ^ c) * WORD_FACTOR);
      }
    }
    if (inWord) {
      word(hash);
    }
  }

  private void word(long hash) {
    long mixed = mix(hash);
    whole = whole * SHINGLE_FACTOR + mixed;
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
    if (words < LEAST_WORDS) {
      for (int i = 0; i < BYTES; i += Long.BYTES) {
        LittleEndian.putLong(to, i, mix(whole + i * DISTANCE));
      }
      return;
    }
    for (int range = 0; range < BYTES; range++) {
      to[range] = (byte) (mix(value(range)) >>> (Long.SIZE - Byte.SIZE));
    }
  }

  /**
   * The least hash of a range, or of another one if it is empty. The number of ranges is a power of
   * two, so an odd step comes to all of them.
   */
  private long value(int range) {
    int step = (int) mix(range + 1L) | 1;
    int from = range;
    while (least[from] == EMPTY) {
      from = (from + step) & (BYTES - 1);
    }
    // Ranges that borrow from the same one have different bytes, which agree by chance alone.
    return least[from] + range * DISTANCE;
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

  /**
   * How many bytes of two signatures are equal.
   *
   * @param other gives eight bytes of the other one, from an offset
   */
  static int equalBytes(byte[] signature, IntToLongFunction other) {
    int equal = 0;
    for (int i = 0; i < BYTES; i += Long.BYTES) {
      equal += equalBytes(LittleEndian.getLong(signature, i), other.applyAsLong(i));
    }
    return equal;
  }

  /** How many of eight bytes are equal. */
  static int equalBytes(long a, long b) {
    long low = 0x7F7F7F7F7F7F7F7FL;
    long different = a ^ b;
    return Long.bitCount(~(((different & low) + low) | different | low));
  }
}
