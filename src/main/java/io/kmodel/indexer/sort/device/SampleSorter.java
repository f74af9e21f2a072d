package io.kmodel.indexer.sort.device;

import io.kmodel.indexer.gpu.GpuKernel;
import java.util.ArrayList;
import java.util.List;

/**
 * Sample sort of Leischner, Osipov and Sanders, as Bandyopadhyay and Sahni describe it in section
 * IV (kernels/sorters/sample.cuh). Splitters cut each segment into buckets; large buckets are
 * segments of another round, the others are sorted by a block each. Not stable.
 */
final class SampleSorter implements DeviceSorter {
  private static final int THREADS = 256;
  private static final int SPLITTERS = 255;
  private static final int BUCKETS = 2 * SPLITTERS + 1;

  /** Keys that one block sorts. */
  private static final long MEDIUM = 1 << 16;

  /** 4096 to 131072 were tried. */
  private static final long PART_KEYS = 32_768;

  // Columns of a segment.
  private static final int FIRST = 0;
  private static final int LAST = 1;
  private static final int COUNTS = 2;
  private static final int PARTS = 3;
  private static final int SEGMENT_WORDS = 4;

  private static final int PART_WORDS = 3;

  private final int keyBytes;
  private final GpuKernel chooseSplitters;
  private final GpuKernel countBuckets;
  private final GpuKernel bucketStarts = new GpuKernel("bucket_starts", THREADS, 0);
  private final GpuKernel fillBuckets;
  private final ScanKernels scan = new ScanKernels();
  private final Sequences sequences;

  SampleSorter(int keyBytes) {
    this.keyBytes = keyBytes;
    String kind = Kinds.of(keyBytes);
    int bucketBytes = keyBytes == Long.BYTES ? 6128 : 5112;
    this.chooseSplitters =
        new GpuKernel("choose_splitters_" + kind, THREADS, keyBytes * Sequences.SMALL);
    this.countBuckets = new GpuKernel("count_buckets_" + kind, THREADS, bucketBytes);
    this.fillBuckets = new GpuKernel("fill_buckets_" + kind, THREADS, bucketBytes);
    this.sequences = new Sequences(keyBytes);
  }

  @Override
  public List<GpuKernel> kernels() {
    List<GpuKernel> kernels =
        new ArrayList<>(List.of(chooseSplitters, countBuckets, bucketStarts, fillBuckets));
    kernels.addAll(scan.all());
    kernels.addAll(sequences.kernels());
    return kernels;
  }

  private static long mostSegments(long n) {
    return n / MEDIUM + 1;
  }

  private static long mostParts(long n) {
    return n / PART_KEYS + mostSegments(n);
  }

  private static long mostSequences(long n) {
    return mostSegments(n) * (BUCKETS + 1);
  }

  @Override
  public long scratchBytes(long n) {
    return new Places(0, n, keyBytes).end;
  }

  /** Where the tables are in device memory. */
  private static final class Places {
    final long sequences;
    final long segments;
    final long parts;
    final long counts;
    final long sums;
    final long starts;
    final long splitters;
    final long end;

    Places(long scratch, long n, int keyBytes) {
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

  /** The sequences left to do: large ones, small ones, and those of equal keys. */
  private record Work(Table large, Table small, Table equal) {
    static Work none() {
      return new Work(new Table(SEGMENT_WORDS), Sequences.table(), Sequences.table());
    }

    void add(long first, long last) {
      if (last - first > MEDIUM) {
        large.add(first, last);
      } else if (first < last) {
        small.add(first, last);
      }
    }
  }

  @Override
  public void sort(DeviceLane lane, DeviceKeys keys) {
    long n = keys.count();
    Places places = new Places(keys.scratch(), n, keyBytes);
    Work work = Work.none();
    work.add(0, n);
    int side = 0;
    while (work.large.rows() + work.small.rows() > 0) {
      if (work.small.rows() > 0) {
        work.small.put(lane, places.sequences, mostSequences(n));
        sequences.sort(lane, keys, side, places.sequences, work.small.rows());
      }
      if (work.large.rows() == 0) {
        return;
      }
      work = round(lane, keys, places, work.large, side);
      if (work.equal.rows() > 0) {
        work.equal.put(lane, places.sequences, mostSequences(n));
        sequences.fill(lane, keys, places.sequences, work.equal.rows());
      }
      side = 1 - side;
    }
  }

  /** Puts the keys of segments into buckets. */
  private Work round(DeviceLane lane, DeviceKeys keys, Places at, Table segments, int side) {
    Table parts = new Table(PART_WORDS);
    long counts = 0;
    for (int row = 0; row < segments.rows(); row++) {
      long last = segments.get(row, LAST);
      long number = 0;
      for (long first = segments.get(row, FIRST); first < last; first += PART_KEYS) {
        parts.add(first, Math.min(first + PART_KEYS, last), row | number << Integer.SIZE);
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
    long to = side == 0 ? keys.other() : keys.address();
    lane.launch(chooseSplitters, rows, from, at.segments, at.splitters);
    lane.launch(countBuckets, parts.rows(), from, at.parts, at.segments, at.splitters, at.counts);
    scan.run(lane, at.counts, counts, at.sums);
    lane.launch(bucketStarts, rows, at.segments, at.counts, at.starts);
    lane.launch(
        fillBuckets, parts.rows(), from, to, at.parts, at.segments, at.splitters, at.counts);
    return buckets(lane, at, segments);
  }

  /** Reads where the buckets are. Every other one holds the keys equal to a splitter. */
  private Work buckets(DeviceLane lane, Places at, Table segments) {
    int rows = segments.rows();
    long[] starts = lane.get(at.starts, rows * BUCKETS);
    Splitters splitters = new Splitters(lane, at.splitters, rows * SPLITTERS, keyBytes);
    Work work = Work.none();
    for (int row = 0; row < rows; row++) {
      for (int bucket = 0; bucket < BUCKETS; bucket++) {
        int number = row * BUCKETS + bucket;
        long first = starts[number];
        long last = bucket + 1 < BUCKETS ? starts[number + 1] : segments.get(row, LAST);
        if (bucket % 2 == 0) {
          work.add(first, last);
        } else if (first < last) {
          work.equal.add(first, last, splitters.key(row * SPLITTERS + bucket / 2));
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
