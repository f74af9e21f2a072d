package io.kmodel.indexer.run;

import io.kmodel.indexer.index.Field;
import io.kmodel.indexer.index.PostingsCursor;
import io.kmodel.indexer.index.Schema;
import io.kmodel.indexer.memory.OffHeap;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * What a run keeps of its documents: their lengths in tokenized fields and, where fields have
 * offsets, the number of their first token. Memory: what it is given, 4 bytes for each of these.
 * Not thread-safe.
 */
final class RunDocuments {
  private final long address;

  /** Fields whose lengths are kept, ascending. */
  private final int[] tokenized;

  /** Per field: its place in {@link #tokenized}, negative where it is not there. */
  private final int[] tokenizedIndex;

  /** Ints per document; the last one is the first token's number, if that is kept. */
  private final int width;

  private final long capacity;

  /** For as many documents as there is memory for, at an address outside the heap. */
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

  /** The same of the first {@code documents}, in {@link #bytes} elsewhere. */
  RunDocuments copy(long target, int documents) {
    OffHeap.copy(address, target, bytes(documents));
    return new RunDocuments(this, target);
  }

  /** What the first {@code documents} take. */
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

  /** Only where fields have offsets; the token's number is below 2^31. */
  void putFirstToken(int doc, long token) {
    OffHeap.putInt(lengthAddress(doc, width - 1), (int) token);
  }

  int firstToken(int doc) {
    return OffHeap.getInt(lengthAddress(doc, width - 1));
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
