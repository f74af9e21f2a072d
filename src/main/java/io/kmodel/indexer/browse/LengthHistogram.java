package io.kmodel.indexer.browse;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;

/**
 * Counts documents by length: four bins for each power of two, of about the same width. Memory: 1
 * KiB. Not thread-safe.
 */
final class LengthHistogram {
  private static final int PARTS = 4;

  private final long[] bins = new long[Integer.SIZE * PARTS];
  private long documents;
  private long tokens;
  private int least = Integer.MAX_VALUE;
  private int most;

  void add(int length) {
    documents++;
    tokens += length;
    least = Math.min(least, length);
    most = Math.max(most, length);
    bins[bin(length)]++;
  }

  /** Lengths below 4 have a bin each; then the two bits after the first decide. */
  private static int bin(int length) {
    if (length < PARTS) {
      return length;
    }
    int power = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(length);
    return PARTS * (power - 1) + (length >>> (power - 2) & (PARTS - 1));
  }

  /** The smallest length of a bin. */
  private static long start(int bin) {
    if (bin < PARTS) {
      return bin;
    }
    int power = bin / PARTS + 1;
    return (1L << power) + ((long) (bin % PARTS) << (power - 2));
  }

  void write(JsonGenerator out) throws IOException {
    out.writeObjectFieldStart("lengths");
    out.writeNumberField("least", documents == 0 ? 0 : least);
    out.writeNumberField("most", most);
    out.writeNumberField("mean", documents == 0 ? 0 : (double) tokens / documents);
    out.writeArrayFieldStart("bins");
    boolean started = false;
    for (int bin = 0; bin <= bin(most); bin++) {
      started |= bins[bin] > 0;
      if (started) {
        out.writeArray(new long[] {start(bin), start(bin + 1) - 1, bins[bin]}, 0, 3);
      }
    }
    out.writeEndArray();
    out.writeEndObject();
  }
}
