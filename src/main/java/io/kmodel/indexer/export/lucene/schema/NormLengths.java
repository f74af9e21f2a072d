package io.kmodel.indexer.export.lucene.schema;

import io.kmodel.indexer.index.model.Schema;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.apache.lucene.util.SmallFloat;

/**
 * The lengths of a segment's documents, stored as Lucene's norms. A returned length is the smallest
 * one with the same norm as the length added; it is 0 only if that was 0.
 *
 * <p>Memory: {@link #bytes}, provided by the caller. One thread adds lengths; afterwards many may
 * read.
 */
public final class NormLengths implements DocumentLengths {
  /** The smallest length of each norm. */
  private static final int[] LEAST = new int[1 << Byte.SIZE];

  static {
    for (int norm = 0; norm < LEAST.length; norm++) {
      LEAST[norm] = SmallFloat.byte4ToInt((byte) norm);
    }
  }

  private final int count;

  /** Norms by field; empty for a keyword field. */
  private final MemorySegment[] norms;

  private final int[] filled;

  /**
   * Prepares for the lengths of the given number of documents.
   *
   * @param memory at least {@link #bytes}
   */
  public NormLengths(MemorySegment memory, int count, Schema schema) {
    this.count = count;
    this.norms = new MemorySegment[schema.size()];
    this.filled = new int[schema.size()];
    long from = 0;
    for (int field = 0; field < norms.length; field++) {
      int room = schema.field(field).tokenized() ? count : 0;
      norms[field] = memory.asSlice(from, room);
      from += room;
    }
  }

  /** Memory for the given number of documents: one byte per tokenized field. */
  public static long bytes(int count, Schema schema) {
    int fields = 0;
    for (int field = 0; field < schema.size(); field++) {
      fields += schema.field(field).tokenized() ? 1 : 0;
    }
    return (long) count * fields;
  }

  /** Adds the lengths of the next documents of a tokenized field. */
  public void add(int field, int[] lengths, int n) {
    MemorySegment to = norms[field];
    int at = filled[field];
    for (int i = 0; i < n; i++) {
      to.set(ValueLayout.JAVA_BYTE, at + i, SmallFloat.intToByte4(lengths[i]));
    }
    filled[field] = at + n;
  }

  @Override
  public int count() {
    return count;
  }

  @Override
  public int length(int field, int docId) {
    return LEAST[norms[field].get(ValueLayout.JAVA_BYTE, docId) & 0xFF];
  }
}
