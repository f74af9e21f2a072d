package io.kmodel.indexer.indexing.options;

/**
 * What a device does for a build, and what threads do meanwhile (Index_gpu and Index_gpu+ of the
 * paper's Fig. 7).
 */
public enum Pipeline {
  /** As INVERTED where that is known to be faster; otherwise the CPU does everything. */
  AUTO,
  /** The device sorts a run, and the thread waits (Index_gpu). */
  SERIAL,
  /** The thread continues, with a second buffer of half the size (Index_gpu+). */
  OVERLAPPED,
  /** The device makes a run from text: it tokenizes, too, and the thread waits. */
  INVERTED
}
