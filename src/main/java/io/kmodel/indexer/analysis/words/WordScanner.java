package io.kmodel.indexer.analysis.words;

import static io.kmodel.indexer.analysis.words.CharacterClasses.BREAK;
import static io.kmodel.indexer.analysis.words.CharacterClasses.CONNECTOR;
import static io.kmodel.indexer.analysis.words.CharacterClasses.DIGIT;
import static io.kmodel.indexer.analysis.words.CharacterClasses.EXTEND;
import static io.kmodel.indexer.analysis.words.CharacterClasses.IDEOGRAPH;
import static io.kmodel.indexer.analysis.words.CharacterClasses.KEYCAP_BASE;
import static io.kmodel.indexer.analysis.words.CharacterClasses.LETTER;
import static io.kmodel.indexer.analysis.words.CharacterClasses.MID_BOTH;
import static io.kmodel.indexer.analysis.words.CharacterClasses.MID_LETTER;
import static io.kmodel.indexer.analysis.words.CharacterClasses.MID_NUMBER;
import static io.kmodel.indexer.analysis.words.CharacterClasses.UNSURE;
import static io.kmodel.indexer.analysis.words.WordBytes.CLASSES;
import static io.kmodel.indexer.analysis.words.WordBytes.ENDS_BEFORE;
import static io.kmodel.indexer.analysis.words.WordBytes.ENDS_BEFORE_NEXT;
import static io.kmodel.indexer.analysis.words.WordBytes.JOINS;
import static io.kmodel.indexer.analysis.words.WordBytes.LOWER;
import static io.kmodel.indexer.analysis.words.WordBytes.NOT_ASCII;
import static io.kmodel.indexer.analysis.words.WordBytes.STARTS;

import io.kmodel.indexer.source.record.EightBytes;
import java.util.Objects;

/**
 * Finds the words of UTF-8 text: the tokens of Lucene's StandardTokenizer and LowerCaseFilter, byte
 * for byte, in order.
 *
 * <p>StandardTokenizer is an automaton that restarts after each token and after each character that
 * starts none, and takes the longest match. So the scanner may delegate to it wherever a word could
 * start. It does so if a word touches a character of which {@link CharacterClasses} is unsure, or
 * grows near the longest that StandardTokenizer keeps whole. It continues after the next ASCII
 * character that no word crosses, or at the next ideograph. Everything else follows the rules WB4
 * to WB13 of Unicode's annex 29.
 *
 * <p>Memory: about 3 KB, whatever the text; nothing is allocated per word. The text must be valid
 * UTF-8: invalid bytes give unspecified words, but the scan ends and reads nothing outside the
 * text. Not thread-safe.
 */
public final class WordScanner {
  /** The offset of words in the buffer that sinks receive; the bytes before it must be readable. */
  static final int WORD_START = 8;

  /**
   * The maximum in bytes, which are never fewer than UTF-16 units. StandardTokenizer sees 255 units
   * from the start of a word; this class decides some units earlier.
   */
  private static final int LONGEST = 240;

  /** Room for the longest lowercase word of either scanner: 255 units of at most 3 bytes. */
  private static final int WORD_BYTES = 1024;

  /**
   * The number of bytes scanned at once; {@link #BLOCK_READ} must be readable from the first on.
   */
  private static final int BLOCK = Long.SIZE;

  private static final int LAST = BLOCK - 1;

  private static final int BLOCK_READ = BLOCK + 2 * Long.BYTES;

  /** Results of {@link #join}: the word ends; only StandardTokenizer can tell. */
  private static final int ENDS = 0;

  private static final int DOUBTFUL = -1;

  /** The result of {@link #codePoint} for bytes that are not UTF-8. */
  private static final int INVALID = -1;

  private final LuceneWords lucene = new LuceneWords();
  private final byte[] word = new byte[WORD_START + WORD_BYTES];
  private int wordEnd;
  private byte lastClass;

  private boolean byLucene;
  private int startOffset;
  private int endOffset;

