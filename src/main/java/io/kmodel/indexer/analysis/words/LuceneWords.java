package io.kmodel.indexer.analysis.words;

import io.kmodel.indexer.parse.text.Utf8Reader;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;
import org.apache.lucene.util.UnicodeUtil;

/**
 * Finds the words of a piece of UTF-8 text with Lucene's StandardTokenizer and LowerCaseFilter. The
 * tokenizer reads the bytes through a decoder, so memory is its buffer, whatever the text. Not
 * thread-safe.
 */
final class LuceneWords {
  private final StandardTokenizer tokenizer = new StandardTokenizer();
  private final TokenStream words = new LowerCaseFilter(tokenizer);
  private final CharTermAttribute term = words.getAttribute(CharTermAttribute.class);
  private final OffsetAttribute offsets = words.getAttribute(OffsetAttribute.class);
  private final Utf8Reader reader = new Utf8Reader();

  private byte[] text = {};
  private int end;

  /** A position in the text with both offsets known; not after the current word. */
  private int byteOffset;

  private int charOffset;

  /**
   * Passes the words to a sink.
   *
   * @param text holds them from start to end, which no word may cross
   * @param buffer receives one word at a time, from {@link WordScanner#WORD_START} on
   */
  void scan(byte[] text, int start, int end, byte[] buffer, WordSink sink) {
    this.text = text;
    this.end = end;
    byteOffset = start;
    charOffset = 0;
    reader.read(text, start, end);
    try (tokenizer) {
      tokenizer.setReader(reader);
      words.reset();
      while (words.incrementToken()) {
        int length =
            UnicodeUtil.UTF16toUTF8(term, 0, term.length(), buffer, WordScanner.WORD_START);
        sink.word(buffer, WordScanner.WORD_START, length - WordScanner.WORD_START);
      }
      words.end();
    } catch (IOException e) {
      throw new UncheckedIOException("reading from memory failed", e);
    }
  }

  /** Returns the start of the current word, in bytes. */
  int startOffset() {
    byteOffset = advance(byteOffset, offsets.startOffset() - charOffset);
    charOffset = offsets.startOffset();
    return byteOffset;
  }

  /** Returns its end. */
  int endOffset() {
    return advance(byteOffset, offsets.endOffset() - charOffset);
  }

  /** Returns the offset of the byte some UTF-16 units after one that starts a character. */
  private int advance(int from, int units) {
    int at = from;
    int left = units;
    while (left > 0 && at < end) {
      int bytes = Utf8Reader.length(text[at]);
      at += bytes;
      left -= bytes == 4 ? 2 : 1;
    }
    return Math.min(at, end);
  }
}
