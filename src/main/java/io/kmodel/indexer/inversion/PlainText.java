package io.kmodel.indexer.inversion;

import io.kmodel.indexer.analysis.words.WordScanner;
import io.kmodel.indexer.source.record.EightBytes;

/**
 * Appends texts to a {@link TextBlock} in plain form, from which the kernels make the tokens of
 * Lucene's StandardTokenizer and LowerCaseFilter.
 *
 * <p>ASCII is copied. A stretch between two characters up to the blank, which no word crosses, is
 * solved by {@link WordScanner} if it contains anything else or is longer than StandardTokenizer
 * keeps whole: its words are appended with a blank after each. ASCII punctuation in such a word is
 * written as one of the bytes from {@value #FIRST_ESCAPE} on, which do not occur in UTF-8, so that
 * the kernels do not end the word there.
 *
 * <p>Memory: that of the scanner. Not thread-safe.
 */
public final class PlainText {
  /** The bytes from here on stand for {@link #ESCAPED}. */
  static final int FIRST_ESCAPE = 0xF5;

  /** All ASCII but letters and digits that StandardTokenizer has in tokens, in order of escapes. */
  static final String ESCAPED = "\":.',;_#*";

  private static final int WINDOW = 64;

  /** A stretch that is too long contains so many whole windows without a blank. */
  private static final int WINDOWS = 3;

  /** StandardTokenizer splits words of more UTF-16 units. */
  private static final int LONGEST = 255;

  private static final byte BLANK = ' ';

  private final WordScanner scanner = new WordScanner();
  private final TextBlock block;

  public PlainText(TextBlock block) {
    this.block = block;
  }

  /**
   * Appends the text of a part.
   *
   * @param text holds length bytes of valid UTF-8 from offset on
   */
  public void append(byte[] text, int offset, int length) {
    int end = offset + length;
    int copied = offset;
    int full = 0;
    int at = offset;
    while (at < end && block.fits()) {
      int until = Math.min(end, at + WINDOW);
      boolean isPlain;
      if (until - at == WINDOW && isAsciiWithBlank(text, at)) {
        full = 0;
        isPlain = true;
      } else if (isAscii(text, at, until)) {
        full = until - at == WINDOW && !hasBlank(text, at, until) ? full + 1 : 0;
        isPlain = full < WINDOWS;
      } else {
        isPlain = false;
      }
      if (isPlain) {
        at = until;
        continue;
      }
      // The stretch around the other character; it may start in an earlier window.
      int doubtful = full >= WINDOWS ? at : firstOther(text, at, until);
      int start = startOfStretch(text, copied, doubtful);
      int stop = endOfStretch(text, doubtful, end);
      block.append(text, copied, start - copied);
      if (full < WINDOWS || stop - start > LONGEST) {
        scanner.scan(text, start, stop - start, this::word);
      } else {
        block.append(text, start, stop - start);
      }
      copied = stop;
      at = stop;
      full = 0;
    }
    block.append(text, copied, Math.max(at, copied) - copied);
  }

  /** Appends a word, whose buffer it may change. */
  public void word(byte[] word, int offset, int length) {
    for (int i = offset; i < offset + length; i++) {
      byte character = word[i];
      if (character >= 0 && !isLetterOrDigit(character)) {
        int escape = ESCAPED.indexOf(character);
        if (escape < 0) {
          throw new IllegalStateException("a word contains the character " + character);
        }
        word[i] = (byte) (FIRST_ESCAPE + escape);
      }
    }
    block.append(word, offset, length);
    block.append(BLANK);
  }

  private static boolean isAsciiWithBlank(byte[] text, int at) {
    long all = 0;
    long blanks = 0;
    for (int i = 0; i < WINDOW; i += Long.BYTES) {
      long eight = EightBytes.at(text, at + i);
      all |= eight;
      blanks |= EightBytes.upToBlank(eight);
    }
    return EightBytes.isAscii(all) && blanks != 0;
  }

  private static boolean isAscii(byte[] text, int from, int to) {
    int all = 0;
    for (int at = from; at < to; at++) {
      all |= text[at];
    }
    return all >= 0;
  }

  private static boolean hasBlank(byte[] text, int from, int to) {
    return endOfStretch(text, from, to) < to;
  }

  private static int firstOther(byte[] text, int from, int to) {
    int at = from;
    while (at < to && text[at] >= 0) {
      at++;
    }
    return at;
  }

  private static int startOfStretch(byte[] text, int least, int from) {
    int at = from;
    while (at > least && !isBlank(text[at - 1])) {
      at--;
    }
    return at;
  }

  private static int endOfStretch(byte[] text, int from, int end) {
    int at = from;
    while (at < end && !isBlank(text[at])) {
      at++;
    }
    return at;
  }

  private static boolean isBlank(byte character) {
    return character >= 0 && character <= BLANK;
  }

  private static boolean isLetterOrDigit(byte ascii) {
    return isLetter(ascii) || isDigit(ascii);
  }

  /** Whether a byte of plain form is a letter to words: one of ASCII, or of any other word. */
  static boolean isLetter(byte plain) {
    int lower = plain | 0x20;
    return plain < 0 || (lower >= 'a' && lower <= 'z');
  }

  static boolean isDigit(byte plain) {
    return plain >= '0' && plain <= '9';
  }
}
