package io.kmodel.indexer.index.verify;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.index.verify.CorpusStatistics.LongList;
import io.kmodel.indexer.index.verify.CorpusStatistics.PowerLaw;
import io.kmodel.indexer.index.verify.CorpusStatistics.Rank;
import io.kmodel.indexer.index.verify.CorpusStatistics.Vocabulary;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;

/**
 * Counts the terms of one field, in their order, for {@link CorpusStatistics}. Memory does not grow
 * with the number of terms. It holds a counter per point of the curves, the longest lists, and a
 * counter per distinct frequency, of which there are fewer than √(2 · tokens). Not thread-safe.
 */
public final class CorpusCount {
  private static final int LONGEST = 10;

  private static final Comparator<LongList> BY_LENGTH =
      Comparator.comparingInt(LongList::documents)
          .thenComparing(LongList::term, Comparator.reverseOrder());

  /** Document counts at which the vocabulary is counted, ascending; the last is the total. */
  private final int[] checkpoints;

  /** New terms since the previous checkpoint. */
  private final long[] newTerms;

  /** Number of terms per total frequency. */
  private final Map<Long, Long> termsByFrequency = new TreeMap<>(Comparator.reverseOrder());

  private final PriorityQueue<LongList> longest = new PriorityQueue<>(BY_LENGTH);
  private long terms;
  private long postings;
  private long tokens;

  /** The length of a document in tokens. */
  @FunctionalInterface
  public interface Lengths {
    int of(int docId) throws IOException;
  }

  public CorpusCount(int documents) {
    this.checkpoints = steps(documents).stream().mapToInt(Math::toIntExact).toArray();
    this.newTerms = new long[checkpoints.length];
  }

  /**
   * Counts a term.
   *
   * @param term holds its UTF-8 at offset
   * @param firstDoc its first document
   */
  public void add(
      byte[] term, int offset, int length, int firstDoc, int docFreq, long totalTermFreq) {
    terms++;
    postings += docFreq;
    tokens += totalTermFreq;
    newTerms[checkpoint(firstDoc)]++;
    termsByFrequency.merge(totalTermFreq, 1L, Long::sum);
    LongList least = longest.size() < LONGEST ? null : longest.peek();
    if (least != null && least.documents() >= docFreq) {
      return; // Of equally long lists, the smallest terms are kept, and terms arrive in order.
    }
    if (least != null) {
      longest.remove();
    }
    String text = new String(term, offset, length, StandardCharsets.UTF_8);
    longest.add(new LongList(text, docFreq, totalTermFreq));
  }

  /** The first checkpoint that includes a document. */
  private int checkpoint(int docId) {
    int found = Arrays.binarySearch(checkpoints, docId + 1);
    return found < 0 ? -found - 1 : found;
  }

  /** The statistics of all terms counted. */
  public CorpusStatistics statistics(String field, Lengths lengths) throws IOException {
    ImmutableList<Vocabulary> vocabulary = vocabulary(lengths);
    ImmutableList<Rank> ranks = ranks();
    PowerLaw zipf =
        PowerLaw.fit(
            ranks.stream().mapToDouble(Rank::rank).toArray(),
            ranks.stream().mapToDouble(Rank::frequency).toArray());
    return new CorpusStatistics(
        field,
        vocabulary,
        heaps(vocabulary),
        ranks,
        new PowerLaw(zipf.factor(), -zipf.exponent()),
        longest.stream().sorted(BY_LENGTH.reversed()).collect(ImmutableList.toImmutableList()),
        postings,
        tokens);
  }

  private ImmutableList<Vocabulary> vocabulary(Lengths lengths) throws IOException {
    ImmutableList.Builder<Vocabulary> curve = ImmutableList.builder();
    long seenTokens = 0;
    long seenTerms = 0;
    int docId = 0;
    for (int i = 0; i < checkpoints.length; i++) {
      for (; docId < checkpoints[i]; docId++) {
        seenTokens += lengths.of(docId);
      }
      seenTerms += newTerms[i];
      curve.add(new Vocabulary(docId, seenTokens, seenTerms));
    }
    return curve.build();
  }

  private static PowerLaw heaps(List<Vocabulary> vocabulary) {
    List<Vocabulary> known =
        vocabulary.stream().filter(point -> point.tokens() > 0 && point.terms() > 0).toList();
    return PowerLaw.fit(
        known.stream().mapToDouble(Vocabulary::tokens).toArray(),
        known.stream().mapToDouble(Vocabulary::terms).toArray());
  }

  /** Walks the frequencies in descending order; each covers a run of ranks. */
  private ImmutableList<Rank> ranks() {
    ImmutableList.Builder<Rank> curve = ImmutableList.builder();
    List<Long> wanted = steps(terms);
    int next = 0;
    long last = 0;
    for (Map.Entry<Long, Long> frequency : termsByFrequency.entrySet()) {
      last += frequency.getValue();
      for (; next < wanted.size() && wanted.get(next) <= last; next++) {
        curve.add(new Rank(wanted.get(next), frequency.getKey()));
      }
    }
    return curve.build();
  }

  /** 1, 2, 5, 10, 20, 50, ... below a number, then the number itself; empty for 0. */
  private static List<Long> steps(long number) {
    ImmutableList.Builder<Long> steps = ImmutableList.builder();
    for (long power = 1; power < number; power *= 10) {
      for (long factor : new long[] {1, 2, 5}) {
        if (factor * power < number) {
          steps.add(factor * power);
        }
      }
    }
    if (number > 0) {
      steps.add(number);
    }
    return steps.build();
  }
}
