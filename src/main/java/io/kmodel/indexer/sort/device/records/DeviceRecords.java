package io.kmodel.indexer.sort.device.records;

import io.kmodel.indexer.gpu.GpuStruct;

/**
 * Records in a device's memory, and what else a sort may use there. A record has a key and other
 * fields, all unsigned and of 4 bytes. Buffer 0 has the records before the sort, and the keys after
 * it; buffer 1 has room for as many.
 *
 * @param keys addresses of both buffers' keys
 * @param fields addresses of both buffers' other fields
 * @param scratch address of the sorter's scratch bytes
 * @param count number of records, less than 2^32
 * @param others number of other fields of a record
 */
public record DeviceRecords(Pair keys, Pair fields, long scratch, long count, int others) {

  /** An address in buffer 0, and one in buffer 1. */
  public record Pair(long first, long second) {
    long of(int buffer) {
      return buffer == 0 ? first : second;
    }
  }

  /** Where the fields of records are in memory (Bandyopadhyay and Sahni, section III). */
  public enum Layout {
    /** Each field is an array: all first fields, then all second ones. */
    BY_FIELD,

    /** The keys are an array; the other fields of a record are neighbors. */
    HYBRID;

    /** How kernels are named after it. */
    String kind() {
      return this == BY_FIELD ? "by_field" : "hybrid";
    }
  }

  /** The argument of kernels that move records from one buffer to another, or within it. */
  GpuStruct moved(int from, int to) {
    GpuStruct records = new GpuStruct(6);
    records.set(0, keys.of(from));
    records.set(1, keys.of(to));
    records.set(2, fields.of(from));
    records.set(3, fields.of(to));
    records.set(4, count);
    records.set(5, others);
    return records;
  }
}
