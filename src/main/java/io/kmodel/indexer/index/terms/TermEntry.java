package io.kmodel.indexer.index.terms;

import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.IndexFiles;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.store.ByteReader;
import io.kmodel.indexer.store.OutputFile;
import java.io.IOException;
import java.util.Arrays;

/**
 * A reusable dictionary entry of one term. Its encoding:
 *
 * <pre>
 * entry := shared:vint suffixLength:vint suffix:bytes    shared: leading bytes of the previous key
 *          docFreq:vint
 *          [totalTermFreq - docFreq: vlong]              fields with frequencies
 *          docId:vint | docsBytes:vlong                  docFreq = 1, docFreq &gt; 1
 *          [positionsBytes:vlong]                        fields with positions
 * </pre>
 *
 * Memory: the longest key so far. Not thread-safe.
 */
public final class TermEntry {
  public byte[] key = new byte[64];
  public int keyLength;

  /** Leading bytes shared with the previously read key, as stored in the file. */
  int shared;

  public int docFreq;
  public long totalTermFreq;

  /** The document of a term that has only one. */
  public int singleDoc;

  /** Bytes in {@link IndexFiles#DOCS}; 0 for a term of one document. */
  public long docsBytes;

  /** Bytes in {@link IndexFiles#POSITIONS}. */
  public long positionsBytes;

  /** File offset of the term's documents; only set by readers of the dictionary. */
  public long docsStart;

  /** File offset of the term's positions; only set by readers of the dictionary. */
  public long positionsStart;

  /** The ordinal of the term's field. */
  public int field() {
    return key[0] & 0xFF;
  }

  public void setKey(byte[] bytes, int length) {
    if (key.length < length) {
      key = new byte[grown(length)];
    }
    System.arraycopy(bytes, 0, key, 0, length);
    keyLength = length;
  }

  /** Sets the key from a field and a term's bytes. */
  public void setTerm(int field, byte[] bytes, int offset, int length) {
    if (key.length < length + 1) {
      key = new byte[grown(length + 1)];
    }
    key[0] = (byte) field;
    System.arraycopy(bytes, offset, key, 1, length);
    keyLength = length + 1;
  }

  /** Compares the key with another in unsigned byte order. */
  public int compareKey(byte[] other, int otherLength) {
    return Arrays.compareUnsigned(key, 0, keyLength, other, 0, otherLength);
  }

  /**
   * The number of leading bytes that a key shares with the previous one.
   *
   * @return -1 if the key is not above the previous one in unsigned byte order
   */
  public static int sharedAbove(byte[] before, int lengthBefore, byte[] key, int length) {
    int at = Arrays.mismatch(before, 0, lengthBefore, key, 0, length);
    if (at < 0 || at == length) {
      return -1;
    }
    return at == lengthBefore || (before[at] & 0xFF) < (key[at] & 0xFF) ? at : -1;
  }

  /**
   * Writes the entry after that of the previous term.
   *
   * @param from leading bytes of the key to omit because the previous key has them, too
   */
  public void write(OutputFile out, int from, Field field) throws IOException {
    out.writeVInt(from);
    out.writeVInt(keyLength - from);
    out.writeBytes(key, from, keyLength - from);
    out.writeVInt(docFreq);
    if (field.detail().hasFrequencies()) {
      out.writeVLong(totalTermFreq - docFreq);
    }
    if (docFreq == 1) {
      out.writeVInt(singleDoc);
    } else {
      out.writeVLong(docsBytes);
    }
    if (field.detail().hasPositions()) {
      out.writeVLong(positionsBytes);
    }
  }

  /** Reads the next entry, whose key is prefix-coded against the current one. */
  void read(ByteReader in, Schema schema) throws IOException {
    readKey(in);
    if (field() >= schema.size()) {
      throw in.corrupt("field %d of %d before %d".formatted(field(), schema.size(), in.position()));
    }
    Detail detail = schema.field(field()).detail();
    docFreq = in.readVInt();
    totalTermFreq = docFreq + (detail.hasFrequencies() ? in.readVLong() : 0);
    singleDoc = docFreq == 1 ? in.readVInt() : 0;
    docsBytes = docFreq == 1 ? 0 : in.readVLong();
    positionsBytes = detail.hasPositions() ? in.readVLong() : 0;
    if (docFreq < 1
        || totalTermFreq < docFreq
        || (docFreq == 1 && totalTermFreq > Integer.MAX_VALUE)
        || singleDoc < 0
        || docsBytes < 0
        || positionsBytes < 0) {
      throw in.corrupt(
          "impossible term before %d: %d documents, %d occurrences, document %d, %d + %d bytes"
              .formatted(
                  in.position(), docFreq, totalTermFreq, singleDoc, docsBytes, positionsBytes));
    }
  }

  private void readKey(ByteReader in) throws IOException {
    shared = in.readVInt();
    int suffix = in.readVInt();
    if (shared < 0
        || shared > keyLength
        || suffix < 1
        || suffix > in.remaining()
        || suffix > Integer.MAX_VALUE - 8 - shared) {
      throw in.corrupt(
          "term of %d + %d bytes after one of %d, with %d bytes left, before %d"
              .formatted(shared, suffix, keyLength, in.remaining(), in.position()));
    }
    if (key.length < shared + suffix) {
      key = Arrays.copyOf(key, grown(shared + suffix));
    }
    int replaced = shared < keyLength ? key[shared] & 0xFF : -1;
    in.readBytes(key, shared, suffix);
    keyLength = shared + suffix;
    if ((key[shared] & 0xFF) <= replaced) {
      throw in.corrupt("terms out of order before " + in.position());
    }
  }

  private static int grown(int length) {
    return (int) Math.min(Integer.MAX_VALUE - 8, length + (long) (length >> 1) + 16);
  }
}