  /**
   * Passes the words of a text to a sink.
   *
   * @param text holds length bytes of UTF-8 from offset on
   */
  public void scan(byte[] text, int offset, int length, WordSink sink) {
    Objects.checkFromIndexSize(offset, length, text.length);
    int end = offset + length;
    int at = offset;
    while (at < end) {
      boolean ascii = at <= end - BLOCK_READ && EightBytes.areAscii(text, at, BLOCK);
      int until = Math.min(end, at + BLOCK);
      at = ascii ? block(text, at, end, sink) : characters(text, at, until, end, sink);
    }
  }

  /** Scans up to an offset that may be in the middle of a word, and to the end of that word. */
  private int characters(byte[] text, int from, int until, int end, WordSink sink) {
    int at = from;
    while (at < until) {
      byte first = CLASSES[text[at] & 0xFF];
      if (first == LETTER || first == DIGIT) {
        wordEnd = WORD_START;
        at = word(text, at, at, end, sink);
      } else if (first == CONNECTOR || first == KEYCAP_BASE || first == NOT_ASCII) {
        at = uncommon(text, at, end, sink);
      } else {
        at++;
      }
    }
    return at;
  }

  /**
   * Scans {@value #BLOCK} ASCII characters. The starts and ends of words are bits of one long, so
   * no branch depends on the length of a usual word: 16 ns per word, while {@link #characters}
   * takes 21.
   *
   * @param base an offset at which no word has begun
   * @return where to continue, after base
   */
  private int block(byte[] text, int base, int end, WordSink sink) {
    long words = EightBytes.wordBytes(text, base);
    long starts = words & ~(words << 1);
    while (starts != 0) {
      int first = Long.numberOfTrailingZeros(starts);
      int behind = first + Long.numberOfTrailingZeros(~words >>> first);
      int start = base + first;
      int at = base + behind;
      if (behind < LAST && isUsual(text, start, at)) {
        usual(text, start, at, sink);
      } else {
        at = unusual(text, start, end, LAST - first, words >>> first, sink);
        if (at == start || at >= base + BLOCK) {
          return at;
        }
      }
      starts &= -1L << (at - base);
    }
    return CLASSES[text[base + LAST] & 0xFF] == KEYCAP_BASE ? base + LAST : base + BLOCK;
  }

  /**
   * Scans a word of ASCII that may continue.
   *
   * @param words the word bytes from its start to the end of the block
   * @return the offset after it; its start if a block must begin there
   */
  private int unusual(byte[] text, int start, int end, int left, long words, WordSink sink) {
    int length = Long.numberOfTrailingZeros(~words);
    while (length < left && joins(text, start + length)) {
      length += 1 + Long.numberOfTrailingZeros(~words >>> (length + 1));
    }
    if (length >= left) {
      return left < LAST ? start : characters(text, start, start + 1, end, sink);
    }
    if (isUsual(text, start, start + length)) {
      usual(text, start, start + length, sink);
      return start + length;
    }
    return characters(text, start, start + 1, end, sink);
  }

  /**
   * Passes on a usual word; split into methods small enough to be inlined into {@link #block},
   * which saves a nanosecond per word.
   */
  private void usual(byte[] text, int start, int end, WordSink sink) {
    copyFirst(text, start);
    if (end - start > 2 * Long.BYTES) {
      copyRest(text, start, end);
    }
    startOffset = start;
    endOffset = end;
    sink.word(word, WORD_START, end - start);
  }

  private void copyFirst(byte[] text, int start) {
    long first = EightBytes.lowerWord(EightBytes.at(text, start));
    long second = EightBytes.lowerWord(EightBytes.at(text, start + Long.BYTES));
    EightBytes.put(word, WORD_START, first);
    EightBytes.put(word, WORD_START + Long.BYTES, second);
  }

  private void copyRest(byte[] text, int start, int end) {
    for (int i = 2 * Long.BYTES; i < end - start; i += Long.BYTES) {
      EightBytes.put(word, WORD_START + i, EightBytes.lowerWord(EightBytes.at(text, start + i)));
    }
  }

  /** Whether a character joins the ASCII words on both sides into one word. */
  private static boolean joins(byte[] text, int at) {
    byte last = CLASSES[text[at - 1] & 0xFF];
    return (JOINS[text[at] & 0xFF] >> last & 1) != 0 && CLASSES[text[at + 1] & 0xFF] == last;
  }

