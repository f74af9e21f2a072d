package io.kmodel.indexer.indexing.report;

import io.kmodel.indexer.sort.DeviceListener;

/** Records the steps of devices in a timeline. */
public record DeviceSteps(Timeline timeline) implements DeviceListener {
  @Override
  public void sorted(
      long uploadNanos, long sortNanos, long heldNanos, long downloadNanos, long endNanos) {
    long back = endNanos - downloadNanos;
    long sorted = back - heldNanos;
    long sort = sorted - sortNanos;
    timeline.spent(Activity.UPLOAD, sort - uploadNanos, sort);
    timeline.spent(Activity.DEVICE_SORT, sort, sorted);
    timeline.spent(Activity.DOWNLOAD, back, endNanos);
  }
}
