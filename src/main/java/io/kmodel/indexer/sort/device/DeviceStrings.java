package io.kmodel.indexer.sort.device;

import io.kmodel.indexer.gpu.GpuStruct;

/**
 * Strings of any bytes in a device's memory. String i has the bytes from the i-th start to the
 * next.
 *
 * @param bytes address of the bytes, a multiple of 8; the device reads up to the next multiple of 8
 *     behind them
 * @param starts address of one number of 8 bytes more than there are strings
 * @param count number of strings, less than 2^32 - 1
 */
public record DeviceStrings(long bytes, long starts, long count) {
  /** As a kernel takes them. */
  GpuStruct struct() {
    GpuStruct struct = new GpuStruct(2);
    struct.set(0, bytes);
    struct.set(1, starts);
    return struct;
  }
}