  /** Whether an apparent ASCII word certainly is one and does not continue. */
  private static boolean isUsual(byte[] text, int start, int end) {
    int ends = ENDS_BEFORE[text[end] & 0xFF] & ENDS_BEFORE_NEXT[text[end + 1] & 0xFF];
    return (ends & STARTS[text[start] & 0xFF]) != 0;
  }

  /** Returns the current word's first byte in the text, while the sink receives it. */
  public int startOffset() {
    return byLucene ? lucene.startOffset() : startOffset;
  }

  /** Returns the offset after its last byte. */
  public int endOffset() {
    return byLucene ? lucene.endOffset() : endOffset;
  }

  /**
   * Continues scanning a word.
   *
   * @param start the start of the word
   * @param at where to continue; the buffer holds the bytes in between
   * @return where to search for the next word
   */
  private int word(byte[] text, int start, int at, int end, WordSink sink) {
    byte[] to = word;
    int limit = Math.min(end, start + LONGEST);
    int n = wordEnd;
    while (true) {
      int run;
      do {
        if (at > limit - Long.BYTES) {
          break;
        }
        long eight = EightBytes.at(text, at);
        long word = EightBytes.wordBytes(eight);
        EightBytes.put(to, n, EightBytes.lowerWord(eight));
        run = EightBytes.leading(word);
        n += run;
        at += run;
      } while (run == Long.BYTES);
      byte lower;
      while (at < limit && (lower = LOWER[text[at] & 0xFF]) != 0) {
        to[n++] = lower;
        at++;
      }
      if (at >= limit && at < end) {
        return askLucene(text, start, end, sink);
      }
      if (at >= end || endsWord(text, at, end)) {
        break;
      }
      wordEnd = n;
      int joined = join(text, start, at, end);
      if (joined == DOUBTFUL) {
        return askLucene(text, start, end, sink);
      }
      if (joined == ENDS) {
        break;
      }
      n = wordEnd;
      at += joined;
    }
    startOffset = start;
    endOffset = at;
    sink.word(to, WORD_START, n - WORD_START);
    return at;
  }

  /** Whether an ASCII character certainly ends a word: a break, or a joiner before a break. */
  private static boolean endsWord(byte[] text, int at, int end) {
    byte found = CLASSES[text[at] & 0xFF];
    return found < LETTER
        || (found <= MID_BOTH && at + 1 < end && CLASSES[text[at + 1] & 0xFF] < LETTER);
  }

  /**
   * Joins a character other than an ASCII letter, digit or underscore to the word before it.
   *
   * @return its length in bytes, {@link #ENDS} or {@link #DOUBTFUL}
   */
  private int join(byte[] text, int start, int at, int end) {
    byte last = at > start && text[at - 1] >= 0 ? CLASSES[text[at - 1] & 0xFF] : lastClass;
    int codePoint = codePoint(text, at, end);
    byte joining = classOf(codePoint);
    switch (joining) {
      case LETTER, DIGIT, CONNECTOR -> lastClass = joining;
      case EXTEND -> lastClass = last;
      case MID_LETTER, MID_NUMBER, MID_BOTH -> {
        byte fitting = last == LETTER ? MID_LETTER : MID_NUMBER;
        if (last == CONNECTOR || (joining != MID_BOTH && joining != fitting)) {
          return ENDS;
        }
        int next = at + bytes(codePoint);
        byte nextClass = next < end ? classOf(codePoint(text, next, end)) : BREAK;
        if (nextClass == EXTEND || nextClass == UNSURE) {
          return DOUBTFUL;
        }
        if (nextClass != last) {
          return ENDS;
        }
      }
      case UNSURE -> {
        return DOUBTFUL;
      }
      default -> {
        return ENDS;
      }
    }
    append(CharacterClasses.lower(codePoint));
    return bytes(codePoint);
  }

  /** Scans a character that is neither an ASCII letter or digit nor simply skipped. */
  private int uncommon(byte[] text, int start, int end, WordSink sink) {
    int codePoint = codePoint(text, start, end);
    int next = start + bytes(codePoint);
    wordEnd = WORD_START;
    return switch (classOf(codePoint)) {
      case LETTER, DIGIT -> word(text, start, start, end, sink);
      case CONNECTOR -> connectors(text, start, end, sink);
      case IDEOGRAPH -> ideograph(text, start, codePoint, end, sink);
      case UNSURE -> askLucene(text, start, end, sink);
      // A keycap may follow.
      case KEYCAP_BASE -> next < end && text[next] < 0 ? askLucene(text, start, end, sink) : next;
      default -> next;
    };
  }

