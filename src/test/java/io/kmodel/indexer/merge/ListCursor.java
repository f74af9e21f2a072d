package io.kmodel.indexer.merge;

import io.kmodel.indexer.index.model.PostingsCursor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** A cursor over postings in plain collections; documents come in chunks of at most three. */
final class ListCursor implements PostingsCursor {
  /** A document's positions, ascending. */
  record Posting(int doc, List<Integer> positions) {}

  private static final int CHUNK = 3;

  private final int claimed;
  private final Iterator<Map.Entry<String, List<Posting>>> terms;
  private byte[] term = new byte[0];
  private int termLength;
  private int slack;
  private List<Posting> postings = List.of();
  private int next;
  private int chunkStart;
  private int positionDoc;
  private int positionIndex;
  private boolean closed;
  private boolean failsWhenClosed;

  /** Terms must be ordered as their UTF-8 bytes are. */
  ListCursor(SortedMap<String, List<Posting>> postings) {
    this(postings, 0);
  }

  /** A cursor that claims this many more documents in each list than it has. */
  ListCursor(SortedMap<String, List<Posting>> postings, int claimed) {
    this.terms = postings.entrySet().iterator();
    this.claimed = claimed;
  }

  /** Makes so many bytes follow each term in its array, which callers must ignore. */
  ListCursor withSlack(int bytes) {
    slack = bytes;
    return this;
  }

  @Override
  public boolean nextTerm() {
    if (!terms.hasNext()) {
      return false;
    }
    Map.Entry<String, List<Posting>> entry = terms.next();
    byte[] bytes = entry.getKey().getBytes(StandardCharsets.UTF_8);
    termLength = bytes.length;
    term = Arrays.copyOf(bytes, termLength + slack);
    Arrays.fill(term, termLength, term.length, (byte) 'y');
    postings = entry.getValue();
    next = 0;
    return true;
  }

  @Override
  public byte[] term() {
    return term;
  }

  @Override
  public int termLength() {
    return termLength;
  }

  @Override
  public int docFreq() {
    return claimed + postings.size();
  }

  @Override
  public long totalTermFreq() {
    return postings.stream().mapToLong(p -> p.positions().size()).sum();
  }

  @Override
  public int nextDocs(int[] docs, int[] freqs) {
    chunkStart = next;
    positionDoc = next;
    positionIndex = 0;
    int count = Math.min(CHUNK, postings.size() - next);
    for (int i = 0; i < count; i++) {
      docs[i] = postings.get(next + i).doc();
      freqs[i] = postings.get(next + i).positions().size();
    }
    next += count;
    return count;
  }

  @Override
  public int nextPositions(int[] deltas) {
    int count = 0;
    while (count < 2 && positionDoc < next && chunkStart < next) {
      List<Integer> positions = postings.get(positionDoc).positions();
      int before = positionIndex == 0 ? 0 : positions.get(positionIndex - 1);
      deltas[count++] = positions.get(positionIndex++) - before;
      if (positionIndex == positions.size()) {
        positionDoc++;
        positionIndex = 0;
      }
    }
    return count;
  }

  boolean isClosed() {
    return closed;
  }

  void failWhenClosed() {
    failsWhenClosed = true;
  }

  @Override
  public void close() throws IOException {
    if (failsWhenClosed) {
      throw new IOException("cannot be closed");
    }
    closed = true;
  }
}
