package io.kmodel.indexer.sort.device;

import io.kmodel.indexer.gpu.GpuKernel;
import java.util.List;

/**
 * A sorter of strings in device memory. Bytes are compared unsigned, a string comes before those
 * that it starts, and equal strings keep their order.
 */
public interface StringSorter {
  /** One merge sort whose comparisons resolve ties (Davidson et al., section 4). */
  static StringSorter inComparisons() {
    return new StringMergeSorter();
  }

  /** Rounds of sorts by a few bytes, each of strings that were equal so far. */
  static StringSorter inRounds() {
    return new StringRoundSorter();
  }

  List<GpuKernel> kernels();

  /** Bytes of device memory besides the strings and their order. */
  long scratchBytes(long n);

  /**
   * Sorts strings. May return when the work is queued; a sorter whose host takes part waits in
   * between.
   *
   * @param order address of 4 bytes a string, which get the sorted strings' numbers
   */
  void sort(DeviceLane lane, DeviceStrings strings, long order, long scratch);
}
