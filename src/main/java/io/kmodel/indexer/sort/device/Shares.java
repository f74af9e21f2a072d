package io.kmodel.indexer.sort.device;

import java.util.List;

/** The parts of keys that devices have, in order, and where each starts among all keys. */
final class Shares {
  private final List<DevicePart> parts;
  private final long[] starts;

  Shares(List<DevicePart> parts) {
    this.parts = List.copyOf(parts);
    this.starts = new long[parts.size() + 1];
    for (int device = 0; device < parts.size(); device++) {
      starts[device + 1] = starts[device] + parts.get(device).keys().count();
    }
  }

  int count() {
    return parts.size();
  }

  DevicePart part(int device) {
    return parts.get(device);
  }

  /** The place of a device's first key; of the device after the last one, the number of keys. */
  long start(int device) {
    return starts[device];
  }

  /** Waits until all devices have done their work. */
  void await() {
    for (DevicePart part : parts) {
      part.device().use();
      part.lane().await();
    }
  }
}
