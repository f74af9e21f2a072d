package io.kmodel.indexer.export.lucene;

import java.io.IOException;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat.IntBlockTermState;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.ArrayUtil;
import org.jspecify.annotations.Nullable;

/**
 * A range of terms, their postings encoded in memory, to be appended to those of the terms before.
 * Memory: the encoded postings, the terms, and some 15 bytes a term: as objects, the states of
 * 370,000 rare terms took 30 MB. Written by one thread, then read by one.
 */
final class EncodedTerms {
  private final ByteBuffersDirectory files = new ByteBuffersDirectory();

  /** Where the postings of each term lie, from those of the term before on. */
  private final ByteBuffersDataOutput states = new ByteBuffersDataOutput();

  private int size;

  /** The term that was added, or taken, last. */
  private IntBlockTermState last = new IntBlockTermState();

  /** What is taken of the states; null before the first. */
  private @Nullable DataInput taken;

  private byte[] keys = new byte[1 << 12];
  private int[] keyEnds = new int[1 << 8];
  private int[] maxima = new int[0];
  private Section docs = Section.NONE;
  private Section positions = Section.NONE;
  private Section offsets = Section.NONE;

  /** What lies between the header and the footer of a file. */
  private record Section(String file, long start, long end) {
    static final Section NONE = new Section("none", 0, 0);

    long bytes() {
      return end - start;
    }
  }

  private EncodedTerms() {}

  /** Encodes all terms of a stream. */
  static EncodedTerms of(PostingsStream stream, SegmentWriteState state, SegmentNorms norms)
      throws IOException {
    EncodedTerms result = new EncodedTerms();
    PostingsOutputs outputs = new PostingsOutputs(result.files);
    try (TermWriter writer = new TermWriter(outputs, state, norms)) {
      Section docs = begin(outputs.docs());
      Section positions = begin(outputs.positions());
      Section offsets = begin(outputs.offsets());
      int field = -1;
      while (stream.nextTerm()) {
        int next = stream.term()[0] & 0xFF;
        if (next != field) {
          field = next;
          writer.setField(state.fieldInfos.fieldInfo(field));
        }
        result.add(stream, writer.write(stream));
      }
      writer.flush();
      result.maxima = writer.maxima();
      result.docs = end(docs, outputs.docs());
      result.positions = end(positions, outputs.positions());
      result.offsets = end(offsets, outputs.offsets());
    }
    return result;
  }

  int size() {
    return size;
  }

  /** What it takes of the heap, about. */
  long memoryBytes() {
    return docs.bytes()
        + positions.bytes()
        + offsets.bytes()
        + keys.length
        + (long) Integer.BYTES * keyEnds.length
        + states.size();
  }

  /** Where the key of a term starts in {@link #keys()}. */
  int keyStart(int term) {
    return term == 0 ? 0 : keyEnds[term - 1];
  }

  int keyEnd(int term) {
    return keyEnds[term];
  }

  byte[] keys() {
    return keys;
  }

  /** Where the postings of the next term lie, from the first on, in the outputs appended to. */
  IntBlockTermState nextState() throws IOException {
    DataInput in = taken;
    if (in == null) {
      throw new IllegalStateException("postings that are not appended lie nowhere");
    }
    IntBlockTermState state = new IntBlockTermState();
    state.docFreq = in.readVInt();
    state.totalTermFreq = in.readZLong();
    state.docStartFP = last.docStartFP + in.readZLong();
    state.posStartFP = last.posStartFP + in.readZLong();
    state.payStartFP = last.payStartFP + in.readZLong();
    state.lastPosBlockOffset = in.readZLong();
    state.singletonDocID = in.readZInt();
    last = state;
    return state;
  }

  int[] maxima() {
    return maxima;
  }

  /** Appends the postings; then the terms' states can be taken, as they are there. */
  void appendTo(PostingsOutputs outputs) throws IOException {
    last = new IntBlockTermState();
    last.docStartFP = append(docs, outputs.docs());
    last.posStartFP = append(positions, outputs.positions());
    last.payStartFP = append(offsets, outputs.offsets());
    taken = states.toDataInput();
  }

  /** Returns how much further back the section lies there. */
  private long append(Section section, @Nullable IndexOutput out) throws IOException {
    if (out == null) {
      return 0;
    }
    long shift = out.getFilePointer() - section.start;
    try (IndexInput in = files.openInput(section.file, IOContext.READONCE)) {
      in.seek(section.start);
      out.copyBytes(in, section.end - section.start);
    }
    return shift;
  }

  private void add(PostingsStream stream, IntBlockTermState state) throws IOException {
    int term = size;
    int start = term == 0 ? 0 : keyEnds[term - 1];
    int end = Math.addExact(start, stream.termLength());
    keys = ArrayUtil.grow(keys, end);
    keyEnds = ArrayUtil.grow(keyEnds, term + 1);
    System.arraycopy(stream.term(), 0, keys, start, end - start);
    keyEnds[term] = end;
    size++;
    states.writeVInt(state.docFreq);
    states.writeZLong(state.totalTermFreq);
    states.writeZLong(state.docStartFP - last.docStartFP);
    states.writeZLong(state.posStartFP - last.posStartFP);
    states.writeZLong(state.payStartFP - last.payStartFP);
    states.writeZLong(state.lastPosBlockOffset);
    states.writeZInt(state.singletonDocID);
    last = state;
  }

  private static Section begin(@Nullable IndexOutput out) {
    return out == null ? Section.NONE : new Section(out.getName(), out.getFilePointer(), 0);
  }

  private static Section end(Section section, @Nullable IndexOutput out) {
    return out == null ? section : new Section(section.file, section.start, out.getFilePointer());
  }
}
