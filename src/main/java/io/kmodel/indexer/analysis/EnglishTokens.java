package io.kmodel.indexer.analysis;

import io.kmodel.indexer.analysis.words.EnglishWords;
import io.kmodel.indexer.analysis.words.WordScanner;
import io.kmodel.indexer.analysis.words.WordSink;

/**
 * The tokens of Lucene's EnglishAnalyzer with default parameters: the words of {@link
 * StandardTokens} without a possessive 's and without Lucene's English stop words (which leave gaps
 * in the positions), stemmed by Porter. Memory: about 140 KB. Not thread-safe.
 */
public final class EnglishTokens implements FieldTokens {
  private final WordScanner scanner = new WordScanner();
  private final EnglishWords words = new EnglishWords();

  @Override
  public void tokens(int field, byte[] text, int offset, int length, TokenSink sink) {
    scanner.scan(text, offset, length, new Stemmed(words, field, sink));
  }

  @Override
  public int startOffset() {
    return scanner.startOffset();
  }

  @Override
  public int endOffset() {
    return scanner.endOffset();
  }

  /** Counts the positions of all words, and passes on those that are not stop words. */
  private static final class Stemmed implements WordSink {
    private final EnglishWords words;
    private final int field;
    private final TokenSink sink;
    private int position;

    Stemmed(EnglishWords words, int field, TokenSink sink) {
      this.words = words;
      this.field = field;
      this.sink = sink;
    }

    @Override
    public void word(byte[] bytes, int offset, int length) {
      int stem = words.stem(bytes, offset, length);
      if (stem != EnglishWords.NOTHING) {
        sink.token(field, bytes, offset, stem, position);
      }
      position++;
    }
  }
}
