package io.kmodel.indexer.inversion;

/** What came back from a device. */
interface DeviceResult extends InvertedText {
  /**
   * Checks it; until then nothing else of it may be used.
   *
   * @return the fault; empty if there is no fault
   */
  String check();
}
