package io.kmodel.indexer.analysis.words;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.en.PorterStemFilter;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.util.UnicodeUtil;

/**
 * Stems one word at a time with Lucene's PorterStemFilter. Memory: two copies of the longest word.
 * Not thread-safe.
 */
final class LuceneStems {
  private final OneWord word = new OneWord();
  private final TokenStream stems = new PorterStemFilter(word);

  /**
   * Stems a word in place.
   *
   * @param bytes holds the UTF-8 word at offset
   * @return the stem's length, at most the word's
   */
  int stem(byte[] bytes, int offset, int length) {
    char[] chars = word.term.resizeBuffer(length);
    word.term.setLength(UnicodeUtil.UTF8toUTF16(bytes, offset, length, chars));
    try {
      stems.incrementToken();
    } catch (IOException e) {
      throw new UncheckedIOException("reading from memory failed", e);
    }
    return UnicodeUtil.UTF16toUTF8(word.term, 0, word.term.length(), bytes, offset) - offset;
  }

  /** A stream that always has the token of its attribute. */
  private static final class OneWord extends TokenStream {
    final CharTermAttribute term = addAttribute(CharTermAttribute.class);

    @Override
    public boolean incrementToken() {
      return true;
    }
  }
}
