package io.kmodel.indexer.analysis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.analysis.tokenattributes.TermToBytesRefAttribute;
import org.apache.lucene.util.BytesRef;

/**
 * Compares the tokens from bytes with those of Lucene's analyzer of the same name: terms,
 * positions, and offsets in UTF-16 units. Not thread-safe.
 */
public final class TokenComparison implements AutoCloseable {
  private static final int FIELD = 3;

  private final Analyzer analyzer;
  private final FieldTokens fromBytes;

  private byte[] terms = new byte[1 << 10];
  private int count;

  /** Of each token: where its term ends in terms, its position, its start and end in bytes. */
  private int[] tokens = new int[1 << 8];

  public TokenComparison(String name) {
    analyzer = Analyzers.named(name);
    fromBytes = Analyzers.fieldTokens(name).orElseThrow();
  }

  /** Fails at the first token that differs. Returns how many there are. */
  public int check(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    collect(utf8);
    int[] chars = charOffsets(text, utf8.length);
    int i = 0;
    try (TokenStream lucene = analyzer.tokenStream("", text)) {
      TermToBytesRefAttribute term = lucene.getAttribute(TermToBytesRefAttribute.class);
      PositionIncrementAttribute increment = lucene.getAttribute(PositionIncrementAttribute.class);
      OffsetAttribute offset = lucene.getAttribute(OffsetAttribute.class);
      lucene.reset();
      int position = -1;
      while (lucene.incrementToken()) {
        position += increment.getPositionIncrement();
        BytesRef expected = term.getBytesRef();
        if (i == count
            || !termAt(i).equals(expected)
            || tokens[4 * i + 1] != position
            || chars[tokens[4 * i + 2]] != offset.startOffset()
            || chars[tokens[4 * i + 3]] != offset.endOffset()) {
          throw difference(text, i, chars, describe(expected, position, offset));
        }
        i++;
      }
      lucene.end();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (i != count) {
      throw difference(text, i, chars, "the end");
    }
    return count;
  }

  private void collect(byte[] utf8) {
    count = 0;
    fromBytes.tokens(
        FIELD,
        utf8,
        0,
        utf8.length,
        (field, bytes, offset, length, position) -> {
          int start = count == 0 ? 0 : tokens[4 * count - 4];
          if (start + length > terms.length) {
            terms = Arrays.copyOf(terms, 2 * (start + length));
          }
          if (4 * count + 4 > tokens.length) {
            tokens = Arrays.copyOf(tokens, 2 * tokens.length);
          }
          System.arraycopy(bytes, offset, terms, start, length);
          tokens[4 * count] = start + length;
          tokens[4 * count + 1] = field == FIELD ? position : -1;
          tokens[4 * count + 2] = fromBytes.startOffset();
          tokens[4 * count + 3] = fromBytes.endOffset();
          count++;
        });
  }

  private BytesRef termAt(int i) {
    int start = i == 0 ? 0 : tokens[4 * i - 4];
    return new BytesRef(terms, start, tokens[4 * i] - start);
  }

  /** Of each byte that starts a character, the UTF-16 units before it. */
  private static int[] charOffsets(String text, int bytes) {
    int[] chars = new int[bytes + 1];
    Arrays.fill(chars, -1);
    int at = 0;
    int i = 0;
    while (i < text.length()) {
      chars[at] = i;
      int codePoint = text.codePointAt(i);
      at += Character.toString(codePoint).getBytes(StandardCharsets.UTF_8).length;
      i += Character.charCount(codePoint);
    }
    chars[at] = i;
    return chars;
  }

  private static String describe(BytesRef term, int position, OffsetAttribute offset) {
    return "'%s' at %d, offsets %d to %d"
        .formatted(term.utf8ToString(), position, offset.startOffset(), offset.endOffset());
  }

  private AssertionError difference(String text, int i, int[] chars, String expected) {
    String actual = "the end";
    int place = i == 0 || i > count ? 0 : chars[tokens[4 * i - 1]];
    if (i < count) {
      actual =
          "'%s' at %d, offsets %d to %d"
              .formatted(
                  termAt(i).utf8ToString(),
                  tokens[4 * i + 1],
                  chars[tokens[4 * i + 2]],
                  chars[tokens[4 * i + 3]]);
    }
    StringBuilder around = new StringBuilder();
    text.substring(Math.max(0, place - 10), Math.min(text.length(), place + 30))
        .codePoints()
        .forEach(c -> around.append(c < 0x7F && c > 0x1F ? Character.toString(c) : hex(c)));
    return new AssertionError(
        "token %d: expected %s, got %s, in: %s".formatted(i, expected, actual, around));
  }

  private static String hex(int codePoint) {
    return "<%X>".formatted(codePoint);
  }

  @Override
  public void close() {
    analyzer.close();
  }
}
