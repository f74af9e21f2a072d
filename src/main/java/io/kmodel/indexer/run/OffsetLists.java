package io.kmodel.indexer.run;

import io.kmodel.indexer.index.PostingsCursor;
import io.kmodel.indexer.index.Schema;
import java.lang.foreign.MemorySegment;

/**
 * The sorted keys of a run that has offsets: where the keys of other runs hold positions, these
 * hold a token's number within its document, and the rest is looked up, see {@link TokenPlaces}.
 * Not thread-safe.
 */
final class OffsetLists extends SortedLists {
  private final RunDocuments documents;
  private final TokenPlaces places;

  /** Whether the current term's field has offsets, and not positions alone. */
  private boolean offsets;

  /** The document of the last position handed out, -1 for none, and its first token's number. */
  private int doc = -1;

  private long firstToken;

  /** What the gaps of the next position and start count from. */
  private int previousPosition;

  private int previousStart;

  /** What {@link SortedLists} is made of, and where the tokens stand. */
  OffsetLists(
      Run run,
      MemorySegment keys,
      MemorySegment scratch,
      RunDocuments documents,
      TokenPlaces places) {
    super(run, keys, scratch);
    this.documents = documents;
    this.places = places;
  }

  /** What the keys are about. */
  record Run(Schema schema, KeyLayout layout, TermDictionary dictionary) {}

  @Override
  public boolean nextTerm() {
    boolean found = super.nextTerm();
    offsets = found && schema.field(term()[0] & 0xFF).detail().hasOffsets();
    return found;
  }

  @Override
  public int nextDocs(int[] docs, int[] freqs) {
    doc = -1;
    return super.nextDocs(docs, freqs);
  }

  @Override
  void decodePositions(int[] columns, int from, int n) {
    for (int i = 0; i < n; i++) {
      long key = key(from + i);
      if (layout.doc(key) != doc) {
        doc = layout.doc(key);
        firstToken = documents.firstToken(doc);
        previousPosition = 0;
        previousStart = 0;
      }
      long place = places.entry(firstToken + layout.position(key));
      int position = TokenPlaces.position(place);
      columns[i] = position - previousPosition;
      previousPosition = position;
      if (offsets) {
        int start = TokenPlaces.start(place);
        columns[PostingsCursor.STARTS + i] = start - previousStart;
        columns[PostingsCursor.LENGTHS + i] = TokenPlaces.length(place);
        previousStart = start;
      }
    }
  }
}
