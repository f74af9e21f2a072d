package io.kmodel.indexer.index;

import io.kmodel.indexer.store.ByteReader;
import io.kmodel.indexer.store.OutputFile;
import java.io.IOException;
import java.util.Arrays;

/**
 * What the dictionary knows of one term, to be filled again and again. Written as
 *
 * <pre>
 * entry := shared:vint suffixLength:vint suffix:bytes    shared: leading bytes of the term before
 *          docFreq:vint
 *          [totalTermFreq - docFreq: vlong]              fields with frequencies
 *          docId:vint | docsBytes:vlong                  docFreq = 1, docFreq &gt; 1
 *          [positionsBytes:vlong]                        fields with positions
 * </pre>
 *
 * Memory: the longest key so far. Not thread-safe.
 */
final class TermEntry {
  byte[] key = new byte[64];
  int keyLength;

  /** Leading bytes that the key had in common with the one read before it, as the file says. */
  int shared;

  int docFreq;
  long totalTermFreq;

  /** The document of a term with only one. */
  int singleDoc;

  /** Bytes in {@link IndexFiles#DOCS}; 0 for a term of one document. */
  long docsBytes;

  /** Bytes in {@link IndexFiles#POSITIONS}. */
  long positionsBytes;

  /** File offset of the term's documents; known to readers of the dictionary only. */
  long docsStart;

  /** File offset of the term's positions; known to readers of the dictionary only. */
  long positionsStart;

  /** The ordinal of the term's field. */
  int field() {
    return key[0] & 0xFF;
  }

  void setKey(byte[] bytes, int length) {
    if (key.length < length) {
      key = new byte[grown(length)];
    }
    System.arraycopy(bytes, 0, key, 0, length);
    keyLength = length;
  }

  /** Makes the key of a term from its field and its bytes. */
  void setTerm(int field, byte[] bytes, int offset, int length) {
    if (key.length < length + 1) {
      key = new byte[grown(length + 1)];
    }
    key[0] = (byte) field;
    System.arraycopy(bytes, offset, key, 1, length);
    keyLength = length + 1;
  }

  /** Compares the key with another in unsigned byte order. */
  int compareKey(byte[] other, int otherLength) {
    return Arrays.compareUnsigned(key, 0, keyLength, other, 0, otherLength);
  }

  /**
   * How many leading bytes a key shares with the one before it.
   *
   * @return -1 if it is not above that in unsigned byte order
   */
  static int sharedAbove(byte[] before, int lengthBefore, byte[] key, int length) {
    int at = Arrays.mismatch(before, 0, lengthBefore, key, 0, length);
    if (at < 0 || at == length) {
      return -1;
    }
    return at == lengthBefore || (before[at] & 0xFF) < (key[at] & 0xFF) ? at : -1;
  }

  /**
   * Writes the entry behind that of the term before.
   *
   * @param from how many leading bytes of the key are left out, since they are that one's
   */
  void write(OutputFile out, int from, Field field) throws IOException {
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

  /** Reads the entry after this one, whose key it continues. */
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
