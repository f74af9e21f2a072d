package io.kmodel.indexer.sort;

import java.util.List;
import java.util.Map;

/**
 * How many runs the CPU and each device put in order.
 *
 * @param devices in the order in which they are used
 * @param cpuRuns runs that the CPU put in order
 * @param cpuReasons the number of these runs by reason; 0 for the reason why a device was not used
 *     at all
 * @param checkSeconds time that threads spent checking the keys that devices returned
 */
public record SortReport(
    List<Device> devices, long cpuRuns, Map<String, Long> cpuReasons, double checkSeconds) {
  /**
   * The work of a device. The three times overlap, because several runs are in flight.
   *
   * @param uploadSeconds uploads of keys or texts, including the wait for their turn
   * @param sortSeconds kernels of the sorting network, or of an inversion
   * @param downloadSeconds downloads of keys
   */
  public record Device(
      String name,
      long runs,
      long keys,
      double uploadSeconds,
      double sortSeconds,
      double downloadSeconds) {}

  /** Why some devices were never used: the reasons that are counted 0 times. */
  public List<String> whyUnused() {
    boolean isIdle = devices.isEmpty() && cpuRuns == 0;
    return cpuReasons.entrySet().stream()
        .filter(reason -> reason.getValue() == 0 && !isIdle)
        .map(Map.Entry::getKey)
        .toList();
  }
}
