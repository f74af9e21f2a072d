package io.kmodel.indexer.indexing.merge;

import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.indexing.options.DuplicateIdException;
import io.kmodel.indexer.indexing.options.IdPolicy;
import io.kmodel.indexer.merge.MergingCursor;
import io.kmodel.indexer.merge.TermRange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Stream;

/**
 * Finds the documents of several indexes that must be left out because others have the same id.
 * Reads the lists of the field id. Memory: a bit for each document, and a cursor for each index.
 */
public final class SharedIds {
  /** Records each document that is left out, in the order of ids. */
  @FunctionalInterface
  public interface Listener {
    /**
     * A document is left out.
     *
     * @param index number of its index
     * @throws IOException if it cannot be recorded
     */
    void leftOut(String id, int index) throws IOException;
  }

  private final List<InvertedIndex> indexes;
  private final List<String> names;
  private final IdPolicy policy;
  private final Listener listener;
  private final List<BitSet> leftOut;

  /** By index: its first document among all. */
  private final int[] firstDocs;

  private SharedIds(
      List<InvertedIndex> indexes, List<String> names, IdPolicy policy, Listener listener) {
    this.indexes = indexes;
    this.names = names;
    this.policy = policy;
    this.listener = listener;
    this.firstDocs = new int[indexes.size()];
    for (int i = 1; i < firstDocs.length; i++) {
      firstDocs[i] = firstDocs[i - 1] + indexes.get(i - 1).documentCount();
    }
    this.leftOut = Stream.generate(BitSet::new).limit(indexes.size()).toList();
  }

  /**
   * Finds them.
   *
   * @param names of the indexes, for errors
   * @return the documents of each index that are left out
   * @throws DuplicateIdException if two documents have the same id and the policy does not allow it
   */
  public static List<BitSet> find(
      List<InvertedIndex> indexes, List<String> names, IdPolicy policy, Listener listener)
      throws IOException {
    SharedIds found = new SharedIds(indexes, names, policy, listener);
    int field = indexes.getFirst().schema().find(Schema.ID);
    if (policy != IdPolicy.KEEP && field >= 0) {
      found.walk(TermRange.ofField(field));
    }
    return found.leftOut;
  }

  private void walk(TermRange ids) throws IOException {
    List<MergingCursor.Input> inputs = new ArrayList<>();
    for (int i = 0; i < firstDocs.length; i++) {
      inputs.add(new MergingCursor.Input(new KeyRangeCursor(indexes.get(i), ids), firstDocs[i]));
    }
    int[] docs = new int[PostingsCursor.BLOCK];
    int[] freqs = new int[PostingsCursor.BLOCK];
    try (MergingCursor lists = new MergingCursor(inputs)) {
      while (lists.nextTerm()) {
        int before = -1;
        for (int n = lists.nextDocs(docs, freqs); n > 0; n = lists.nextDocs(docs, freqs)) {
          for (int i = 0; i < n; i++) {
            if (before >= 0) {
              leaveOut(before, docs[i], lists);
            }
            before = docs[i];
          }
        }
      }
    }
  }

  private void leaveOut(int earlier, int later, PostingsCursor ofId) throws IOException {
    String id = new String(ofId.term(), 1, ofId.termLength() - 1, StandardCharsets.UTF_8);
    if (policy == IdPolicy.ERROR) {
      throw new DuplicateIdException(
          "document '%s' of %s has the id of an earlier one, of %s"
              .formatted(id, names.get(index(later)), names.get(index(earlier))));
    }
    int doc = policy == IdPolicy.LAST ? earlier : later;
    int index = index(doc);
    leftOut.get(index).set(doc - firstDocs[index]);
    listener.leftOut(id, index);
  }

  /** The number of a document's index. */
  private int index(int doc) {
    int place = Arrays.binarySearch(firstDocs, doc);
    if (place < 0) {
      return -place - 2;
    }
    // Indexes without documents begin there, too.
    while (place + 1 < firstDocs.length && firstDocs[place + 1] == doc) {
      place++;
    }
    return place;
  }
}
