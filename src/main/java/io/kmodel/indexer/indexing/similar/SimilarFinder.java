package io.kmodel.indexer.indexing.similar;

import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.memory.OffHeap;
import io.kmodel.indexer.source.Location;
import io.kmodel.indexer.store.LittleEndian;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the documents that are similar to an earlier one, from the files of {@link
 * SignatureWriter}, in the order of the collection. A document that is similar to none becomes an
 * <em>original</em>; the others are each similar to an original, namely to the first such one. So
 * the result does not depend on threads, splits or memory, and a document that is left out has a
 * similar one that stays.
 *
 * <p>Candidates are found by bands: two documents are compared if their signatures are equal in one
 * of several ranges of bytes (Leskovec, Rajaraman, Ullman, Mining of Massive Datasets, §3.4). Bands
 * are as long as two documents with a similarity of the threshold still meet in one with a
 * probability of {@value #LEAST_RECALL}; near the threshold some pairs are missed for that reason.
 *
 * <p>Memory outside the heap, of the given size at most: 8 bytes for each document, and 328 to 520
 * bytes for each original, by threshold. If not all originals fit, the files are read several
 * times, each time for more of them. On the heap: a bit for each document of a split with
 * duplicates.
 *
 * <p>Time, of one thread: each reading is linear in the documents, unless many are nearly as
 * similar as the threshold. There are as many readings as the originals fill the memory. So the
 * time is quadratic if the originals are many times more than fit.
 */
public final class SimilarFinder {
  private static final double LEAST_RECALL = 0.95;
  private static final int MOST_ROWS = Long.BYTES;

  /** Bytes of an original besides its bands: signature and offset of its record. */
  private static final int FIXED_BYTES = TextSignature.BYTES + Long.BYTES;

  /** For each band, the next original in its chain and about two heads of chains. */
  private static final int BAND_BYTES = 3 * Integer.BYTES;

  private final long bytes;
  private final Runnable heartbeat;

  /** Equal bytes from which documents are similar. */
  private final int leastEqual;

  private final int rows;
  private final int bands;

  /** Selects a band from eight bytes. */
  private final long mask;

  /** Takes a document that is similar to an original. */
  @FunctionalInterface
  public interface Listener {
    void similar(Location document, Location original, double similarity);
  }

  /**
   * A finder.
   *
   * @param bytes of memory outside the heap
   * @param threshold the similarity of documents that count as similar, at least 0.6
   * @param heartbeat runs often while documents are compared
   */
  public SimilarFinder(long bytes, double threshold, Runnable heartbeat) {
    this.bytes = bytes;
    this.heartbeat = heartbeat;
    int equal = 0;
    while (TextSignature.similarity(equal) < threshold - 1e-9) {
      equal++;
    }
    this.leastEqual = equal;
    int length = MOST_ROWS;
    while (recall(threshold, length) < LEAST_RECALL) {
      length--;
    }
    this.rows = length;
    this.bands = TextSignature.BYTES / length;
    this.mask = -1L >>> (Long.SIZE - length * Byte.SIZE);
  }

  /** The probability that two documents of a similarity are equal in a band. */
  private static double recall(double similarity, int rows) {
    int bands = TextSignature.BYTES / rows;
    return 1 - Math.pow(1 - Math.pow(similarity, rows), bands);
  }

  /** Bytes that an original takes. */
  private long perOriginal() {
    return FIXED_BYTES + (long) bands * BAND_BYTES;
  }

  /**
   * Refuses more documents than the memory suffices for.
   *
   * @param documents number of them, perhaps so far
   * @throws BuildException if they do not fit; the message says how much memory they need
   */
  public void require(long documents) throws BuildException {
    long least = documents * Long.BYTES + perOriginal();
    if (least > bytes) {
      throw new BuildException(
          "comparing %,d documents takes at least %,d MiB of memory for runs, of %,d: raise --memory"
              .formatted(documents, (least >> 20) + 1, bytes >> 20));
    }
  }

  /**
   * Finds similar documents.
   *
   * @param files of the splits in order; null for a split without documents
   * @param leftOut for each split, documents that are left out in any case and not compared
   * @param listener takes the documents in order
   * @return for each split, those similar to an original; null without such documents
   * @throws BuildException if the memory does not suffice
   */
  public List<@Nullable BitSet> find(
      List<? extends @Nullable Path> files,
      List<? extends @Nullable BitSet> leftOut,
      Listener listener)
      throws IOException, InterruptedException {
    SignatureFiles signatures = new SignatureFiles(files, leftOut, heartbeat);
    long documents = signatures.documents();
    require(documents);
    long room = bytes - documents * Long.BYTES;
    long originals = Math.min(documents, room / perOriginal());
    List<@Nullable BitSet> found = new ArrayList<>();
    files.forEach(file -> found.add(null));
    try (Arena arena = Arena.ofConfined();
        SignatureFiles.Lookup later = signatures.new Lookup();
        SignatureFiles.Lookup earlier = signatures.new Lookup()) {
      // Offset of the original's record plus 1; 0 for none.
      long matches = OffHeap.allocate(documents * Long.BYTES, arena).address();
      Originals block = new Originals((int) originals, arena);
      for (long first = 0; first < documents; ) {
        first = compare(signatures, block, matches, first);
      }
      signatures.visit(
          (document, split, inSplit, offset, head) -> {
            long original = OffHeap.getLong(matches + document * Long.BYTES) - 1;
            if (original >= 0) {
              BitSet here = found.get(split);
              if (here == null) {
                here = new BitSet();
                found.set(split, here);
              }
              here.set(inSplit);
              tell(later.at(offset), earlier.at(original), listener);
            }
          });
    }
    return found;
  }

  private static void tell(
      SignatureFiles.Signed document, SignatureFiles.Signed original, Listener listener) {
    byte[] other = original.signature();
    int equal = TextSignature.equalBytes(document.signature(), i -> LittleEndian.getLong(other, i));
    listener.similar(document.place(), original.place(), TextSignature.similarity(equal));
  }

  /**
   * Makes originals of documents from the first one on, as many as there is room for, and compares
   * all later documents with them.
   *
   * @return the first document that might be an original beyond these
   */
  private static long compare(SignatureFiles signatures, Originals block, long matches, long first)
      throws IOException, InterruptedException {
    block.clear();
    long[] next = {signatures.documents()};
    signatures.visit(
        (document, split, inSplit, offset, head) -> {
          long match = matches + document * Long.BYTES;
          if (document < first || OffHeap.getLong(match) != 0) {
            return;
          }
          long original = block.find(head);
          if (original >= 0) {
            OffHeap.putLong(match, original + 1);
          } else if (!block.add(head, offset)) {
            next[0] = Math.min(next[0], document);
          }
        });
    return next[0];
  }

  /** Some originals, by the bands of their signatures. Each has a number from 0. */
  private final class Originals {
    private final int most;
    private final int heads;
    private final long bytesOfEach;

    /** For each band the number plus 1 of the last original of each chain; 0 if it is empty. */
    private final long chains;

    /**
     * For each original the signature, the offset of its record, and its successor in each band.
     */
    private final long entries;

    private int count;

    Originals(int most, Arena arena) {
      this.most = most;
      this.heads = Integer.highestOneBit(Math.max(1, most));
      this.bytesOfEach = FIXED_BYTES + (long) bands * Integer.BYTES;
      this.chains = OffHeap.allocate((long) bands * heads * Integer.BYTES, arena).address();
      this.entries = OffHeap.allocate(most * bytesOfEach, arena).address();
    }

    void clear() {
      count = 0;
      OffHeap.clear(chains, (long) bands * heads * Integer.BYTES);
    }

    /** The offset of the first original that is similar to a signature; -1 without one. */
    long find(byte[] signature) {
      int found = count;
      for (int band = 0; band < bands; band++) {
        long key = key(signature, band);
        for (int i = OffHeap.getInt(chain(key, band)) - 1; i >= 0; i = next(i, band)) {
          long entry = entries + i * bytesOfEach;
          // Documents in a chain need not have the same band; which do depends on the memory.
          if (i < found
              && (OffHeap.getLong(entry + (long) band * rows) & mask) == key
              && isSimilar(signature, entry)) {
            found = i;
          }
        }
      }
      return found == count
          ? -1
          : OffHeap.getLong(entries + found * bytesOfEach + TextSignature.BYTES);
    }

    /** Adds an original; returns false if there is no room. */
    boolean add(byte[] signature, long offset) {
      if (count == most) {
        return false;
      }
      long entry = entries + count * bytesOfEach;
      OffHeap.copy(signature, 0, entry, TextSignature.BYTES);
      OffHeap.putLong(entry + TextSignature.BYTES, offset);
      for (int band = 0; band < bands; band++) {
        long chain = chain(key(signature, band), band);
        OffHeap.putInt(entry + FIXED_BYTES + (long) band * Integer.BYTES, OffHeap.getInt(chain));
        OffHeap.putInt(chain, count + 1);
      }
      count++;
      return true;
    }

    private int next(int original, int band) {
      return OffHeap.getInt(
              entries + original * bytesOfEach + FIXED_BYTES + (long) band * Integer.BYTES)
          - 1;
    }

    /** The bytes of a band; those after the signature that are read with the last are masked. */
    private long key(byte[] signature, int band) {
      return LittleEndian.getLong(signature, band * rows) & mask;
    }

    /** The address of the chain of a key. */
    private long chain(long key, int band) {
      long mixed = (key ^ (key >>> 32)) * 0x9E3779B97F4A7C15L;
      int head = (int) (mixed >>> 33) & (heads - 1);
      return chains + ((long) band * heads + head) * Integer.BYTES;
    }

    private boolean isSimilar(byte[] signature, long entry) {
      return TextSignature.equalBytes(signature, i -> OffHeap.getLong(entry + i)) >= leastEqual;
    }
  }
}
