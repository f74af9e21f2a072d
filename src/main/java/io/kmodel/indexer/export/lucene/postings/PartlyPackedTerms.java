package io.kmodel.indexer.export.lucene.postings;

import io.kmodel.indexer.index.model.PostingsCursor;
import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat.IntBlockTermState;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.IndexOutput;

/**
 * The terms of fields whose lists are packed, and those of the other fields. Packed lists are
 * written all together, before that of the first such term. Not thread-safe.
 */
public final class PartlyPackedTerms implements SegmentTerms {
  private final PostingsStream others;
  private final PackedLists packed;

  /** Whether each has a term that has not been passed; before the first term they have none. */
  private boolean othersHave;

  private boolean packedHas;
  private boolean started;
  private boolean isPacked;
  private boolean written;

  /** Where the packed lists start in the files. */
  private long docsAt;

  private long positionsAt;

  /** Terms of two sources that have no field in common. */
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
    state.docStartFP = docsAt + packed.docsStart();
    state.posStartFP = positionsAt + packed.positionsStart();
    state.lastPosBlockOffset = packed.lastPositionsBlock();
    state.singletonDocID = packed.onlyDocument();
    return state;
  }

  private void writeLists(PostingsOutputs outputs) throws IOException {
    IndexOutput positions = outputs.positions();
    if (positions == null) {
      throw new CorruptIndexException("packed positions in a segment without", "postings");
    }
    docsAt = outputs.docs().getFilePointer();
    packed.writeDocs(outputs.docs());
    positionsAt = positions.getFilePointer();
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
