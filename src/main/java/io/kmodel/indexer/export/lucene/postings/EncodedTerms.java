package io.kmodel.indexer.export.lucene.postings;

import io.kmodel.indexer.export.lucene.schema.SegmentNorms;
import java.io.IOException;
import java.util.Arrays;
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
 * Memory: the encoded postings, what each term does not share with the one before it, and some 15
 * bytes a term: as objects, the states of 370,000 rare terms took 30 MB. So that is bounded by what
 * postings and dictionary of an index take, however long its terms are. Written by one thread, then
 * read by one, term by term:
 *
 * <pre>{@code
 * of  (nextTerm [appendTo, once] nextState)*
 * }</pre>
 */
final class EncodedTerms {
  private final ByteBuffersDirectory files = new ByteBuffersDirectory();

  /** Each term, and where its postings lie, from what the term before has. */
  private final ByteBuffersDataOutput terms = new ByteBuffersDataOutput();

  /** How many were added and are not taken. */
  private int left;

  /** The key of the term that was added, or taken, last; and its state. */
  private byte[] key = new byte[64];

  private int keyLength;
  private IntBlockTermState last = new IntBlockTermState();

  /** What is taken of the terms; null before the first. */
  private @Nullable DataInput taken;

  private boolean appended;
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

  /** What it takes of the heap, about. */
  long memoryBytes() {
    return docs.bytes() + positions.bytes() + offsets.bytes() + terms.size() + key.length;
  }

  /** Goes to the next term; false at the end. */
  boolean nextTerm() throws IOException {
    if (left == 0) {
      return false;
    }
    left--;
    DataInput in = taken;
    if (in == null) {
      in = terms.toDataInput();
      taken = in;
    }
    int shared = in.readVInt();
    keyLength = shared + in.readVInt();
    key = ArrayUtil.grow(key, keyLength);
    in.readBytes(key, shared, keyLength - shared);
    return true;
  }

  /** The key of the current term, in an array that may be longer. */
  byte[] key() {
    return key;
  }

  int keyLength() {
    return keyLength;
  }

  boolean isAppended() {
    return appended;
  }

  /** Where the postings of the current term lie in the outputs appended to. */
  IntBlockTermState nextState() throws IOException {
    DataInput in = taken;
    if (in == null || !appended) {
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

  /**
   * Appends the postings; then the terms' states can be taken, from the first, as they are there.
   */
  void appendTo(PostingsOutputs outputs) throws IOException {
    last = new IntBlockTermState();
    last.docStartFP = append(docs, outputs.docs());
    last.posStartFP = append(positions, outputs.positions());
    last.payStartFP = append(offsets, outputs.offsets());
    appended = true;
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
    byte[] term = stream.term();
    int length = stream.termLength();
    int shared = Math.max(0, Arrays.mismatch(key, 0, keyLength, term, 0, length));
    terms.writeVInt(shared);
    terms.writeVInt(length - shared);
    terms.writeBytes(term, shared, length - shared);
    key = ArrayUtil.grow(key, length);
    System.arraycopy(term, shared, key, shared, length - shared);
    keyLength = length;
    left++;
    terms.writeVInt(state.docFreq);
    terms.writeZLong(state.totalTermFreq);
    terms.writeZLong(state.docStartFP - last.docStartFP);
    terms.writeZLong(state.posStartFP - last.posStartFP);
    terms.writeZLong(state.payStartFP - last.payStartFP);
    terms.writeZLong(state.lastPosBlockOffset);
    terms.writeZInt(state.singletonDocID);
    last = state;
  }

  private static Section begin(@Nullable IndexOutput out) {
    return out == null ? Section.NONE : new Section(out.getName(), out.getFilePointer(), 0);
  }

  private static Section end(Section section, @Nullable IndexOutput out) {
    return out == null ? section : new Section(section.file, section.start, out.getFilePointer());
  }
}
