package io.kmodel.indexer.index.verify;

import com.google.common.collect.ImmutableList;

/**
 * Statistics of the text of one tokenized field.
 *
 * @param field its name
 * @param vocabulary the number of distinct terms after 1, 2, 5, 10, 20, ... documents and after all
 * @param heaps K and beta of Heaps' law, terms = K · tokens^beta, fitted to the vocabulary
 * @param ranks the frequencies of the 1st, 2nd, 5th, 10th, 20th, ... most frequent term and of the
 *     last
 * @param zipf C and s of Zipf's law, frequency = C / rank^s, fitted to the ranks
 * @param longest the longest lists, longest first
 * @param postings sum of the document frequencies of all terms
 * @param tokens occurrences of all terms
 */
public record CorpusStatistics(
    String field,
    ImmutableList<Vocabulary> vocabulary,
    PowerLaw heaps,
    ImmutableList<Rank> ranks,
    PowerLaw zipf,
    ImmutableList<LongList> longest,
    long postings,
    long tokens) {

  /** The number of distinct terms in the first documents, which have this many tokens. */
  public record Vocabulary(int documents, long tokens, long terms) {}

  /** The frequency of the term at a rank, counted from 1 for the most frequent. */
  public record Rank(long rank, long frequency) {}

  /** A term with the length of its list. */
  public record LongList(String term, int documents, long occurrences) {}

  /**
   * y = factor · x^exponent, fitted by least squares on the logarithms. Both are NaN if there are
   * fewer than two points.
   */
  public record PowerLaw(double factor, double exponent) {
    static PowerLaw fit(double[] x, double[] y) {
      int n = x.length;
      double meanX = 0;
      double meanY = 0;
      for (int i = 0; i < n; i++) {
        meanX += Math.log(x[i]) / n;
        meanY += Math.log(y[i]) / n;
      }
      double covariance = 0;
      double variance = 0;
      for (int i = 0; i < n; i++) {
        covariance += (Math.log(x[i]) - meanX) * (Math.log(y[i]) - meanY);
        variance += (Math.log(x[i]) - meanX) * (Math.log(x[i]) - meanX);
      }
      if (variance == 0) {
        return new PowerLaw(Double.NaN, Double.NaN);
      }
      double exponent = covariance / variance;
      return new PowerLaw(Math.exp(meanY - exponent * meanX), exponent);
    }
  }
}
