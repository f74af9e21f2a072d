package io.kmodel.indexer.index.postings;

import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.terms.IndexContent;
import io.kmodel.indexer.index.terms.TermEntry;
import io.kmodel.indexer.store.CorruptIndexException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * One term's documents, decoded a block at a time; see {@link PostingList}. Frequencies and
 * positions of a block are decoded on first use. Decoding positions starts at the skip entry of the
 * document's block. Memory: 14 KiB, plus 7 KiB with positions and 2 KiB with offsets. Not
 * thread-safe.
 */
public final class BlockPostingList implements PostingList {
  /** Holds two blocks of typical width, and any single block. */
  private static final int BUFFER_BYTES = 2048;

  private final IndexContent content;
  private final DocsReader docs;
  private @Nullable PositionsReader positions;
  private boolean wantsPositions;
  private boolean wantsOffsets;
  private int cost;
  private int docId = -1;

  /** Index of docId in its block. */
  private int index;

  /** The block of documents that the positions reader is in, or -1. */
  private int positionsBlock;

  /** Index in that block of the last document whose positions were read. */
  private int positionsIndex;

  /** Positions of that document not read yet. */
  private int positionsLeft;

  private int positionsDoc;
  private int position;
  private int startOffset = -1;
  private int endOffset = -1;

  public BlockPostingList(IndexContent content) throws IOException {
    this.content = content;
    this.docs = new DocsReader(content.docs(), content.documentCount(), BUFFER_BYTES);
  }

  /** Whether this list reads the given index. */
  public boolean reads(IndexContent other) {
    return content.docs() == other.docs();
  }

  public void reset(TermEntry term, Detail wanted) throws IOException {
    Detail detail = content.schema().field(term.field()).detail();
    docs.reset(term, detail);
    cost = term.docFreq;
    docId = -1;
    index = -1;
    wantsPositions = wanted.hasPositions() && detail.hasPositions();
    wantsOffsets = wanted.hasOffsets() && detail.hasOffsets();
    startOffset = -1;
    endOffset = -1;
    positionsBlock = -1;
    positionsDoc = -1;
    positionsLeft = 0;
    if (wantsPositions) {
      if (positions == null) {
        positions = new PositionsReader(content.positions(), BUFFER_BYTES);
      }
      positions.reset(term, docs.skips().positionsTail(), detail, wantsOffsets);
    }
  }

  @Override
  public int docId() {
    return docId;
  }

  @Override
  public int nextDoc() throws IOException {
    if (++index >= docs.count()) {
      if (!docs.next()) {
        return end();
      }
      index = 0;
    }
    docId = docs.docs()[index];
    return docId;
  }

  @Override
  public int advance(int target) throws IOException {
    if (docId == END) {
      return END;
    }
    if (target <= docId) {
      throw new IllegalArgumentException("advance from document %d to %d".formatted(docId, target));
    }
    int count = docs.count();
    if (count == 0 || docs.docs()[count - 1] < target) {
      if (!loadBlock(target)) {
        return end();
      }
      index = 0;
      count = docs.count();
    } else {
      index++;
    }
    index = firstAtOrAbove(docs.docs(), index, count, target);
    docId = docs.docs()[index];
    return docId;
  }

  /** Decodes the block that holds the first document at or above target, if there is one. */
  private boolean loadBlock(int target) throws IOException {
    SkipTable skips = docs.skips();
    int next = docs.block() + 1;
    int block = skips.find(next, target);
    if (block != next) {
      docs.jump(block);
    }
    if (!docs.next()) {
      return false;
    }
    int last = docs.docs()[docs.count() - 1];
    if (block < skips.blocks() && last != skips.lastDoc(block)) {
      throw corrupt("block %d ends at document %d, its skip entry at %d", block, last, skips);
    }
    return last >= target;
  }

  private static int firstAtOrAbove(int[] docs, int from, int to, int target) {
    int low = from;
    int high = to - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (docs[middle] < target) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  @Override
  public int freq() throws IOException {
    return docs.freqs()[index];
  }

  @Override
  public int nextPosition() throws IOException {
    PositionsReader reader = positions;
    if (!wantsPositions || reader == null) {
      throw new IllegalStateException("positions were not requested or are not recorded");
    }
    if (positionsDoc != docId) {
      moveToDoc(reader);
    }
    if (positionsLeft == 0) {
      throw new IllegalStateException("document %d has no more positions".formatted(docId));
    }
    positionsLeft--;
    position += reader.next();
    if (position < 0) {
      throw content
          .positions()
          .corrupt("document %d has a position above 2^31 - 1".formatted(docId));
    }
    if (wantsOffsets) {
      readOffsets(reader);
    }
    return position;
  }

  private void readOffsets(PositionsReader reader) throws IOException {
    startOffset += reader.startGap();
    endOffset = startOffset + reader.length();
    if (startOffset < 0 || endOffset < 0) {
      throw content
          .positions()
          .corrupt("document %d has an offset above 2^31 - 1".formatted(docId));
    }
  }

  @Override
  public int startOffset() {
    return startOffset;
  }

  @Override
  public int endOffset() {
    return endOffset;
  }

  /** Moves the positions reader to the current document's first position. */
  private void moveToDoc(PositionsReader reader) throws IOException {
    int[] freqs = docs.freqs();
    int block = docs.block();
    long skipped = positionsLeft;
    int from = positionsIndex + 1;
    if (positionsBlock != block) {
      if (block == 0) {
        reader.seekStart();
      } else {
        SkipTable skips = docs.skips();
        reader.seek(skips.positionsOffset(block - 1), skips.consumed(block - 1));
      }
      positionsBlock = block;
      skipped = 0;
      from = 0;
    }
    for (int i = from; i < index; i++) {
      skipped += freqs[i];
    }
    reader.skip(skipped);
    positionsIndex = index;
    positionsLeft = freqs[index];
    positionsDoc = docId;
    position = 0;
    startOffset = wantsOffsets ? 0 : -1;
  }

  @Override
  public int cost() {
    return cost;
  }

  private int end() {
    docId = END;
    // Makes nextDoc() return END again: a decoded last block must not be read further.
    index = docs.count();
    return END;
  }

  private CorruptIndexException corrupt(String problem, int block, int last, SkipTable skips)
      throws IOException {
    return content.docs().corrupt(problem.formatted(block, last, skips.lastDoc(block)));
  }
}