  /** Scans an ideograph; if something may extend it, scans to the next sure break. */
  private int ideograph(byte[] text, int start, int codePoint, int end, WordSink sink) {
    int next = start + bytes(codePoint);
    byte after = next < end ? classOf(codePoint(text, next, end)) : BREAK;
    if (after == EXTEND || after == UNSURE) {
      return askLucene(text, start, end, sink);
    }
    append((char) codePoint);
    startOffset = start;
    endOffset = next;
    sink.word(word, WORD_START, wordEnd - WORD_START);
    return next;
  }

  /** Scans connectors, and the word that they start, if there is one. */
  private int connectors(byte[] text, int start, int end, WordSink sink) {
    int at = start;
    while (at < end) {
      int codePoint = codePoint(text, at, end);
      byte found = classOf(codePoint);
      if (found == LETTER || found == DIGIT) {
        return word(text, start, at, end, sink);
      }
      if (found == UNSURE) {
        return askLucene(text, start, end, sink);
      }
      if (found != CONNECTOR && found != EXTEND) {
        break;
      }
      if (at - start < LONGEST) {
        append(CharacterClasses.lower(codePoint));
      }
      lastClass = CONNECTOR;
      at += bytes(codePoint);
    }
    return at;
  }

  /** Passes the text from the start of a word to the next sure break to StandardTokenizer. */
  private int askLucene(byte[] text, int start, int end, WordSink sink) {
    // The first character may be an ideograph itself.
    int until = start + 1;
    while (until < end && !isSureBreak(text, until, end)) {
      until++;
    }
    byLucene = true;
    try {
      lucene.scan(text, start, until, word, sink);
    } finally {
      byLucene = false;
    }
    return until;
  }

  /**
   * Whether a character starts here that has a break before it in any context. Of ideographs, only
   * those from U+3000 on count, as radicals are rare.
   */
  private static boolean isSureBreak(byte[] text, int at, int end) {
    byte first = text[at];
    return first >= 0
        ? CLASSES[first] == BREAK
        : first >= (byte) 0xE3
            && first < (byte) 0xEA
            && classOf(codePoint(text, at, end)) == IDEOGRAPH;
  }

  private void append(char lower) {
    if (lower < 0x80) {
      word[wordEnd++] = (byte) lower;
    } else if (lower < 0x800) {
      word[wordEnd++] = (byte) (0xC0 | lower >> 6);
      word[wordEnd++] = (byte) (0x80 | (lower & 0x3F));
    } else {
      word[wordEnd++] = (byte) (0xE0 | lower >> 12);
      word[wordEnd++] = (byte) (0x80 | (lower >> 6 & 0x3F));
      word[wordEnd++] = (byte) (0x80 | (lower & 0x3F));
    }
  }

  /**
   * Returns the class of a code point; invalid bytes are breaks, so they are skipped one at a time.
   */
  private static byte classOf(int codePoint) {
    return codePoint == INVALID ? BREAK : CharacterClasses.of(codePoint);
  }

  /** Returns the number of bytes of a code point below the limit. */
  private static int bytes(int codePoint) {
    return codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : 3;
  }

  /**
   * Returns the code point at an offset, the limit for any from the limit on, or {@link #INVALID}.
   */
  private static int codePoint(byte[] text, int at, int end) {
    int first = text[at];
    if (first >= 0) {
      return first;
    }
    if (first >= (byte) 0xF0 && first < (byte) 0xF8) {
      return CharacterClasses.LIMIT;
    }
    if (first >= (byte) 0xC2 && first < (byte) 0xE0 && at + 1 < end) {
      return (first & 0x1F) << 6 | (text[at + 1] & 0x3F);
    }
    if (first >= (byte) 0xE0 && first < (byte) 0xF0 && at + 2 < end) {
      int codePoint = (first & 0xF) << 12 | (text[at + 1] & 0x3F) << 6 | (text[at + 2] & 0x3F);
      return codePoint < 0x800 ? INVALID : codePoint;
    }
    return INVALID;
  }
}
