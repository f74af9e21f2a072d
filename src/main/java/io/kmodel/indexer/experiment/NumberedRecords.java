package io.kmodel.indexer.experiment;

import io.kmodel.indexer.memory.OffHeap;
import io.kmodel.indexer.sort.device.records.DeviceRecords.Layout;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ForkJoinPool;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;

/**
 * Records in memory outside the heap whose first other field is their number in the input. Their
 * key and all other fields are functions of that number, so a result is checked without the input.
 */
final class NumberedRecords {
  /** Records that a thread takes at once. */
  private static final int PIECE = 1 << 10;

  private final ForkJoinPool pool;
  private final long keys;
  private final long fields;
  private final long count;
  private final int others;

  /** Words between a field of neighboring records, and between fields of a record. */
  private final long ofRecord;

  private final long ofField;

  /**
   * Takes memory for records.
   *
   * @param pool fills and checks them
   * @param keys 4 bytes each
   * @param fields 4 bytes for each other field
   * @param count number of records, less than 2^31
   * @param others number of other fields of a record, at least 1
   */
  NumberedRecords(
      ForkJoinPool pool,
      MemorySegment keys,
      MemorySegment fields,
      long count,
      int others,
      Layout layout) {
    this.pool = pool;
    boolean isByField = layout == Layout.BY_FIELD;
    this.keys = keys.address();
    this.fields = fields.address();
    this.count = count;
    this.others = others;
    this.ofRecord = isByField ? 1 : others;
    this.ofField = isByField ? count : 1;
  }

  private static int key(int number, long seed) {
    return (int) (mixed(seed + number) >>> 32);
  }

  /** The number itself for field 0. */
  private static int field(int number, int field) {
    return number * (2 * field + 1) ^ field * 0x9E3779B9;
  }

  /** The finalizer of SplittableRandom. */
  private static long mixed(long number) {
    long mixed = (number + 1) * 0x9E3779B97F4A7C15L;
    mixed = (mixed ^ mixed >>> 30) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
    return mixed ^ mixed >>> 31;
  }

  private long keyAt(long record) {
    return keys + Integer.BYTES * record;
  }

  private long fieldAt(long record, int field) {
    return fields + Integer.BYTES * (record * ofRecord + field * ofField);
  }

  // ---- input

  /** Writes uniform keys, others for each seed. */
  void fillKeys(long seed) {
    eachPiece(
        first -> {
          long last = last(first);
          for (long i = first; i < last; i++) {
            OffHeap.putInt(keyAt(i), key((int) i, seed));
          }
          return 0;
        });
  }

  /** Writes the other fields. */
  void fillFields() {
    eachPiece(
        first -> {
          long last = last(first);
          for (int field = 0; field < others; field++) {
            for (long i = first; i < last; i++) {
              OffHeap.putInt(fieldAt(i, field), field((int) i, field));
            }
          }
          return 0;
        });
  }

  // ---- results

  /**
   * Checks that these are the records with keys of a seed, in order of the keys. A sum of hashes
   * stands for the numbers.
   *
   * @param sorter named in messages
   * @param isStable whether records with equal keys must be in order of their numbers
   * @throws IllegalStateException if they are not
   */
  void verify(String sorter, long seed, boolean isStable) {
    long actual =
        eachPiece(
            first -> {
              requireFields(sorter, first);
              return sumInOrder(sorter, first, seed, isStable);
            });
    long expected = eachPiece(this::sumOfNumbers);
    if (actual != expected) {
      throw new IllegalStateException("%s lost records and repeated others".formatted(sorter));
    }
  }

  private void requireFields(String sorter, long first) {
    long last = last(first);
    for (int field = 1; field < others; field++) {
      for (long i = first; i < last; i++) {
        if (OffHeap.getInt(fieldAt(i, field)) != field(OffHeap.getInt(fieldAt(i, 0)), field)) {
          throw new IllegalStateException(
              "%s changed field %d of record %d".formatted(sorter, field, i));
        }
      }
    }
  }

  private long sumInOrder(String sorter, long first, long seed, boolean isStable) {
    long sum = 0;
    int previous = first == 0 ? 0 : OffHeap.getInt(keyAt(first - 1));
    int previousNumber = first == 0 ? -1 : OffHeap.getInt(fieldAt(first - 1, 0));
    long last = last(first);
    for (long i = first; i < last; i++) {
      int key = OffHeap.getInt(keyAt(i));
      int number = OffHeap.getInt(fieldAt(i, 0));
      if (number < 0 || number >= count || key != key(number, seed)) {
        throw new IllegalStateException("%s changed the key of record %d".formatted(sorter, i));
      }
      int order = Integer.compareUnsigned(previous, key);
      if (order > 0) {
        throw new IllegalStateException("%s did not sort record %d".formatted(sorter, i));
      }
      if (isStable && order == 0 && number <= previousNumber) {
        throw new IllegalStateException(
            "%s exchanged record %d and the one before, which have equal keys"
                .formatted(sorter, i));
      }
      previous = key;
      previousNumber = number;
      sum += mixed(number);
    }
    return sum;
  }

  private long sumOfNumbers(long first) {
    long sum = 0;
    for (long number = first; number < last(first); number++) {
      sum += mixed(number);
    }
    return sum;
  }

  private long last(long first) {
    return Math.min(count, first + PIECE);
  }

  /** The sum of what a function returns for the first record of each piece. */
  private long eachPiece(LongUnaryOperator work) {
    return pool.submit(
            () ->
                LongStream.range(0, Math.ceilDiv(count, PIECE))
                    .parallel()
                    .map(piece -> work.applyAsLong(piece * PIECE))
                    .sum())
        .join();
  }
}
