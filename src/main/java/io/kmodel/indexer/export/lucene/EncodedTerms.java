package io.kmodel.indexer.export.lucene;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat.IntBlockTermState;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.ArrayUtil;
import org.jspecify.annotations.Nullable;

/**
 * A range of terms, their postings encoded by a Lucene104PostingsWriter in memory, to be appended
 * to those of the terms before. Memory: the encoded postings, the terms, and 100 bytes a term.
 * Written by one thread, then read by one.
 */
final class EncodedTerms {
  private static final int TERM_BYTES = 100;

  private final ByteBuffersDirectory files = new ByteBuffersDirectory();
  private final List<IntBlockTermState> states = new ArrayList<>();
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
    try (TermWriter writer = new TermWriter(PushedPostings.in(outputs, state), norms)) {
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
      result.docs = end(docs, outputs.docs());
      result.positions = end(positions, outputs.positions());
      result.offsets = end(offsets, outputs.offsets());
    }
    result.maxima = outputs.maxima();
    return result;
  }

  int size() {
    return states.size();
  }

  /** What it takes of the heap, about. */
  long memoryBytes() {
    return docs.bytes()
        + positions.bytes()
        + offsets.bytes()
        + keys.length
        + (long) TERM_BYTES * states.size();
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

  /** Where a term's postings lie, in the outputs once appended to. */
  IntBlockTermState state(int term) {
    return states.get(term);
  }

  int[] maxima() {
    return maxima;
  }

  /** Appends the postings, and turns the terms' states into what they are there. */
  void appendTo(PostingsOutputs outputs) throws IOException {
    long docsShift = append(docs, outputs.docs());
    long positionsShift = append(positions, outputs.positions());
    long offsetsShift = append(offsets, outputs.offsets());
    for (IntBlockTermState state : states) {
      state.docStartFP += docsShift;
      state.posStartFP += positionsShift;
      state.payStartFP += offsetsShift;
    }
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

  private void add(PostingsStream stream, IntBlockTermState state) {
    int term = states.size();
    int start = term == 0 ? 0 : keyEnds[term - 1];
    int end = Math.addExact(start, stream.termLength());
    keys = ArrayUtil.grow(keys, end);
    keyEnds = ArrayUtil.grow(keyEnds, term + 1);
    System.arraycopy(stream.term(), 0, keys, start, end - start);
    keyEnds[term] = end;
    states.add(state);
  }

  private static Section begin(@Nullable IndexOutput out) {
    return out == null ? Section.NONE : new Section(out.getName(), out.getFilePointer(), 0);
  }

  private static Section end(Section section, @Nullable IndexOutput out) {
    return out == null ? section : new Section(section.file, section.start, out.getFilePointer());
  }
}
