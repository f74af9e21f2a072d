package io.kmodel.indexer.search;

import io.kmodel.indexer.index.model.Schema;
import java.io.IOException;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.uhighlight.UnifiedHighlighter;

/**
 * Picks the sentences of a document that best match a query, by analyzing its contents again.
 * Memory: a few times the document. Thread-safe.
 */
public final class Snippets {
  private static final int PASSAGES = 2;

  /** Characters of a document considered; a longer analysis is not worth its time. */
  private static final int MAX_CHARACTERS = 1 << 20;

  private final ClippedPassages passages;

  /** Creates snippets with a character before each match and one after it. */
  public Snippets(char open, char close) {
    this.passages = new ClippedPassages(open, close);
  }

  /**
   * The best passages on one line, or the first ones if none matches.
   *
   * @param analyzer that the document was indexed with
   */
  public String of(Query query, String contents, Analyzer analyzer) throws IOException {
    UnifiedHighlighter highlighter =
        UnifiedHighlighter.builderWithoutSearcher(analyzer).withFormatter(passages).build();
    Object snippet =
        highlighter.highlightWithoutSearcher(Schema.CONTENTS, query, start(contents), PASSAGES);
    return snippet == null ? "" : snippet.toString().replaceAll("\\s+", " ").strip();
  }

  /** Truncates the text; the highlighter's own limit only applies if it has a searcher. */
  private static String start(String contents) {
    int end = Math.min(contents.length(), MAX_CHARACTERS);
    boolean splitsPair = end < contents.length() && Character.isLowSurrogate(contents.charAt(end));
    // The highlighter splits the values of a field at U+0000.
    return contents.substring(0, splitsPair ? end - 1 : end).replace('\0', ' ');
  }
}
