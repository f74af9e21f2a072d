package io.kmodel.indexer.sort;

import java.util.List;
import java.util.Map;

/**
 * Who has sorted how many runs.
 *
 * @param devices in the order of their use
 * @param cpuRuns runs that the CPU has sorted
 * @param cpuReasons how many of them for which reason; 0 for a device that was not used from the
 *     start
 * @param checkSeconds what threads spent on checking that devices gave back their keys in order
 */
public record SortReport(
    List<Device> devices, long cpuRuns, Map<String, Long> cpuReasons, double checkSeconds) {
  /**
   * What a device has done. Its three times overlap: those of one run with those of the next.
   *
   * @param uploadSeconds keys on their way to the device, and waiting to go
   * @param sortSeconds the network's launches
   * @param downloadSeconds keys on their way back
   */
  public record Device(
      String name,
      long runs,
      long keys,
      double uploadSeconds,
      double sortSeconds,
      double downloadSeconds) {}

  /** Reasons for which no run was sorted by the CPU: why devices were not used from the start. */
  public List<String> whyUnused() {
    boolean isIdle = devices.isEmpty() && cpuRuns == 0;
    return cpuReasons.entrySet().stream()
        .filter(reason -> reason.getValue() == 0 && !isIdle)
        .map(Map.Entry::getKey)
        .toList();
  }
}
