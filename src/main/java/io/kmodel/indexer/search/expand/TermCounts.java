package io.kmodel.indexer.search.expand;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.TermToBytesRefAttribute;
import org.apache.lucene.util.BytesRef;

/** Counts the occurrences of each of a field's terms in a text. */
public final class TermCounts {
  private TermCounts() {}

  /** The counts, in the order of the terms' first occurrences. Memory: all distinct terms. */
  public static Map<BytesRef, Integer> of(Analyzer analyzer, String field, String text)
      throws IOException {
    Map<BytesRef, Integer> counts = new LinkedHashMap<>();
    try (TokenStream tokens = analyzer.tokenStream(field, text)) {
      TermToBytesRefAttribute term = tokens.addAttribute(TermToBytesRefAttribute.class);
      tokens.reset();
      while (tokens.incrementToken()) {
        counts.merge(BytesRef.deepCopyOf(term.getBytesRef()), 1, Integer::sum);
      }
      tokens.end();
    }
    return counts;
  }
}
