package io.kmodel.indexer.search;

import org.apache.lucene.search.uhighlight.Passage;
import org.apache.lucene.search.uhighlight.PassageFormatter;

/**
 * Formats passages with matches between two characters. A long passage, such as a sentence in a
 * text without full stops, is clipped around its first match. Immutable.
 */
final class ClippedPassages extends PassageFormatter {
  private static final String ELLIPSIS = " … ";

  /** Maximum number of characters shown per passage. */
  private static final int MOST = 400;

  /** How many of them precede the first match. */
  private static final int BEFORE = 100;

  /** Maximum distance to a word boundary at which to clip. */
  private static final int WORD = 40;

  private final char open;
  private final char close;

  ClippedPassages(char open, char close) {
    this.open = open;
    this.close = close;
  }

  /** Formats passages, which are ordered by their offsets. */
  @Override
  public String format(Passage[] passages, String content) {
    StringBuilder text = new StringBuilder();
    int shown = 0;
    boolean isCut = false;
    for (Passage passage : passages) {
      int from = from(passage, content);
      if (isCut || (from > shown && (shown > 0 || from > passage.getStartOffset()))) {
        text.append(ELLIPSIS);
      }
      shown = to(from, passage, content);
      append(passage, from, shown, content, text);
      isCut = shown < passage.getEndOffset();
    }
    if (isCut) {
      text.append(ELLIPSIS);
    }
    return text.toString();
  }

  private static int from(Passage passage, String content) {
    int start = passage.getStartOffset();
    if (passage.getEndOffset() - start <= MOST || passage.getNumMatches() == 0) {
      return start;
    }
    int match = passage.getMatchStarts()[0];
    int from = Math.max(start, match - BEFORE);
    for (int at = from; from > start && at < Math.min(match, from + WORD); at++) {
      if (Character.isWhitespace(content.charAt(at))) {
        return at + 1;
      }
    }
    return from > start ? whole(from, content) : from;
  }

  private static int to(int from, Passage passage, String content) {
    int end = passage.getEndOffset();
    if (end - from <= MOST) {
      return end;
    }
    int to = from + MOST;
    for (int at = to; at > to - WORD; at--) {
      if (Character.isWhitespace(content.charAt(at))) {
        return at;
      }
    }
    return whole(to, content);
  }

  /** An offset that does not split a surrogate pair. */
  private static int whole(int at, String content) {
    return Character.isLowSurrogate(content.charAt(at)) ? at - 1 : at;
  }

  private void append(Passage passage, int from, int to, String content, StringBuilder text) {
    int at = from;
    int[] starts = passage.getMatchStarts();
    int[] ends = passage.getMatchEnds();
    for (int i = 0; i < passage.getNumMatches() && starts[i] < to; i++) {
      // Matches at the same offset, such as synonyms, and overlapping ones share one pair.
      int start = Math.max(at, starts[i]);
      int end = ends[i];
      while (i + 1 < passage.getNumMatches() && starts[i + 1] < end) {
        i++;
        end = Math.max(end, ends[i]);
      }
      end = Math.min(end, to);
      if (end > start) {
        text.append(content, at, start).append(open).append(content, start, end).append(close);
        at = end;
      }
    }
    text.append(content, at, to);
  }
}
