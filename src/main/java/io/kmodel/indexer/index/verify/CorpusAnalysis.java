package io.kmodel.indexer.index.verify;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.FieldStatistics;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.verify.CorpusStatistics.LongList;
import io.kmodel.indexer.index.verify.CorpusStatistics.PowerLaw;
import io.kmodel.indexer.index.verify.CorpusStatistics.Rank;
import io.kmodel.indexer.index.verify.CorpusStatistics.Vocabulary;
import io.kmodel.indexer.task.Interruption;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;

/**
 * Computes {@link CorpusStatistics} from an index, in one pass over the dictionary and the first
 * block of every list, and one over the lengths. Memory does not grow with the number of terms. It
 * holds a counter per point of the curves, the longest lists, and a counter per distinct frequency,
 * of which there are fewer than √(2 · tokens).
 */
public final class CorpusAnalysis {
  private static final int LONGEST = 10;

  private static final Comparator<LongList> BY_LENGTH =
      Comparator.comparingInt(LongList::documents)
          .thenComparing(LongList::term, Comparator.reverseOrder());

  private final InvertedIndex index;
  private final int field;

  /** Document counts at which the vocabulary is counted, ascending; the last is the total. */
  private final int[] checkpoints;

  /** New terms since the previous checkpoint. */
  private final long[] newTerms;

  /** Number of terms per total frequency. */
  private final Map<Long, Long> termsByFrequency = new TreeMap<>(Comparator.reverseOrder());

  private final PriorityQueue<LongList> longest = new PriorityQueue<>(BY_LENGTH);

  private CorpusAnalysis(InvertedIndex index, int field) {
    this.index = index;
    this.field = field;
    this.checkpoints = steps(index.documentCount()).stream().mapToInt(Math::toIntExact).toArray();
    this.newTerms = new long[checkpoints.length];
  }

  /** Computes the statistics of all tokenized fields, ordered by name. */
  public static ImmutableList<CorpusStatistics> of(InvertedIndex index) throws IOException {
    ImmutableList.Builder<CorpusStatistics> fields = ImmutableList.builder();
    for (int field = 0; field < index.schema().size(); field++) {
      if (index.schema().field(field).tokenized()) {
        fields.add(new CorpusAnalysis(index, field).analyze());
      }
    }
    return fields.build();
  }

  private CorpusStatistics analyze() throws IOException {
    walkTerms();
    FieldStatistics statistics = index.statistics(field);
    ImmutableList<Vocabulary> vocabulary = vocabulary();
    ImmutableList<Rank> ranks = ranks(statistics.terms());
    PowerLaw zipf =
        PowerLaw.fit(
            ranks.stream().mapToDouble(Rank::rank).toArray(),
            ranks.stream().mapToDouble(Rank::frequency).toArray());
    return new CorpusStatistics(
        index.schema().field(field).name(),
        vocabulary,
        heaps(vocabulary),
        ranks,
        new PowerLaw(zipf.factor(), -zipf.exponent()),
        longest.stream().sorted(BY_LENGTH.reversed()).collect(ImmutableList.toImmutableList()),
        statistics.postings(),
        statistics.tokens());
  }

  private void walkTerms() throws IOException {
    int[] docs = new int[PostingsCursor.BLOCK];
    int[] freqs = new int[PostingsCursor.BLOCK];
    try (PostingsCursor terms = index.cursor()) {
      while (terms.nextTerm()) {
        Interruption.requireNone();
        if ((terms.term()[0] & 0xFF) == field) {
          terms.nextDocs(docs, freqs);
          newTerms[checkpoint(docs[0])]++;
          termsByFrequency.merge(terms.totalTermFreq(), 1L, Long::sum);
          keepIfLong(terms);
        }
      }
    }
  }

  /** The first checkpoint that includes a document. */
  private int checkpoint(int docId) {
    int found = Arrays.binarySearch(checkpoints, docId + 1);
    return found < 0 ? -found - 1 : found;
  }

  private void keepIfLong(PostingsCursor terms) {
    LongList least = longest.size() < LONGEST ? null : longest.peek();
    if (least != null && least.documents() >= terms.docFreq()) {
      return; // Of equally long lists, the smallest terms are kept, and terms arrive in order.
    }
    if (least != null) {
      longest.remove();
    }
    String term = new String(terms.term(), 1, terms.termLength() - 1, StandardCharsets.UTF_8);
    longest.add(new LongList(term, terms.docFreq(), terms.totalTermFreq()));
  }

  private ImmutableList<Vocabulary> vocabulary() throws IOException {
    ImmutableList.Builder<Vocabulary> curve = ImmutableList.builder();
    long tokens = 0;
    long terms = 0;
    int docId = 0;
    for (int i = 0; i < checkpoints.length; i++) {
      for (; docId < checkpoints[i]; docId++) {
        tokens += index.length(field, docId);
      }
      terms += newTerms[i];
      curve.add(new Vocabulary(docId, tokens, terms));
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
  private ImmutableList<Rank> ranks(long terms) {
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
