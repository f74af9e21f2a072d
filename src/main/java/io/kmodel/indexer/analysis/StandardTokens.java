package io.kmodel.indexer.analysis;

import io.kmodel.indexer.analysis.words.WordScanner;
import io.kmodel.indexer.analysis.words.WordSink;

/**
 * The tokens of Lucene's StandardAnalyzer with default parameters: words by Unicode's rules,
 * lowercased, with no stop words removed. A word of more than 255 UTF-16 units is split there.
 * Memory: about 3 KB. Not thread-safe.
 */
public final class StandardTokens implements FieldTokens {
  private final WordScanner scanner = new WordScanner();

  @Override
  public void tokens(int field, byte[] text, int offset, int length, TokenSink sink) {
    scanner.scan(text, offset, length, new Numbered(field, sink));
  }

  @Override
  public int startOffset() {
    return scanner.startOffset();
  }

  @Override
  public int endOffset() {
    return scanner.endOffset();
  }

  /** Gives each word the next position. */
  private static final class Numbered implements WordSink {
    private final int field;
    private final TokenSink sink;
    private int position;

    Numbered(int field, TokenSink sink) {
      this.field = field;
      this.sink = sink;
    }

    @Override
    public void word(byte[] bytes, int offset, int length) {
      sink.token(field, bytes, offset, length, position++);
    }
  }
}
