package io.kmodel.indexer.sort.device;

import io.kmodel.indexer.gpu.GpuKernel;
import java.util.ArrayList;
import java.util.List;

/**
 * The host's side of sample sort (kernels/sorters/sample_plan.h). Splitters cut each segment into
 * buckets; large buckets are segments of another round, the others are sorted by a block each.
 * {@link Moves} has the steps in which sorters of keys and of records differ.
 *
 * <p>Device memory: 4 KiB for each part, and about 26 KiB for each segment.
 */
public final class SampleRounds {
  public static final int THREADS = 256;

  private static final int SPLITTERS = 255;
  private static final int BUCKETS = 2 * SPLITTERS + 1;

  // Columns of a segment.
  private static final int FIRST = 0;
  private static final int LAST = 1;
  private static final int COUNTS = 2;
  private static final int PARTS = 3;
  private static final int SEGMENT_WORDS = 4;

  private static final int PART_WORDS = 3;

  /**
   * Sizes, in keys.
   *
   * @param medium that one block sorts at most
   * @param part that a block puts into buckets
   * @param together neighboring buckets of up to so many are sorted as one; 0 for none
   */
  public record Plan(long medium, long part, long together) {}

  /** Launches of kernels that move keys or records. A side is the buffer they are in, 0 or 1. */
  public interface Moves {
    /** Puts the keys of parts into their buckets in the other buffer. */
    void fillBuckets(Places at, int parts, int side);

    /** Puts sequences of equal keys where sorted keys belong. */
    void fillEqual(Places at, int sequences, int side);

    /** Sorts each sequence to where sorted keys belong. */
    void sortSequences(Places at, int sequences, int side);
  }

  private final int keyBytes;
  private final Plan plan;
  private final GpuKernel chooseSplitters;
  private final GpuKernel countBuckets;
  private final GpuKernel bucketStarts = new GpuKernel("bucket_starts", THREADS, 0);
  private final ScanKernels scan = new ScanKernels();

  public SampleRounds(int keyBytes, Plan plan) {
    this.keyBytes = keyBytes;
    this.plan = plan;
    String kind = Kinds.of(keyBytes);
    this.chooseSplitters =
        new GpuKernel("choose_splitters_" + kind, THREADS, keyBytes * Sequences.SMALL);
    this.countBuckets = new GpuKernel("count_buckets_" + kind, THREADS, bucketBytes(keyBytes));
  }

  /** Shared bytes of the splitters, and a number of 8 bytes for each bucket. */
  public static int bucketBytes(int keyBytes) {
    return keyBytes == Long.BYTES ? 6128 : 5112;
  }

  public List<GpuKernel> kernels() {
    List<GpuKernel> kernels = new ArrayList<>(List.of(chooseSplitters, countBuckets, bucketStarts));
    kernels.addAll(scan.all());
    return kernels;
  }

  private long mostSegments(long n) {
    return n / plan.medium + 1;
  }

  private long mostParts(long n) {
    return n / plan.part + mostSegments(n);
  }

  /**
   * Buckets of equal keys are cut into parts. Of those sorted together, two neighbors in a segment
   * have more keys than {@code together}, or there is a longer bucket between them.
   */
  private long mostSequences(long n) {
    long most = mostSegments(n) * (BUCKETS + 1);
    if (plan.together > 0) {
      most = Math.min(most, 4 * (n / plan.together + mostSegments(n)));
    }
    return most + n / plan.part;
  }

  public long scratchBytes(long n) {
    return new Places(0, n).end;
  }

  /** Where the tables are in device memory. */
  public final class Places {
    public final long sequences;
    public final long segments;
    public final long parts;
    public final long counts;
    public final long splitters;
    private final long sums;
    private final long starts;
    private final long end;

    private Places(long scratch, long n) {
      Pieces pieces = new Pieces(scratch);
      this.sequences = pieces.take(mostSequences(n) * Sequences.BYTES);
      this.segments = pieces.take(mostSegments(n) * SEGMENT_WORDS * Long.BYTES);
      this.parts = pieces.take(mostParts(n) * PART_WORDS * Long.BYTES);
      this.counts = pieces.take(ScanKernels.bytes(mostParts(n) * BUCKETS));
      this.sums = pieces.take(ScanKernels.sumBytes(mostParts(n) * BUCKETS));
      this.starts = pieces.take(mostSegments(n) * BUCKETS * Long.BYTES);
      this.splitters = pieces.take(mostSegments(n) * SPLITTERS * keyBytes);
      this.end = pieces.end();
    }
  }

  /** The sequences left to do: large ones, small ones, and parts of those of equal keys. */
  private final class Work {
    final Table large = new Table(SEGMENT_WORDS);
    final Table small = Sequences.table();
    final Table equal = Sequences.table();

