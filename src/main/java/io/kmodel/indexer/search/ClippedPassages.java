package io.kmodel.indexer.search;

import org.apache.lucene.search.uhighlight.Passage;
import org.apache.lucene.search.uhighlight.PassageFormatter;

/**
 * Writes passages with what matches in brackets, and of a passage that is long, as a sentence is
 * where nobody has put full stops, what is around its first match. Immutable.
 */
final class ClippedPassages extends PassageFormatter {
  private static final String ELLIPSIS = " … ";

  /** Characters of a passage that are shown. */
  private static final int MOST = 400;

  /** Of these, before its first match. */
  private static final int BEFORE = 100;

  /** How far a word is looked for to begin or end with. */
  private static final int WORD = 40;

  /** The text of passages, which are in order of their places. */
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

  /** A place that is not within a character. */
  private static int whole(int at, String content) {
    return Character.isLowSurrogate(content.charAt(at)) ? at - 1 : at;
  }

  private static void append(
      Passage passage, int from, int to, String content, StringBuilder text) {
    int at = from;
    int[] starts = passage.getMatchStarts();
    int[] ends = passage.getMatchEnds();
    for (int i = 0; i < passage.getNumMatches() && starts[i] < to; i++) {
      // Words of one place, as synonyms, and of overlapping ones are marked together.
      int start = Math.max(at, starts[i]);
      int end = ends[i];
      while (i + 1 < passage.getNumMatches() && starts[i + 1] < end) {
        i++;
        end = Math.max(end, ends[i]);
      }
      end = Math.min(end, to);
      if (end > start) {
        text.append(content, at, start).append('[').append(content, start, end).append(']');
        at = end;
      }
    }
    text.append(content, at, to);
  }
}
