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
 * A range of terms whose postings are encoded in memory and appended later. Memory: the encoded
 * postings, each term's unshared suffix, and about 15 bytes per term. One thread writes, then one
 * reads:
 *
 * <pre>{@code
 * of  (nextTerm [appendTo, once] nextState)*
 * }</pre>
 */
final class EncodedTerms {
  private final ByteBuffersDirectory files = new ByteBuffersDirectory();

  /** The terms and their states, each as the difference from the previous one. */
  private final ByteBuffersDataOutput terms = new ByteBuffersDataOutput();

  /** Terms that were added and not yet read. */
  private int left;

  /** The key of the term added or read last, and its state. */
  private byte[] key = new byte[64];

  private int keyLength;
  private IntBlockTermState last = new IntBlockTermState();

  /** Reads the terms; null before the first. */
  private @Nullable DataInput taken;

  private boolean appended;
  private int[] maxima = new int[0];
  private Section docs = Section.NONE;
  private Section positions = Section.NONE;
  private Section offsets = Section.NONE;

  /** The bytes between the header and the footer of a file. */
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

  /** Approximate bytes of heap. */
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

  /** The state of the current term: where its postings are in the outputs. */
  IntBlockTermState nextState() throws IOException {
    DataInput in = taken;
    if (in == null || !appended) {
      throw new IllegalStateException("postings were not appended");
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

  /** Appends the postings. After that, the states of the terms can be read from the first on. */
  void appendTo(PostingsOutputs outputs) throws IOException {
    last = new IntBlockTermState();
    last.docStartFP = append(docs, outputs.docs());
    last.posStartFP = append(positions, outputs.positions());
    last.payStartFP = append(offsets, outputs.offsets());
    appended = true;
  }

  /** Returns the section's new offset minus its old one. */
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
