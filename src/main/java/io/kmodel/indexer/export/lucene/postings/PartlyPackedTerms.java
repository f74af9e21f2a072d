package io.kmodel.indexer.export.lucene.postings;

import io.kmodel.indexer.index.model.PostingsCursor;
import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat.IntBlockTermState;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.IndexOutput;

/**
 * The terms of fields whose lists are packed, merged with those of the other fields. At the first
 * packed term, the lists of all packed terms are written at once. Memory: that of a {@link
 * PostingsStream}. Not thread-safe.
 */
public final class PartlyPackedTerms implements SegmentTerms {
  private final PostingsStream others;
  private final PackedLists packed;

  /** Whether {@link #nextTerm} has been called. */
  private boolean started;

  /** Whether each source is at a term; false before the first term and at the end. */
  private boolean othersHave;

  private boolean packedHas;

  /** Whether the current term is the packed one. */
  private boolean isPacked;

  /** Whether the packed lists have been written. */
  private boolean written;

  /** File pointers of the packed lists. */
  private long docsFp;

  private long positionsFp;

  /** Merges terms of two sources that have no field in common; closes the first one. */
  public PartlyPackedTerms(PostingsCursor others, PackedLists packed) {
    this.others = new PostingsStream(others);
    this.packed = packed;
  }

  @Override
  public boolean nextTerm() throws IOException {
    if (!started || !isPacked) {
      othersHave = others.nextTerm();
    }
    if (!started || isPacked) {
      packedHas = packed.nextTerm();
    }
    started = true;
    isPacked = packedHas && (!othersHave || isPackedBefore());
    return packedHas || othersHave;
  }

  private boolean isPackedBefore() {
    return Arrays.compareUnsigned(
            packed.term(), 0, packed.termLength(), others.term(), 0, others.termLength())
        < 0;
  }

  @Override
  public byte[] term() {
    return isPacked ? packed.term() : others.term();
  }

  @Override
  public int termLength() {
    return isPacked ? packed.termLength() : others.termLength();
  }

  @Override
  public IntBlockTermState write(TermWriter writer, PostingsOutputs outputs) throws IOException {
    if (!isPacked) {
      return writer.write(others);
    }
    if (!written) {
      writer.flush();
      writeLists(outputs);
      written = true;
    }
    IntBlockTermState state = new IntBlockTermState();
    state.docFreq = packed.docFreq();
    state.totalTermFreq = packed.totalTermFreq();
    state.docStartFP = docsFp + packed.docsStart();
    state.posStartFP = positionsFp + packed.positionsStart();
    state.lastPosBlockOffset = packed.lastPositionsBlock();
    state.singletonDocID = packed.onlyDocument();
    return state;
  }

  private void writeLists(PostingsOutputs outputs) throws IOException {
    IndexOutput positions = outputs.positions();
    if (positions == null) {
      throw new CorruptIndexException("packed lists have positions, but no field does", "postings");
    }
    docsFp = outputs.docs().getFilePointer();
    packed.writeDocs(outputs.docs());
    positionsFp = positions.getFilePointer();
    packed.writePositions(positions);
  }

  @Override
  public int[] raiseMaxima(int[] maxima) {
    int[] packedMaxima = packed.maxima();
    int[] raised = maxima.clone();
    for (int i = 0; i < raised.length; i++) {
      raised[i] = Math.max(raised[i], packedMaxima[i]);
    }
    return raised;
  }

  @Override
  public void close() throws IOException {
    others.close();
  }
}
