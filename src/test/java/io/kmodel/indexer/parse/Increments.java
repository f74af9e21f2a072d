package io.kmodel.indexer.parse;

import java.io.IOException;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.core.WhitespaceTokenizer;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;

/** Words between white space, at the increments given, moved in the text where that is given. */
public final class Increments extends Analyzer {
  private final int[] increments;
  private final int[] moves;

  public Increments(int[] increments) {
    this(increments, new int[increments.length]);
  }

  public Increments(int[] increments, int[] moves) {
    this.increments = increments;
    this.moves = moves;
  }

  @Override
  protected TokenStreamComponents createComponents(String fieldName) {
    Tokenizer words = new WhitespaceTokenizer();
    return new TokenStreamComponents(words, new Filter(words, increments, moves));
  }

  private static final class Filter extends TokenFilter {
    private final PositionIncrementAttribute increment =
        addAttribute(PositionIncrementAttribute.class);
    private final OffsetAttribute offset = addAttribute(OffsetAttribute.class);
    private final int[] increments;
    private final int[] moves;
    private int next;

    Filter(TokenStream in, int[] increments, int[] moves) {
      super(in);
      this.increments = increments;
      this.moves = moves;
    }

    @Override
    public void reset() throws IOException {
      super.reset();
      next = 0;
    }

    @Override
    public boolean incrementToken() throws IOException {
      if (!input.incrementToken()) {
        return false;
      }
      int move = moves[next];
      offset.setOffset(offset.startOffset() + move, offset.endOffset() + move);
      increment.setPositionIncrement(increments[next++]);
      return true;
    }
  }
}
