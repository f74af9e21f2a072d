package io.kmodel.indexer.sort.device.records;

import io.kmodel.indexer.gpu.GpuKernel;
import io.kmodel.indexer.sort.device.DeviceLane;
import java.util.List;

/**
 * A sorter of records in device memory by their keys: Bandyopadhyay and Sahni, Sorting Large
 * Multifield Records on a GPU, 2011. Direct sorters move the other fields in every pass. Indirect
 * ones sort pairs of a key and a number, and gather the other fields at the end (section III).
 */
public interface RecordSorter {
  List<GpuKernel> kernels();

  /** Whether records with equal keys stay in order. */
  boolean isStable();

  /** Bytes of device memory besides both buffers. */
  long scratchBytes(long n);

  /**
   * Sorts records. May return when the work is queued; sorters whose host takes part wait in
   * between.
   *
   * @param records with at least one other field
   * @return address of the sorted other fields, that of buffer 0 or of buffer 1
   */
  long sort(DeviceLane lane, DeviceRecords records);
}
