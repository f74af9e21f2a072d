package io.kmodel.indexer.analysis;

import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.StopFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.en.EnglishPossessiveFilter;
import org.apache.lucene.analysis.en.KStemFilter;
import org.apache.lucene.analysis.en.PorterStemFilter;
import org.apache.lucene.analysis.standard.StandardTokenizer;

/**
 * Lucene's EnglishAnalyzer with configurable parts: the same filters in the same order, with
 * another stemmer, other stop words, or another maximum length of words.
 */
final class EnglishChain extends Analyzer {
  /** The stemming algorithm. */
  enum Stemmer {
    PORTER,
    /** Krovetz's algorithm, which Lucene calls KStem. */
    KROVETZ,
    NONE
  }

  private final Stemmer stemmer;
  private final CharArraySet stopWords;
  private final int maxTokenLength;

  EnglishChain(Stemmer stemmer, CharArraySet stopWords, int maxTokenLength) {
    this.stemmer = stemmer;
    this.stopWords = stopWords;
    this.maxTokenLength = maxTokenLength;
  }

  @Override
  protected TokenStreamComponents createComponents(String fieldName) {
    StandardTokenizer words = new StandardTokenizer();
    words.setMaxTokenLength(maxTokenLength);
    TokenStream terms = new LowerCaseFilter(new EnglishPossessiveFilter(words));
    terms = new StopFilter(terms, stopWords);
    return new TokenStreamComponents(
        words,
        switch (stemmer) {
          case PORTER -> new PorterStemFilter(terms);
          case KROVETZ -> new KStemFilter(terms);
          case NONE -> terms;
        });
  }

  @Override
  protected TokenStream normalize(String fieldName, TokenStream in) {
    return new LowerCaseFilter(in);
  }
}
