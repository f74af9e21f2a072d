package io.kmodel.indexer.parse;

import static io.kmodel.indexer.parse.CharacterClasses.BREAK;
import static io.kmodel.indexer.parse.CharacterClasses.CONNECTOR;
import static io.kmodel.indexer.parse.CharacterClasses.DIGIT;
import static io.kmodel.indexer.parse.CharacterClasses.EXTEND;
import static io.kmodel.indexer.parse.CharacterClasses.IDEOGRAPH;
import static io.kmodel.indexer.parse.CharacterClasses.KEYCAP_BASE;
import static io.kmodel.indexer.parse.CharacterClasses.LETTER;
import static io.kmodel.indexer.parse.CharacterClasses.MID_BOTH;
import static io.kmodel.indexer.parse.CharacterClasses.MID_LETTER;
import static io.kmodel.indexer.parse.CharacterClasses.MID_NUMBER;
import static io.kmodel.indexer.parse.CharacterClasses.UNSURE;
import static io.kmodel.indexer.parse.WordBytes.CLASSES;
import static io.kmodel.indexer.parse.WordBytes.ENDS_BEFORE;
import static io.kmodel.indexer.parse.WordBytes.ENDS_BEFORE_NEXT;
import static io.kmodel.indexer.parse.WordBytes.JOINS;
import static io.kmodel.indexer.parse.WordBytes.LOWER;
import static io.kmodel.indexer.parse.WordBytes.NOT_ASCII;
import static io.kmodel.indexer.parse.WordBytes.STARTS;

import java.util.Objects;

/**
 * Finds the words of UTF-8 text: the tokens of Lucene's StandardTokenizer and LowerCaseFilter, byte
 * for byte, in order.
 *
 * <p>StandardTokenizer is an automaton that starts afresh after each token and each character that
 * starts none, and takes the longest match. So the scanner may hand over to it wherever a word
 * could start, and does so as soon as a word touches a character that {@link CharacterClasses} is
 * unsure of, or grows near the longest that StandardTokenizer keeps whole; it goes on behind the
 * next ASCII character that no word crosses, or at the next ideograph. The rules for all else are
 * WB4 to WB13 of Unicode's annex 29.
 *
 * <p>Memory: some 3 KB, whatever the text; nothing is allocated per word. The text must be valid
 * UTF-8: what is not gives unspecified words, but ends, and reads nothing outside the text. Not
 * thread-safe.
 */
final class WordScanner {
  /** Where words lie in the buffer that sinks see; before it is room to read. */
  static final int WORD_START = 8;

  /**
   * In bytes, which are never fewer than UTF-16 units. StandardTokenizer sees 255 units from the
   * start of a word; what is decided here is decided some units before that.
   */
  private static final int LONGEST = 240;

  /** Room for the longest word of either scanner in lower case: 255 units of at most 3 bytes. */
  private static final int WORD_BYTES = 1024;

  /** Bytes whose words are found at once, and what must be readable from the first on for that. */
  private static final int BLOCK = Long.SIZE;

  private static final int LAST = BLOCK - 1;

  private static final int BLOCK_READ = BLOCK + 2 * Long.BYTES;

  /** What {@link #join} answers where a word ends, and where only StandardTokenizer can tell. */
  private static final int ENDS = 0;

  private static final int DOUBTFUL = -1;

  /** What {@link #codePoint} answers to bytes that are not UTF-8. */
  private static final int INVALID = -1;

  private final LuceneWords lucene = new LuceneWords();
  private final byte[] word = new byte[WORD_START + WORD_BYTES];
  private int wordEnd;
  private byte lastClass;

  private boolean byLucene;
  private int startOffset;
  private int endOffset;

  /**
   * Hands the words of a text to a sink.
   *
   * @param text holds length bytes of UTF-8 from offset on
   */
  void scan(byte[] text, int offset, int length, WordSink sink) {
    Objects.checkFromIndexSize(offset, length, text.length);
    int end = offset + length;
    int at = offset;
    while (at < end) {
      boolean ascii = at <= end - BLOCK_READ && EightBytes.areAscii(text, at, BLOCK);
      int until = Math.min(end, at + BLOCK);
      at = ascii ? block(text, at, end, sink) : characters(text, at, until, end, sink);
    }
  }

