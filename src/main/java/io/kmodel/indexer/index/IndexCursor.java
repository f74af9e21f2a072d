package io.kmodel.indexer.index;

import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.index.postings.DocsReader;
import io.kmodel.indexer.index.postings.PositionsReader;
import io.kmodel.indexer.index.postings.SkipTable;
import io.kmodel.indexer.index.terms.DictionaryReader;
import io.kmodel.indexer.index.terms.IndexContent;
import io.kmodel.indexer.index.terms.TermBlocks;
import io.kmodel.indexer.index.terms.TermDictionaryWriter;
import io.kmodel.indexer.index.terms.TermEntry;
import java.io.IOException;
import java.util.Arrays;

/**
 * Walks an index, or a range of its terms, sequentially through large buffers; see {@link
 * PostingsCursor}. If the first document wanted is not 0, the cursor uses skip tables to start long
 * lists at the block that holds it. Memory: 220 KiB and the longest term. Not thread-safe.
 */
final class IndexCursor implements PostingsCursor {
  private static final int BUFFER_BYTES = 1 << 16;

  private final Schema schema;
  private final DictionaryReader dictionary;
  private final DocsReader docsReader;
  private final PositionsReader positionsReader;
  private final TermEntry entry;

  /**
   * The ordinal of the range's last term; may exceed the index's last term, whose block need not be
   * full.
   */
  private final long lastTerm;

  /** Blocks that end before this document are skipped. */
  private final int firstDoc;

  private Detail detail = Detail.DOCUMENTS;
  private boolean onTerm;

  /** Whether the readers are positioned at the current term. */
  private boolean docsReady;

  private boolean positionsReady;

  /** Blocks of the term skipped without decoding. */
  private int skippedBlocks;

  /** Unread positions of earlier chunks of documents. */
  private long positionsToSkip;

  /** Unread positions of the last chunk of documents. */
  private long positionsLeft;

  IndexCursor(IndexContent content, TermBlocks terms, int firstDoc) throws IOException {
    this.firstDoc = firstDoc;
    this.schema = content.schema();
    this.dictionary = new DictionaryReader(content, BUFFER_BYTES);
    this.docsReader = new DocsReader(content.docs(), content.documentCount(), BUFFER_BYTES);
    this.positionsReader = new PositionsReader(content.positions(), BUFFER_BYTES);
    this.entry = dictionary.entry();
    this.lastTerm = terms.to() * TermDictionaryWriter.BLOCK_TERMS - 1;
    dictionary.seekBlock(terms.from());
  }

  @Override
  public boolean nextTerm() throws IOException {
    onTerm = dictionary.ordinal() < lastTerm && dictionary.next();
    if (onTerm) {
      detail = schema.field(entry.field()).detail();
    }
    docsReady = false;
    positionsReady = false;
    positionsToSkip = 0;
    positionsLeft = 0;
    return onTerm;
  }

  @Override
  public byte[] term() {
    return entry.key;
  }

  @Override
  public int termLength() {
    return entry.keyLength;
  }

  @Override
  public int docFreq() {
    return entry.docFreq;
  }

  @Override
  public long totalTermFreq() {
    return entry.totalTermFreq;
  }

  @Override
  public int nextDocs(int[] docs, int[] freqs) throws IOException {
    if (!onTerm) {
      return 0;
    }
    if (!docsReady) {
      startDocs();
    }
    positionsToSkip += positionsLeft;
    positionsLeft = 0;
    if (!docsReader.next()) {
      return 0;
    }
    int count = docsReader.count();
    System.arraycopy(docsReader.docs(), 0, docs, 0, count);
    if (!detail.hasFrequencies()) {
      Arrays.fill(freqs, 0, count, 1);
      return count;
    }
    System.arraycopy(docsReader.freqs(), 0, freqs, 0, count);
    if (detail.hasPositions()) {
      for (int i = 0; i < count; i++) {
        positionsLeft += freqs[i];
      }
    }
    return count;
  }

  @Override
  public int nextPositions(int[] deltas) throws IOException {
    if (positionsLeft == 0) {
      return 0;
    }
    if (!positionsReady) {
      startPositions();
    }
    if (positionsToSkip > 0) {
      positionsReader.skip(positionsToSkip);
      positionsToSkip = 0;
    }
    int n = positionsReader.read(deltas, positionsLeft);
    positionsLeft -= n;
    return n;
  }

  @Override
  public void close() {}

  private void startDocs() throws IOException {
    docsReader.reset(entry, detail);
    SkipTable skips = docsReader.skips();
    skippedBlocks = firstDoc == 0 ? 0 : skips.find(0, firstDoc);
    if (skippedBlocks > 0) {
      docsReader.jump(skippedBlocks);
    }
    docsReady = true;
  }

  private void startPositions() throws IOException {
    SkipTable skips = docsReader.skips();
    positionsReader.reset(entry, skips.positionsTail(), detail, true);
    if (skippedBlocks > 0) {
      int last = skippedBlocks - 1;
      positionsReader.seek(skips.positionsOffset(last), skips.consumed(last));
    }
    positionsReady = true;
  }
}
