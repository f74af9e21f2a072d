package io.kmodel.indexer.export.lucene.postings;

import com.google.common.primitives.ImmutableIntArray;
import io.kmodel.indexer.index.model.PostingsCursor;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

/** Hands lists out in blocks of all sizes, as a merge does, or in full ones. */
public class BlocksCursor implements PostingsCursor {
  /** One document: its position gaps, and as many gaps of starts and lengths. */
  public record Posting(
      int docId, ImmutableIntArray gaps, ImmutableIntArray startGaps, ImmutableIntArray lengths) {
    public int freq() {
      return gaps.length();
    }
  }

  /**
   * One list.
   *
   * @param bytes the term, a character for each byte
   */
  public record Term(int field, String bytes, List<Posting> postings) {
    Term(int field, List<Posting> postings) {
      this(field, "", postings);
    }
  }

  private final List<Term> terms;
  private final Random random;
  private final boolean inFullBlocks;
  private int term = -1;
  private int posting;
  private int positionsOf;
  private int position;

  BlocksCursor(List<Term> terms, Random random) {
    this.terms = terms;
    this.random = random;
    this.inFullBlocks = random.nextBoolean();
  }

  @Override
  public boolean nextTerm() {
    posting = 0;
    position = 0;
    positionsOf = 0;
    return ++term < terms.size();
  }

  @Override
  public byte[] term() {
    String key = (char) terms.get(term).field + terms.get(term).bytes;
    return key.getBytes(StandardCharsets.ISO_8859_1);
  }

  @Override
  public int termLength() {
    return 1 + terms.get(term).bytes.length();
  }

  @Override
  public int docFreq() {
    return terms.get(term).postings.size();
  }

  @Override
  public long totalTermFreq() {
    return terms.get(term).postings.stream().mapToLong(Posting::freq).sum();
  }

  @Override
  public int nextDocs(int[] docs, int[] freqs) {
    List<Posting> postings = terms.get(term).postings;
    positionsOf = posting;
    position = 0;
    int n = Math.min(postings.size() - posting, some());
    for (int i = 0; i < n; i++) {
      docs[i] = postings.get(posting).docId;
      freqs[i] = postings.get(posting++).freq();
    }
    return n;
  }

  private int some() {
    return inFullBlocks ? BLOCK : 1 + random.nextInt(BLOCK);
  }

  @Override
  public int nextPositions(int[] deltas) {
    List<Posting> postings = terms.get(term).postings;
    int most = some();
    int n = 0;
    for (; n < most && positionsOf < posting; n++) {
      Posting of = postings.get(positionsOf);
      deltas[n] = of.gaps.get(position);
      deltas[STARTS + n] = of.startGaps.get(position);
      deltas[LENGTHS + n] = of.lengths.get(position);
      if (++position == of.freq()) {
        position = 0;
        positionsOf++;
      }
    }
    return n;
  }

  @Override
  public void close() {}
}