  /** Scans on until a place that may lie in the middle of a word, and to the end of that word. */
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
   * Scans {@value #BLOCK} ASCII characters. Where words start and end are bits of one long, so that
   * the length of a usual word decides no branch: 16 ns a word, where {@link #characters} takes 21
   * (docs/performance.md).
   *
   * @param base where no word has begun
   * @return where to go on, behind base
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
   * Goes past a word of ASCII that may go on.
   *
   * @param words the word bytes from its start to the end of the block
   * @return behind it; its start if a block is to begin there
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

  /** In pieces that are small enough to become part of {@link #block}: a nanosecond a word. */
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

  /** Whether ASCII words on both sides of a character are one word with it. */
  private static boolean joins(byte[] text, int at) {
    byte last = CLASSES[text[at - 1] & 0xFF];
    return (JOINS[text[at] & 0xFF] >> last & 1) != 0 && CLASSES[text[at + 1] & 0xFF] == last;
  }

  /** Whether what seems to be a word of ASCII surely is one, and does not go on. */
  private static boolean isUsual(byte[] text, int start, int end) {
    int ends = ENDS_BEFORE[text[end] & 0xFF] & ENDS_BEFORE_NEXT[text[end + 1] & 0xFF];
    return (ends & STARTS[text[start] & 0xFF]) != 0;
  }

  /** Where in the text the word lies that the sink is being given: its first byte. */
  int startOffset() {
    return byLucene ? lucene.startOffset() : startOffset;
  }

  /** The byte behind it. */
  int endOffset() {
    return byLucene ? lucene.endOffset() : endOffset;
  }

  /**
   * Scans on in a word.
   *
   * @param start where it starts
   * @param at where to go on; the buffer holds what lies between
   * @return where to look for the next word
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

  /** Whether an ASCII character surely ends a word: a break, or a joiner before a break. */
  private static boolean endsWord(byte[] text, int at, int end) {
    byte found = CLASSES[text[at] & 0xFF];
    return found < LETTER
        || (found <= MID_BOTH && at + 1 < end && CLASSES[text[at + 1] & 0xFF] < LETTER);
  }

  /**
   * Joins a character other than an ASCII letter, digit or underscore to the word before it.
   *
   * @return its length in bytes; {@link #ENDS}; {@link #DOUBTFUL}
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

  /** Goes past a character that is neither an ASCII letter or digit nor simply skipped. */
  private int uncommon(byte[] text, int start, int end, WordSink sink) {
    int codePoint = codePoint(text, start, end);
    int next = start + bytes(codePoint);
    wordEnd = WORD_START;
    return switch (classOf(codePoint)) {
      case LETTER, DIGIT -> word(text, start, start, end, sink);
      case CONNECTOR -> connectors(text, start, end, sink);
      case IDEOGRAPH -> ideograph(text, start, codePoint, end, sink);
      case UNSURE -> askLucene(text, start, end, sink);
      // What follows may be a keycap.
      case KEYCAP_BASE -> next < end && text[next] < 0 ? askLucene(text, start, end, sink) : next;
      default -> next;
    };
  }

  /** Goes past an ideograph; to the next sure break if something may extend it. */
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

  /** Goes past connectors, and the word that they are the start of if there is one. */
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

  /** Leaves the text from the start of a word to the next sure break to StandardTokenizer. */
  private int askLucene(byte[] text, int start, int end, WordSink sink) {
    // What it starts with may be an ideograph itself.
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
   * Whether a character starts here before which there is a break, whatever it is behind: of
   * ideographs those from U+3000 on, as radicals are rare.
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

  /** Invalid bytes are breaks, so that they are skipped one at a time. */
  private static byte classOf(int codePoint) {
    return codePoint == INVALID ? BREAK : CharacterClasses.of(codePoint);
  }

  /** Bytes that a code point below the limit takes. */
  private static int bytes(int codePoint) {
    return codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : 3;
  }

  /** The code point at a place; the limit for all from there on; {@link #INVALID}. */
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
