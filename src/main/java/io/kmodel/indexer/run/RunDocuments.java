package io.kmodel.indexer.run;

import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.memory.OffHeap;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Per-document data of a run: lengths in tokenized fields and, if fields have offsets, the number
 * of the document's first token. Memory: what it is given, 4 bytes per value. Not thread-safe.
 */
final class RunDocuments {
  private final long address;

  /** Fields whose lengths are kept, ascending. */
  private final int[] tokenized;

  /** By field: its index in {@link #tokenized}, negative if it is not tokenized. */
  private final int[] tokenizedIndex;

  /** Ints per document. With offsets, the last one is the number of the first token. */
  private final int width;

  private final long capacity;

  /** Uses {@code bytes} of memory outside the heap, at {@code address}. */
  RunDocuments(Schema schema, long address, long bytes) {
    this.address = address;
    this.tokenized =
        schema.fields().stream()
            .filter(Field::tokenized)
            .mapToInt(f -> schema.ordinal(f.name()))
            .toArray();
    this.tokenizedIndex =
        IntStream.range(0, schema.size())
            .map(field -> Arrays.binarySearch(tokenized, field))
            .toArray();
    this.width = Math.toIntExact(intsPerDocument(schema));
    this.capacity = width == 0 ? Integer.MAX_VALUE : bytes / Integer.BYTES / width;
  }

  private RunDocuments(RunDocuments like, long address) {
    this.address = address;
    this.tokenized = like.tokenized;
    this.tokenizedIndex = like.tokenizedIndex;
    this.width = like.width;
    this.capacity = like.capacity;
  }

  /** Copies the data of the first {@code documents} to memory of {@link #bytes}. */
  RunDocuments copy(long target, int documents) {
    OffHeap.copy(address, target, bytes(documents));
    return new RunDocuments(this, target);
  }

  /** Bytes for the first {@code documents}. */
  long bytes(int documents) {
    return (long) Integer.BYTES * width * documents;
  }

  static long intsPerDocument(Schema schema) {
    long lengths = schema.fields().stream().filter(Field::tokenized).count();
    return schema.hasOffsets() ? lengths + 1 : lengths;
  }

  long capacity() {
    return capacity;
  }

  void putLengths(int doc, FieldStates fields) {
    for (int i = 0; i < tokenized.length; i++) {
      OffHeap.putInt(lengthAddress(doc, i), fields.length(tokenized[i]));
    }
  }

  /** Only if fields have offsets; the token's number is below 2^31. */
  void putFirstToken(int doc, long token) {
    OffHeap.putInt(lengthAddress(doc, width - 1), (int) token);
  }

  int firstToken(int doc) {
    return OffHeap.getInt(lengthAddress(doc, width - 1));
  }

  void setLength(int field, int doc, int length) {
    OffHeap.putInt(lengthAddress(doc, index(field)), length);
  }

  int length(int field, int doc) {
    return OffHeap.getInt(lengthAddress(doc, index(field)));
  }

  /** Writes the lengths of the first {@code documents}. */
  void write(RunWriter writer, int documents) throws IOException {
    int[] block = new int[PostingsCursor.BLOCK];
    for (int field : tokenized) {
      LengthsReader lengths = reader(field, documents);
      for (int n = lengths.next(block); n > 0; n = lengths.next(block)) {
        writer.lengths(field, block, n);
      }
    }
  }

  /** The lengths of the first {@code documents} in a tokenized field. */
  LengthsReader reader(int field, int documents) {
    int index = index(field);
    return new LengthsReader() {
      private int doc;

      @Override
      public int next(int[] block) {
        int n = Math.min(PostingsCursor.BLOCK, documents - doc);
        for (int i = 0; i < n; i++) {
          block[i] = OffHeap.getInt(lengthAddress(doc + i, index));
        }
        doc += n;
        return n;
      }
    };
  }

  private int index(int field) {
    int index = tokenizedIndex[field];
    if (index < 0) {
      throw new IllegalArgumentException("field " + field + " has no lengths");
    }
    return index;
  }

  private long lengthAddress(int doc, int index) {
    return address + (long) Integer.BYTES * ((long) doc * width + index);
  }
}