    void add(long first, long last) {
      if (last - first > plan.medium) {
        large.add(first, last);
      } else if (endsWithin(first, last)) {
        small.set(small.rows() - 1, LAST, last);
      } else if (first < last) {
        small.add(first, last);
      }
    }

    /** Whether the last sequence ends here and stays short with the next one. */
    private boolean endsWithin(long first, long last) {
      int row = small.rows() - 1;
      return row >= 0
          && small.get(row, LAST) == first
          && last - small.get(row, FIRST) <= plan.together;
    }

    void addEqual(long first, long last, long key) {
      for (long at = first; at < last; at += plan.part) {
        equal.add(at, Math.min(at + plan.part, last), key);
      }
    }
  }

  public void sort(DeviceLane lane, DeviceKeys keys, Moves moves) {
    long n = keys.count();
    Places places = new Places(keys.scratch(), n);
    Work work = new Work();
    work.add(0, n);
    int side = 0;
    while (work.large.rows() + work.small.rows() > 0) {
      if (work.small.rows() > 0) {
        work.small.put(lane, places.sequences, mostSequences(n));
        moves.sortSequences(places, work.small.rows(), side);
      }
      if (work.large.rows() == 0) {
        return;
      }
      work = round(lane, keys, places, work.large, moves, side);
      side = 1 - side;
      if (work.equal.rows() > 0) {
        work.equal.put(lane, places.sequences, mostSequences(n));
        moves.fillEqual(places, work.equal.rows(), side);
      }
    }
  }

  /** Puts the keys of segments into buckets. */
  private Work round(
      DeviceLane lane, DeviceKeys keys, Places at, Table segments, Moves moves, int side) {
    Table parts = new Table(PART_WORDS);
    long counts = 0;
    for (int row = 0; row < segments.rows(); row++) {
      long last = segments.get(row, LAST);
      long number = 0;
      for (long first = segments.get(row, FIRST); first < last; first += plan.part) {
        parts.add(first, Math.min(first + plan.part, last), row | number << Integer.SIZE);
        number++;
      }
      segments.set(row, COUNTS, counts);
      segments.set(row, PARTS, number);
      counts += number * BUCKETS;
    }
    segments.put(lane, at.segments, mostSegments(keys.count()));
    parts.put(lane, at.parts, mostParts(keys.count()));
    int rows = segments.rows();
    long from = side == 0 ? keys.address() : keys.other();
    lane.launch(chooseSplitters, rows, from, at.segments, at.splitters);
    lane.launch(countBuckets, parts.rows(), from, at.parts, at.segments, at.splitters, at.counts);
    scan.run(lane, at.counts, counts, at.sums);
    lane.launch(bucketStarts, rows, at.segments, at.counts, at.starts);
    moves.fillBuckets(at, parts.rows(), side);
    return buckets(lane, at, segments);
  }

  /** Reads where the buckets are. Every other one holds the keys equal to a splitter. */
  private Work buckets(DeviceLane lane, Places at, Table segments) {
    int rows = segments.rows();
    long[] starts = lane.get(at.starts, rows * BUCKETS);
    Splitters splitters = new Splitters(lane, at.splitters, rows * SPLITTERS, keyBytes);
    Work work = new Work();
    for (int row = 0; row < rows; row++) {
      for (int bucket = 0; bucket < BUCKETS; bucket++) {
        int number = row * BUCKETS + bucket;
        long first = starts[number];
        long last = bucket + 1 < BUCKETS ? starts[number + 1] : segments.get(row, LAST);
        if (first < segments.get(row, FIRST) || last < first || last > segments.get(row, LAST)) {
          throw new IllegalStateException(
              "the device puts a bucket from %d to %d into keys %d to %d"
                  .formatted(first, last, segments.get(row, FIRST), segments.get(row, LAST)));
        }
        if (bucket % 2 == 0 || last - first <= plan.together) {
          work.add(first, last);
        } else {
          work.addEqual(first, last, splitters.key(row * SPLITTERS + bucket / 2));
        }
      }
    }
    return work;
  }

  /** Keys of 4 or 8 bytes in words of 8. */
  private static final class Splitters {
    private final long[] words;
    private final boolean areWide;

    Splitters(DeviceLane lane, long address, int count, int keyBytes) {
      this.words = lane.get(address, Math.ceilDiv(count * keyBytes, Long.BYTES));
      this.areWide = keyBytes == Long.BYTES;
    }

    long key(int at) {
      return areWide ? words[at] : words[at / 2] >>> (at % 2 * Integer.SIZE) & 0xFFFF_FFFFL;
    }
  }
}
