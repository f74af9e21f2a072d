package io.kmodel.indexer.inversion;

import io.kmodel.indexer.export.lucene.postings.PackedLists;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.model.Schema;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.apache.lucene.store.DataOutput;

/**
 * Lists that a device has encoded for Lucene: the documents and positions of all terms; records
 * have 56 bytes (see PackedTerm in kernels/inversion/block.cuh). Not thread-safe.
 */
final class PackedText extends DeviceResult implements PackedLists {
  /** Bytes of a record, and offsets in it. */
  static final int TERM_BYTES = 56;

  private static final int DOCS_START = 16;
  private static final int POSITIONS_START = 24;
  private static final int DOC_FREQ = 32;
  private static final int TOTAL_TERM_FREQ = 36;
  private static final int LONG_START = 40;
  private static final int LAST_POSITIONS_BLOCK = 48;
  private static final int ONLY_DOCUMENT = 52;

  private static final int COPY_BYTES = 1 << 16;

  private final int documents;
  private final TermRecords terms;
  private final MemorySegment docs;
  private final MemorySegment positions;
  private final int[] maxima;

  /** The current term, and its key. */
  private int term = -1;

  private byte[] key = new byte[DeviceBlock.HALO + DeviceBlock.SHORT];

  /**
   * Divides the block's memory, which must have room.
   *
   * @param docsBytes of the documents of all terms
   * @param positionsBytes of their positions
   * @param maxima of all lists, see {@link PackedLists#maxima}
   */
  PackedText(TextBlock block, Sizes sizes, long docsBytes, long positionsBytes, int[] maxima) {
    super(block, sizes, TERM_BYTES, LONG_START);
    this.documents = block.documents();
    this.terms = terms();
    this.docs = take(docsBytes);
    this.positions = take(positionsBytes);
    this.maxima = maxima.clone();
  }

  MemorySegment docs() {
    return docs;
  }

  MemorySegment positions() {
    return positions;
  }

  /**
   * Checks that terms strictly ascend, and decodes all lists: documents and positions must ascend,
   * be as many as the records say, and have the sums that the lengths of the parts give. With stop
   * words, the device says itself what positions are missing. It cannot notice a term with other
   * bytes.
   *
   * @return the fault; empty if there is no fault
   */
  @Override
  String check() {
    PackedCheck lists = new PackedCheck(docs, positions, documents);
    for (int at = 0; at < terms.count(); at++) {
      if (!terms.isPossible(at) || !hasPossibleList(at)) {
        return "a term's record is impossible";
      }
      try {
        lists.add(
            terms.intAt(at, DOC_FREQ),
            terms.intAt(at, TOTAL_TERM_FREQ),
            terms.longAt(at, DOCS_START),
            terms.longAt(at, POSITIONS_START),
            terms.intAt(at, LAST_POSITIONS_BLOCK),
            terms.intAt(at, ONLY_DOCUMENT));
      } catch (PackedCheck.DamagedException e) {
        return "a damaged list";
      }
    }
    if (!lists.isAtEnd() || !hasSums(lists)) {
      return "lists that are not those of the documents";
    }
    return terms.ascend() ? "" : "terms out of order";
  }

  private boolean hasSums(PackedCheck lists) {
    PartLengths lengths = partLengths();
    return lengths.sum() == tokens()
        && lengths.docSum() == lists.docSum()
        && positionSum() == lists.positionSum();
  }

  private boolean hasPossibleList(int at) {
    int docFreq = terms.intAt(at, DOC_FREQ);
    int total = terms.intAt(at, TOTAL_TERM_FREQ);
    int only = terms.intAt(at, ONLY_DOCUMENT);
    return docFreq > 0
        && docFreq <= documents
        && total >= docFreq
        && (docFreq == 1 ? only >= 0 && only < documents : only == -1);
  }

  @Override
  public boolean nextTerm() {
    term++;
    if (term >= terms.count()) {
      return false;
    }
    terms.copy(term, key, 0);
    return true;
  }

  @Override
  public byte[] term() {
    return key;
  }

  @Override
  public int termLength() {
    return terms.length(term);
  }

  @Override
  public int docFreq() {
    return terms.intAt(term, DOC_FREQ);
  }

  @Override
  public long totalTermFreq() {
    return terms.intAt(term, TOTAL_TERM_FREQ);
  }

  @Override
  public long docsStart() {
    return terms.longAt(term, DOCS_START);
  }

  @Override
  public long positionsStart() {
    return terms.longAt(term, POSITIONS_START);
  }

  @Override
  public long lastPositionsBlock() {
    return terms.intAt(term, LAST_POSITIONS_BLOCK);
  }

  @Override
  public int onlyDocument() {
    return terms.intAt(term, ONLY_DOCUMENT);
  }

  @Override
  public void writeDocs(DataOutput out) throws IOException {
    write(docs, out);
  }

  @Override
  public void writePositions(DataOutput out) throws IOException {
    write(positions, out);
  }

  private static void write(MemorySegment from, DataOutput out) throws IOException {
    byte[] buffer = new byte[COPY_BYTES];
    for (long at = 0; at < from.byteSize(); at += COPY_BYTES) {
      int length = (int) Math.min(COPY_BYTES, from.byteSize() - at);
      MemorySegment.copy(from, ValueLayout.JAVA_BYTE, at, buffer, 0, length);
      out.writeBytes(buffer, 0, length);
    }
  }

  @Override
  public int[] maxima() {
    return maxima.clone();
  }

  @Override
  public PostingsCursor cursor(Schema schema) {
    throw new IllegalStateException("the lists are packed");
  }

  @Override
  public PackedLists packed() {
    return this;
  }
}
