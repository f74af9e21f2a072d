package io.kmodel.indexer.run;

import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.model.Schema;
import java.lang.foreign.MemorySegment;

/**
 * Lists of the sorted keys of a run with offsets. Its keys have a token's number within the
 * document where those of other runs have positions; position and offsets are read from {@link
 * TokenPlaces}. Not thread-safe.
 */
final class OffsetLists extends SortedLists {
  private final RunDocuments documents;
  private final TokenPlaces places;

  /** Whether the current term's field has offsets, not only positions. */
  private boolean offsets;

  /** The document of the last returned position, -1 for none, and its first token's number. */
  private int doc = -1;

  private long firstToken;

  /** The last position and start, from which the next gaps count. */
  private int previousPosition;

  private int previousStart;

  /** The arguments of {@link SortedLists}, and the data of documents and tokens. */
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

  /** What a run's keys refer to. */
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
