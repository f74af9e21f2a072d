package io.kmodel.indexer.export.lucene;

import io.kmodel.indexer.index.Schema;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.apache.lucene.util.SmallFloat;

/**
 * Lengths of a segment's documents, kept as the norms that Lucene makes of them: a length that is
 * asked for is the least one with the norm of that which was added, and 0 only where that was.
 *
 * <p>Memory: {@link #bytes}, which are the caller's. One thread adds, then many may read.
 */
public final class NormLengths implements DocumentLengths {
  /** The least length of each norm. */
  private static final int[] LEAST = new int[1 << Byte.SIZE];

  static {
    for (int norm = 0; norm < LEAST.length; norm++) {
      LEAST[norm] = SmallFloat.byte4ToInt((byte) norm);
    }
  }

  private final int count;

  /** Those of the fields, one after the other; a keyword field's is empty. */
  private final MemorySegment[] norms;

  private final int[] filled;

  /**
   * The lengths of so many documents, none of which is known yet.
   *
   * @param memory at least {@link #bytes} of it
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

  /** How many bytes so many documents take: one for each tokenized field. */
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
