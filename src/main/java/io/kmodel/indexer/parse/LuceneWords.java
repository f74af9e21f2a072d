package io.kmodel.indexer.parse;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;
import org.apache.lucene.util.UnicodeUtil;

/**
 * The words of a piece of UTF-8 text, found by Lucene's StandardTokenizer and LowerCaseFilter
 * themselves. The tokenizer reads the bytes through a decoder: memory is its buffer, whatever the
 * text. Not thread-safe.
 */
final class LuceneWords {
  private final StandardTokenizer tokenizer = new StandardTokenizer();
  private final TokenStream words = new LowerCaseFilter(tokenizer);
  private final CharTermAttribute term = words.getAttribute(CharTermAttribute.class);
  private final OffsetAttribute offsets = words.getAttribute(OffsetAttribute.class);
  private final Utf8Reader reader = new Utf8Reader();

  private byte[] text = {};
  private int end;

  /** A place in the text that both offsets are known of: not behind the word at hand. */
  private int byteOffset;

  private int charOffset;

  /**
   * Hands the words to a sink.
   *
   * @param text holds them from start to end, where no word may cross
   * @param buffer takes a word at a time, from {@link WordScanner#WORD_START} on
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

  /** Where the word at hand starts, in bytes. */
  int startOffset() {
    byteOffset = advance(byteOffset, offsets.startOffset() - charOffset);
    charOffset = offsets.startOffset();
    return byteOffset;
  }

  /** Where it ends. */
  int endOffset() {
    return advance(byteOffset, offsets.endOffset() - charOffset);
  }

  /** The byte that lies some UTF-16 units behind one that starts a character. */
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
